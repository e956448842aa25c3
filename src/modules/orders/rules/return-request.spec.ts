import { units } from '../../../../test/support/line-units.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { requestKey } from './order-steps.js';
import { formatLineQuantities, parseLineQuantities, receivedUnits } from './order-units.js';
import {
  formatReturnState,
  isReceived,
  isSameReturn,
  isWithdrawable,
  readAcceptance,
  readReturn,
  receivedState,
  RETURN_STATES,
  rtoKey,
  WITHDRAWN,
} from './return-request.js';

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
  it('names its parcel, or all of them as a pattern', () => {
    expect([rtoKey(2), rtoKey('%')]).toEqual(['rto of parcel 2', 'rto of parcel %']);
  });

  it.each([
    [true, 'requested', 'k'],
    [false, 'received', 'k'],
    [false, 'requested', rtoKey(2)],
  ] as const)('lets a client withdraw: %s for a return that is %s, with the key %s', (may, state, key) => {
    expect(isWithdrawable({ state, key })).toBe(may);
  });
});

describe('The acceptance of a return', () => {
  const TODAY = '2026-11-28';
  const read = (sendTo: string, sendBy: string) => readAcceptance({ sendTo, sendBy }, TODAY);

  it('has an address of one or more lines, and a last day from today on', () => {
    const short = { sendTo: 'Acme\nPune 411001', sendBy: TODAY };
    expect(read(' Acme\r\nPune 411001 ', ` ${TODAY}`)).toEqual(short);
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
});

describe('The state of a return', () => {
  const ALL = { quantity: 2, received: 2 };

  it.each([
    ['received', [ALL, ALL]],
    ['partly_received', [ALL, { quantity: 2, received: 1 }]],
    ['partly_received', [{ quantity: 1, received: null }, ALL]],
  ])('is %s after these units came: %j', (state, lines) => {
    expect(receivedState(lines)).toBe(state);
  });

  it('is received with all units or with some, in words for people', () => {
    expect(RETURN_STATES.filter(isReceived)).toEqual(['received', 'partly_received']);
    const usual = ['requested', 'received', 'partly received', 'refused'];
    expect(RETURN_STATES.map((state) => formatReturnState(state))).toEqual(usual);
    expect(WITHDRAWN).toBe('Withdrawn by the client');
    const withdrawn = RETURN_STATES.map((state) => formatReturnState(state, WITHDRAWN));
    expect(withdrawn).toEqual([...usual.slice(0, 3), 'withdrawn']);
  });
});

const LINES = units('2=1 1=3');
const INPUT = { lines: LINES.toReversed(), reason: 'r' };

describe('A request for a return', () => {
  const keyOf = (more: object) => readReturn({ ...INPUT, ...more }).key;

  it('has sorted lines and trimmed words', () => {
    const read = readReturn({ ...INPUT, reason: ' r ', note: ' two\nlines ', key: ' k ' });
    expect(read).toEqual({ lines: LINES, reason: 'r', note: 'two\nlines', key: 'k' });
  });

  it('has the same key for the same words, and another one for other words', () => {
    expect(keyOf({})).toBe(requestKey(undefined, ['returned', LINES, 'r', null]));
    expect(keyOf({ lines: LINES, note: ' ' })).toBe(keyOf({}));
    const others = [{ reason: 's' }, { note: 'n' }, { lines: units('1=3') }, { storeReturnId: 'R1' }];
    expect(new Set([{}, ...others].map(keyOf)).size).toBe(5);
  });

  it('has the key of the store’s own id, apart from all other keys', () => {
    const own = readReturn({ ...INPUT, key: 'k', storeReturnId: 'R1' });
    const key = requestKey(undefined, ['store', 'R1']);
    expect(own).toEqual({ lines: LINES, reason: 'r', note: null, storeReturnId: 'R1', key });
    expect(keyOf({ storeReturnId: 'R1', reason: 'other' })).toBe(key);
    expect([keyOf({ storeReturnId: 'R2' }), keyOf({ key: 'R1' })]).not.toContain(key);
  });

  it.each([
    [{ lines: [] }, 'Name at least one unit that comes back.'],
    [{ reason: ' ' }, 'The reason must not be empty.'],
    [{ reason: 'x'.repeat(201) }, 'The reason must have at most 200 characters.'],
    [{ note: 'x'.repeat(501) }, 'The note must have at most 500 characters.'],
    [{ key: 'x'.repeat(101) }, 'The key must have at most 100 characters.'],
  ])('is refused: %j', (wrong, message) => {
    expect(refusal(() => readReturn({ ...INPUT, ...wrong }))).toEqual(['invalid_value', message]);
  });

  it.each([
    [true, {}],
    [true, { reason: ' r ', note: ' ', key: 'k', storeReturnId: 'R1' }],
    [false, { reason: 's' }],
    [false, { note: 'n' }],
    [false, { lines: units('2=1 3=3') }],
  ])('asks for the same return: %s with %j', (isSame, input) => {
    expect(isSameReturn({ lines: LINES, reason: 'r', note: null }, { ...INPUT, ...input })).toBe(isSame);
  });
});

describe('The received units of a return', () => {
  const REQUESTED = units('1=3 4=1');
  const received = (line: number, count: number, restocked: number) => ({ line, received: count, restocked });

  it.each([
    ['all, and only some for sale again', { restock: units('1=2') }, [received(1, 3, 2), received(4, 1, 0)]],
    ['all for sale again', { restock: REQUESTED }, [received(1, 3, 3), received(4, 1, 1)]],
    ['those that are named', { lines: units('4=1'), restock: [] }, [received(1, 0, 0), received(4, 1, 0)]],
  ])('are %s', (_, receipt, lines) => {
    expect(receivedUnits(REQUESTED, receipt)).toEqual(lines);
  });

  const NONE_CAME = 'Name the units that came. If none came, refuse the return.';
  const TWICE = [...units('1=1'), ...units('1=1')];
  const RESTOCKED = { lines: units('1=1'), restock: units('4=1') };

  it.each([
    ['invalid_value', NONE_CAME, { lines: [], restock: [] }],
    ['invalid_value', 'The return has no line 2.', { lines: units('2=1'), restock: [] }],
    ['invalid_value', 'Line 1 is named twice.', { lines: TWICE, restock: [] }],
    ['conflict', 'Only 1 unit of line 4 can come back with this return.', { restock: units('4=2') }],
    ['conflict', 'No unit of line 4 arrived, so 1 cannot be restocked.', RESTOCKED],
  ])('are refused: %s, %s', (code, message, receipt) => {
    expect(refusal(() => receivedUnits(REQUESTED, receipt))).toEqual([code, message]);
  });

  it('are written as they are read', () => {
    expect(formatLineQuantities(REQUESTED)).toBe('1=3 4=1');
    expect(parseLineQuantities(['1=3 4=1'])).toEqual(REQUESTED);
  });
});
