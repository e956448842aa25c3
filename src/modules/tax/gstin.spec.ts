import { OTHER_NAMES, STATES } from './gst-codes.js';
import {
  checkGstCategory,
  panOf,
  parseClientGstin,
  parseGstin,
  stateForGstin,
  stateInAddress,
  stateName,
  parseState,
  isUin,
} from './gstin.js';

const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_value' });
    return (error as Error).message;
  }
  return undefined;
};

const SHAPE = 'The GSTIN must have 15 characters like 27AAPFU0939F1ZV.';

describe('readGstin', () => {
  it.each(['27AAPFU0939F1ZV', '07AAACR5055K1Z9', '24AAACC1206D1ZM', '37AADCB2230M2ZR', '29AAGCB7383J1Z4'])(
    'accepts %s',
    (gstin) => expect(parseGstin(gstin)).toBe(gstin),
  );

  it('ignores blanks and case', () => {
    expect(parseGstin(' 27 aapfu 0939 f1zv ')).toBe('27AAPFU0939F1ZV');
  });

  it.each([
    ['', 'nothing'],
    ['27AAPFU0939F1Z', 'a missing character'],
    ['27AAPFU0939F1ZVV', 'a character too many behind'],
    ['127AAPFU0939F1ZV', 'a character too many before'],
    ['2AAAPFU0939F1ZV', 'a letter in the state'],
    ['2701PFU0939F1ZV', 'digits in the PAN’s letters'],
    ['27AAPF90939F1ZV', 'a digit as the last letter of the PAN'],
    ['27AAPFUA939F1ZV', 'a letter in the PAN’s number'],
    ['27AAPFU093AF1ZV', 'a letter as its last digit'],
    ['27AAPFU093991ZV', 'a digit at the end of the PAN'],
    ['27AAPFU0939F0ZV', 'registration number 0'],
    ['27AAPFU0939F1KV', 'an unknown kind of registration'],
    ['27AAPFU0939F10V', 'kind 0'],
    ['27AAPFU0939F1Z-', 'a dash as check character'],
  ])('refuses %s: %s', (gstin) => expect(refusal(() => parseGstin(gstin))).toBe(SHAPE));

  it.each(['00', '25', '28', '39', '96', '99'])('refuses the state code %s', (code) => {
    expect(refusal(() => parseGstin(`${code}AAPFU0939F1ZV`))).toBe(
      `The GSTIN begins with ${code}, which is no state code.`,
    );
  });

  it('notices a wrong character and swapped neighbours', () => {
    const right = '27AAPFU0939F1ZV';
    const wrong = 'The GSTIN is mistyped: its last character does not fit the others.';
    expect(refusal(() => parseGstin('27AAPFU0939F1ZW'))).toBe(wrong);
    expect(refusal(() => parseGstin('27AAPFU0938F1ZV'))).toBe(wrong);
    expect(refusal(() => parseGstin('27APAFU0939F1ZV'))).toBe(wrong);
    expect(refusal(() => parseGstin('27AAPFU0993F1ZV'))).toBe(wrong);
    for (const last of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.replace('V', ''))
      expect(refusal(() => parseGstin(right.slice(0, 14) + last))).toBe(wrong);
  });

  it('knows check character 0', () => {
    expect(parseGstin('33AAACH7412G1Z0')).toBe('33AAACH7412G1Z0');
  });
});

/** By PAN, by TAN, and registered by TAN. */
const DEPARTMENTS = ['29AAAGD0584M1DE', '29BLRA12345B1DP', '29BLRA12345B1ZG'];
const EMBASSIES = ['0717UNO00157UNO', '2917FRA00001ONA'];

describe('The number of a client', () => {
  it.each(['27AAPFU0939F1ZV', ...DEPARTMENTS, ...EMBASSIES])('may be %s', (gstin) => {
    expect(parseClientGstin(` ${gstin.toLowerCase()}`)).toBe(gstin);
  });

  it.each([
    ...EMBASSIES.flatMap((uin) => [`${uin}1`, `1${uin}`, uin.slice(0, 12) + 'AN1', uin.slice(0, 13) + 'X1']),
    '07A7UNO00157UNO',
    '0717UN100157UNO',
    '0717UNO0015AUNO',
    '0717UNO00157UN-',
    ...DEPARTMENTS.flatMap((one) => [`${one}1`, `1${one}`, one.slice(0, 14) + '-']),
    '29BL1A12345B1D2',
    '29BLRA123451D12',
    '29BLRA12345B0D2',
    '29BLRA1234BB1D2',
    '29BLRA12345BAZ3',
    '29BLRA12345B1X3',
  ])('is not %s', (gstin) => expect(refusal(() => parseClientGstin(gstin))).toBe(SHAPE));

  it('tells an embassy from a company', () => {
    expect(['0717UNO00157UNO', '29AAGCB7383J1Z4'].map((number) => isUin(number))).toEqual([true, false]);
  });

  it('has its check character and its state; that of an embassy only the state', () => {
    for (const one of DEPARTMENTS)
      expect(refusal(() => parseClientGstin(one.slice(0, 14) + 'K'))).toContain('is mistyped');
    expect(parseClientGstin('0717UNO00157UN1')).toBe('0717UNO00157UN1');
    expect(refusal(() => parseClientGstin('9917UNO00157UNO'))).toContain('begins with 99');
  });

  it.each([
    [null, ['27AAPFU0939F1ZV', null], 'A UIN, or the GSTIN of a department, needs its GST category.'],
    ['sez', ['27AAPFU0939F1ZV'], 'A unit or developer of a special economic zone needs its ordinary GSTIN.'],
    [
      'government',
      [...DEPARTMENTS, null],
      'A department has no GSTIN, or that of a tax deductor. With an ordinary GSTIN, choose no category.',
    ],
    [
      'uin',
      EMBASSIES,
      'An embassy or UN body needs its UIN of 15 characters, such as 0717UNO00157UNO, as its GSTIN.',
    ],
  ] as const)('fits the category %s', (category, fitting, message) => {
    // The ordinary format has the letter of a deductor too.
    const all = ['27AAPFU0939F1ZV', ...DEPARTMENTS.slice(1), ...EMBASSIES, null];
    for (const gstin of fitting) expect(refusal(() => checkGstCategory(category, gstin))).toBeUndefined();
    const others = all.filter((gstin) => !(fitting as readonly (string | null)[]).includes(gstin));
    expect(others.length).toBeGreaterThan(2);
    for (const gstin of others) expect(refusal(() => checkGstCategory(category, gstin))).toBe(message);
  });

  it.each([
    ['27AAPFU0939F1ZV', 'AAPFU0939F'],
    [DEPARTMENTS[0]!, 'AAAGD0584M'],
    [DEPARTMENTS[1]!, undefined],
    [EMBASSIES[0]!, undefined],
    [null, undefined],
  ])('%s has the PAN %s', (gstin, pan) => expect(panOf(gstin)).toBe(pan));
});

describe('stateOf', () => {
  it.each([...STATES])('finds %s by its code and as %s', (code, name) => {
    expect(parseState(code)).toBe(code);
    expect(parseState(name)).toBe(code);
  });

  it.each([
    [' 27 ', '27'],
    ['7', '07'],
    ['jammu & kashmir', '01'],
    ['TAMILNADU', '33'],
    ['Dadra & Nagar Haveli', '26'],
    ['west-bengal ', '19'],
  ])('reads %j as %s', (text, code) => expect(parseState(text)).toBe(code));

  it('suggests the state that is meant', () => {
    expect(refusal(() => parseState(' Maharastra'))).toBe(
      'The state "Maharastra" is unknown. Did you mean Maharashtra (27)?',
    );
    expect(refusal(() => parseState('Karnatak'))).toContain('Did you mean Karnataka (29)?');
  });

  it.each(['', '0', '28', '127', 'Bavaria'])('explains what a state is for %j', (text) => {
    expect(refusal(() => parseState(text))).toBe(
      'The state must be an Indian state: its name, such as Maharashtra, or its GST code, such as 27.',
    );
  });

  it('has every state once', () => {
    expect(STATES.size).toBe(37);
    expect(new Set(STATES.values()).size).toBe(37);
    expect(stateName('27')).toBe('Maharashtra (27)');
  });
});

describe('The state in an address', () => {
  it.each([
    ['Karnataka', '29'],
    ['Karnatka', '29'],
    ['KA', '29'],
    [' ka. ', '29'],
    ['29', '29'],
    ['Kerela', '32'],
    ['Orissa', '21'],
    ['J & K', '01'],
    ['New Delhi', '07'],
    ['Bavaria', undefined],
    ['', undefined],
  ])('%j is %s', (text, code) => expect(stateInAddress(text)).toBe(code));

  it('has no name twice', () => {
    const all = [...OTHER_NAMES.flatMap(([, ...names]) => names), ...STATES.values()];
    expect(new Set(all).size).toBe(all.length);
    for (const [code, ...names] of OTHER_NAMES) {
      expect(STATES.has(code)).toBe(true);
      for (const name of names) expect(parseState(name)).toBe(code);
    }
  });
});

describe('stateBeside', () => {
  it('follows from the GSTIN', () => {
    expect(stateForGstin('27AAPFU0939F1ZV', null)).toBe('27');
    expect(stateForGstin('27AAPFU0939F1ZV', '27')).toBe('27');
    expect(stateForGstin(null, '29')).toBe('29');
    expect(stateForGstin(null, null)).toBeNull();
  });

  it('cannot be another one', () => {
    expect(refusal(() => stateForGstin('27AAPFU0939F1ZV', '29'))).toBe(
      'The GSTIN belongs to Maharashtra (27), not to Karnataka (29). Correct one of them.',
    );
  });
});
