import { type GstCategory, OTHER_NAMES, STATES } from './gst-codes.js';
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

describe('A GSTIN', () => {
  it.each([
    ['27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
    ['37AADCB2230M2ZR', '37AADCB2230M2ZR'],
    ['33AAACH7412G1Z0', '33AAACH7412G1Z0'],
    [' 27 aapfu 0939 f1zv ', '27AAPFU0939F1ZV'],
  ])('is read from %j', (text, gstin) => expect(parseGstin(text)).toBe(gstin));

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
  ])('is not %j: %s', (text) => expect(refusal(() => parseGstin(text))).toBe(SHAPE));

  it.each(['00', '25', '28', '39', '96', '99'])('does not begin with %s', (code) => {
    const message = `The GSTIN begins with ${code}, which is no state code.`;
    expect(refusal(() => parseGstin(`${code}AAPFU0939F1ZV`))).toBe(message);
  });

  const swapped = ['27AAPFU0938F1ZV', '27APAFU0939F1ZV', '27AAPFU0993F1ZV'];
  const lastOnes = [...'0123456789ABCDEFGHIJKLMNOPQRSTUWXYZ'].map((last) => `27AAPFU0939F1Z${last}`);

  it.each([...swapped, ...lastOnes])('is mistyped as %s', (text) => {
    const message = 'The GSTIN is mistyped: its last character does not fit the others.';
    expect(refusal(() => parseGstin(text))).toBe(message);
  });
});

/** By PAN, by TAN, and registered by TAN. */
const DEPARTMENTS = ['29AAAGD0584M1DE', '29BLRA12345B1DP', '29BLRA12345B1ZG'];
const EMBASSIES = ['0717UNO00157UNO', '2917FRA00001ONA'];

describe('The number of a client', () => {
  it.each(['27AAPFU0939F1ZV', ...DEPARTMENTS, ...EMBASSIES])('may be %s', (gstin) => {
    expect(parseClientGstin(` ${gstin.toLowerCase()}`)).toBe(gstin);
  });

  const mistypedUins = ['07A7UNO00157UNO', '0717UN100157UNO', '0717UNO0015AUNO', '0717UNO00157UN-'];
  const mistypedTans = ['29BL1A12345B1D2', '29BLRA123451D12', '29BLRA12345B0D2', '29BLRA1234BB1D2'];

  it.each([
    ...EMBASSIES.flatMap((uin) => [`${uin}1`, `1${uin}`, `${uin.slice(0, 12)}AN1`, `${uin.slice(0, 13)}X1`]),
    ...DEPARTMENTS.flatMap((one) => [`${one}1`, `1${one}`, `${one.slice(0, 14)}-`]),
    ...mistypedUins,
    ...mistypedTans,
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

  const ORDINARY = '27AAPFU0939F1ZV';

  it.each<[GstCategory | null, (string | null)[], string]>([
    [null, [ORDINARY, null], 'A UIN, or the GSTIN of a department, needs its GST category.'],
    ['sez', [ORDINARY], 'A unit or developer of a special economic zone needs its ordinary GSTIN.'],
    ['government', [...DEPARTMENTS, null], 'A department has no GSTIN, or that of a tax deductor.'],
    ['uin', EMBASSIES, 'An embassy or UN body needs its UIN of 15 characters'],
  ])('fits the category %s', (category, fitting, message) => {
    // The ordinary format has the letter of a deductor too.
    for (const gstin of [ORDINARY, ...DEPARTMENTS.slice(1), ...EMBASSIES, null]) {
      const fault = refusal(() => checkGstCategory(category, gstin));
      if (fitting.includes(gstin)) expect(fault).toBeUndefined();
      else expect(fault).toContain(message);
    }
  });

  it.each([
    ['27AAPFU0939F1ZV', 'AAPFU0939F'],
    [DEPARTMENTS[0]!, 'AAAGD0584M'],
    [DEPARTMENTS[1]!, undefined],
    [EMBASSIES[0]!, undefined],
    [null, undefined],
  ])('%s has the PAN %s', (gstin, pan) => expect(panOf(gstin)).toBe(pan));

  it.each([
    ['27AAPFU0939F1ZV', null, '27'],
    ['27AAPFU0939F1ZV', '27', '27'],
    [null, '29', '29'],
    [null, null, null],
  ])('%s beside the state %s is in the state %s', (gstin, given, state) => {
    expect(stateForGstin(gstin, given)).toBe(state);
  });

  it('does not fit another state', () => {
    expect(refusal(() => stateForGstin('27AAPFU0939F1ZV', '29'))).toBe(
      'The GSTIN belongs to Maharashtra (27), not to Karnataka (29). Correct one of them.',
    );
  });
});

describe('A state', () => {
  it.each([...STATES])('is found by its code %s, and as %s', (code, name) => {
    expect([parseState(code), parseState(name)]).toEqual([code, code]);
  });

  it.each([
    [' 27 ', '27'],
    ['7', '07'],
    ['jammu & kashmir', '01'],
    ['TAMILNADU', '33'],
    ['Dadra & Nagar Haveli', '26'],
    ['west-bengal ', '19'],
  ])('is read from %j: %s', (text, code) => expect(parseState(text)).toBe(code));

  it.each([
    [' Maharastra', 'The state "Maharastra" is unknown. Did you mean Maharashtra (27)?'],
    ['Karnatak', 'The state "Karnatak" is unknown. Did you mean Karnataka (29)?'],
  ])('is suggested for %j', (text, message) => expect(refusal(() => parseState(text))).toBe(message));

  it.each(['', '0', '28', '127', 'Bavaria'])('is explained for %j', (text) => {
    expect(refusal(() => parseState(text))).toBe(
      'The state must be an Indian state: its name, such as Maharashtra, or its GST code, such as 27.',
    );
  });

  it('has no name twice', () => {
    expect([STATES.size, stateName('27')]).toEqual([37, 'Maharashtra (27)']);
    const names = [...OTHER_NAMES.flatMap(([, ...others]) => others), ...STATES.values()];
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(OTHER_NAMES)('with the code %s has other names', (code, ...names) => {
    expect(STATES.has(code)).toBe(true);
    expect(names.map(parseState)).toEqual(names.map(() => code));
  });

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
  ])('in an address is %j: %s', (text, code) => expect(stateInAddress(text)).toBe(code));
});
