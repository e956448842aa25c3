import { formatLineQuantities, parseLineQuantities, receivedUnits } from './order-units.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { requestKey } from './order-steps.js';
import {
  isReceived,
  isSameReturn,
  readAcceptance,
  readReturn,
  receivedState,
  RETURN_STATES,
  formatReturnState,
  isWithdrawable,
  type ReturnState,
  rtoKey,
  WITHDRAWN,
} from './return-request.js';

const LINES = [
  { line: 2, quantity: 1 },
  { line: 1, quantity: 3 },
];

/** The code and the message of a refusal. */
function refusal(work: () => unknown): [code: string, message: string] {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.message];
  }
  throw new Error('It was not refused.');
}

describe('The key of a return by RTO', () => {
  it('names its parcel, and all of them as a pattern', () => {
    expect([rtoKey(2), rtoKey('%')]).toEqual(['rto of parcel 2', 'rto of parcel %']);
    const may = (state: ReturnState, key: string) => isWithdrawable({ state, key });
    expect([may('requested', 'k'), may('received', 'k'), may('requested', rtoKey(2))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('The acceptance of a return', () => {
  const TODAY = '2026-11-28';
  const read = (sendTo: string, sendBy: string) => readAcceptance({ sendTo, sendBy }, TODAY);

  it('has an address of one or more lines, and a last day from today on', () => {
    expect(read(' Acme\r\nPune 411001 ', ' 2026-11-28')).toEqual({
      sendTo: 'Acme\nPune 411001',
      sendBy: TODAY,
    });
    expect(read('a'.repeat(500), '2026-12-31')).toEqual({ sendTo: 'a'.repeat(500), sendBy: '2026-12-31' });
  });

  it.each([
    [' ', TODAY, 'The address must not be empty.'],
    ['a'.repeat(501), TODAY, 'The address must have at most 500 characters.'],
    ['Acme', '2026-11-27', 'The last day must be today or later, such as 2026-11-28.'],
    ['Acme', 'soon', 'The last day must be today or later, such as 2026-11-28.'],
  ])('refuses %j until %j', (sendTo, sendBy, message) => {
    expect(refusal(() => read(sendTo, sendBy))).toEqual(['invalid_value', message]);
  });

  it('names each wrong field', () => {
    let error: unknown;
    try {
      read('', '');
    } catch (thrown) {
      error = thrown;
    }
    expect((error as DomainError).errors?.map(({ field }) => field)).toEqual(['sendTo', 'sendBy']);
  });
});

describe('The state of a return', () => {
  it('tells whether all of its units came', () => {
    const all = { quantity: 2, received: 2 };
    expect(receivedState([all, all])).toBe('received');
    expect(receivedState([all, { quantity: 2, received: 1 }])).toBe('partly_received');
    expect(receivedState([{ quantity: 1, received: null }, all])).toBe('partly_received');
  });

  it('is received with all units or with some, in words for people', () => {
    expect(RETURN_STATES.filter(isReceived)).toEqual(['received', 'partly_received']);
    expect(RETURN_STATES.map((state) => formatReturnState(state))).toEqual([
      'requested',
      'received',
      'partly received',
      'refused',
    ]);
    expect(WITHDRAWN).toBe('Withdrawn by the client');
    expect(RETURN_STATES.map((state) => formatReturnState(state, WITHDRAWN))).toEqual([
      'requested',
      'received',
      'partly received',
      'withdrawn',
    ]);
  });
});

describe('readReturn', () => {
  it('sorts the lines and trims the words', () => {
    expect(readReturn({ lines: LINES, reason: ' r ', note: ' two\nlines ', key: ' k ' })).toEqual({
      lines: [LINES[1], LINES[0]],
      reason: 'r',
      note: 'two\nlines',
      key: 'k',
    });
  });

  it('makes the key of its words', () => {
    const { lines, reason, note, key } = readReturn({ lines: LINES, reason: 'r' });
    expect(key).toBe(requestKey(undefined, ['returned', lines, reason, note]));
  });

  it('gives the same words the same key, and other words another one', () => {
    const key = (more: object) => readReturn({ lines: LINES, reason: 'r', ...more }).key;
    expect(key({ lines: LINES.toReversed(), note: ' ' })).toBe(key({}));
    expect(
      new Set([key({}), key({ reason: 's' }), key({ note: 'n' }), key({ lines: [LINES[0]] })]).size,
    ).toBe(4);
  });

  it('makes the key of the store’s own id, apart from all other keys', () => {
    const key = (more: object) => readReturn({ lines: LINES, reason: 'r', ...more }).key;
    const own = readReturn({ lines: LINES, reason: 'r', key: 'k', storeReturnId: 'R1' });
    expect(own).toMatchObject({ lines: [LINES[1], LINES[0]], reason: 'r', note: null, storeReturnId: 'R1' });
    expect(key({ storeReturnId: 'R1', reason: 'other' })).toBe(own.key);
    expect(new Set([own.key, key({ storeReturnId: 'R2' }), key({ key: 'R1' }), key({})]).size).toBe(4);
    expect(own.key).toBe(requestKey(undefined, ['store', 'R1']));
  });

  it.each([
    [{ lines: [] }, 'Name at least one unit that comes back.'],
    [{ reason: ' ' }, 'The reason must not be empty.'],
    [{ reason: 'x'.repeat(201) }, 'The reason must have at most 200 characters.'],
    [{ note: 'x'.repeat(501) }, 'The note must have at most 500 characters.'],
    [{ key: 'x'.repeat(101) }, 'The key must have at most 100 characters.'],
  ])('refuses %j', (wrong, message) => {
    expect(refusal(() => readReturn({ lines: LINES, reason: 'r', ...wrong }))).toEqual([
      'invalid_value',
      message,
    ]);
  });
});

describe('isSameReturn', () => {
  const existing = { lines: [LINES[1]!, LINES[0]!], reason: 'r', note: null };

  it.each([
    [true, {}],
    [true, { reason: ' r ', note: ' ', key: 'k', storeReturnId: 'R1' }],
    [false, { reason: 's' }],
    [false, { note: 'n' }],
    [false, { lines: [LINES[0]!] }],
    [false, { lines: [LINES[0]!, { line: 1, quantity: 2 }] }],
    [false, { lines: [LINES[0]!, { line: 3, quantity: 3 }] }],
  ])('is %s for %j', (isSame, input) => {
    expect(isSameReturn(existing, { lines: LINES, reason: 'r', ...input })).toBe(isSame);
  });
});

const REQUESTED = [
  { line: 1, quantity: 3 },
  { line: 4, quantity: 1 },
];

const TWICE = [
  { line: 1, quantity: 1 },
  { line: 1, quantity: 1 },
];

describe('receivedUnits', () => {
  it('takes everything as received, and restocks only what is named', () => {
    expect(receivedUnits(REQUESTED, { restock: [{ line: 1, quantity: 2 }] })).toEqual([
      { line: 1, received: 3, restocked: 2 },
      { line: 4, received: 1, restocked: 0 },
    ]);
  });

  it('may restock everything', () => {
    expect(receivedUnits(REQUESTED, { restock: REQUESTED })).toEqual([
      { line: 1, received: 3, restocked: 3 },
      { line: 4, received: 1, restocked: 1 },
    ]);
  });

  it('takes the named units as received, and none of the others', () => {
    expect(receivedUnits(REQUESTED, { lines: [{ line: 4, quantity: 1 }], restock: [] })).toEqual([
      { line: 1, received: 0, restocked: 0 },
      { line: 4, received: 1, restocked: 0 },
    ]);
  });

  it.each([
    [
      { lines: [], restock: [] },
      'invalid_value',
      'Name the units that came. If none came, refuse the return.',
    ],
    [{ lines: [{ line: 2, quantity: 1 }], restock: [] }, 'invalid_value', 'The return has no line 2.'],
    [{ restock: [{ line: 2, quantity: 1 }] }, 'invalid_value', 'The return has no line 2.'],
    [{ lines: TWICE, restock: [] }, 'invalid_value', 'Line 1 is named twice.'],
    [{ restock: TWICE }, 'invalid_value', 'Line 1 is named twice.'],
    [
      { restock: [{ line: 4, quantity: 2 }] },
      'conflict',
      'Only 1 unit of line 4 can come back with this return.',
    ],
    [
      { lines: [{ line: 1, quantity: 1 }], restock: [{ line: 4, quantity: 1 }] },
      'conflict',
      'No unit of line 4 arrived, so 1 cannot be restocked.',
    ],
  ])('refuses %j', (receipt, code, message) => {
    expect(refusal(() => receivedUnits(REQUESTED, receipt))).toEqual([code, message]);
  });
});

describe('lineQuantitiesText', () => {
  it('is what is read', () => {
    expect(formatLineQuantities(REQUESTED)).toBe('1=3 4=1');
    expect(parseLineQuantities([formatLineQuantities(REQUESTED)])).toEqual(REQUESTED);
  });
});
