import {
  gstRateFault,
  hsnFault,
  isService,
  missingTaxData,
  RARE_RATE_WARNING,
  RARE_RATES,
  treatmentAt,
  unitCodeFault,
} from './goods-law.js';
import { UNIT_CODES } from './gst-codes.js';

const LAW = { moreGstRates: [], hsnDigits: 4 };
const LARGE = { moreGstRates: [750, 2_200], hsnDigits: 6 };

const NO_RATE = 'must be empty or a rate of GST: 0, 0.1, 0.25, 1.5, 3, 5, 12, 18, 28, 40';

describe('A rate of GST', () => {
  it.each([0, 10, 25, 150, 300, 500, 1_200, 1_800, 2_800, 4_000])('may be %d', (rate) => {
    expect(gstRateFault(rate, LAW)).toBeUndefined();
    expect(gstRateFault(rate, LARGE)).toBeUndefined();
  });

  it.each([
    [18, 'must be in percent: 18, not 0.18'],
    [5, 'must be in percent: 5, not 0.05'],
    [1_337, NO_RATE],
    [8_100, NO_RATE],
    [-500, NO_RATE],
    [750, NO_RATE],
  ])('may not be %d', (rate, fault) => expect(gstRateFault(rate, LAW)).toBe(fault));

  it('is rare since most goods have others', () => {
    expect(RARE_RATES).toEqual([12, 28]);
    expect(RARE_RATE_WARNING).toMatch(/^is rare since 22 September 2025: .* have 18 or 40 %$/);
  });

  it('may be one of the settings', () => {
    expect(gstRateFault(750, LARGE)).toBeUndefined();
    expect(gstRateFault(22, LARGE)).toBe('must be in percent: 22, not 0.22');
    expect(gstRateFault(1, LARGE)).toContain('5, 7.5, 12, 18, 22, 28, 40');
  });
});

describe('The treatment of goods', () => {
  it.each([
    [0, 'exempt', 'exempt'],
    [1, 'exempt', 'taxable'],
    [0, 'taxable', 'taxable'],
  ] as const)('at the rate %s of %s goods is %s', (rate, treatment, expected) => {
    expect(treatmentAt(rate, treatment)).toBe(expected);
  });
});

describe('An HSN code', () => {
  const digits = (lengths: string) =>
    `must be empty or an HSN code of ${lengths} digits. Spreadsheets drop the leading zero`;

  it.each(['', '0101', '6109', '691200', '09024010', '9701', '7801', '7616', '9983', '998314'])(
    'may be %j',
    (code) => expect(hsnFault(code, LAW)).toBeUndefined(),
  );

  it.each([
    ['902', digits('4, 6 or 8')],
    ['69120', digits('4, 6 or 8')],
    ['6912000000', digits('4, 6 or 8')],
    ['tea!', digits('4, 6 or 8')],
    ['x6912', digits('4, 6 or 8')],
    ['x691', digits('4, 6 or 8')],
    ['691x', digits('4, 6 or 8')],
    ['0000', 'must begin with a chapter of the tariff, and 00 is not one'],
    ['7701', 'must begin with a chapter of the tariff, and 77 is not one'],
    ['9801', 'must begin with a chapter of the tariff, and 98 is not one'],
  ])('may not be %j', (code, fault) => expect(hsnFault(code, LAW)).toBe(fault));

  it('has more digits for a large seller', () => {
    expect(hsnFault('6912', LARGE)).toBe(digits('6 or 8'));
    expect(hsnFault('691200', LARGE)).toBeUndefined();
    expect(hsnFault('', LARGE)).toBeUndefined();
  });
});

describe('unitCodeFault', () => {
  it.each([...UNIT_CODES.keys()])('accepts %s', (code) => expect(unitCodeFault(code)).toBeUndefined());

  it.each([
    ['Piece', 'PIECES', 'PCS'],
    ['kilogram', 'KILOGRAMS', 'KGS'],
    ['litre', 'LITRES', 'LTR'],
  ])('names the code that %s means', (text, name, code) =>
    expect(unitCodeFault(text)).toBe(
      `must be empty or a unit quantity code of GST: for ${name} it is ${code}`,
    ),
  );

  it.each(['', 'XYZ', 'nos', 'GGR'])('refuses %j', (text) =>
    expect(unitCodeFault(text)).toBe(
      'must be empty or a unit quantity code of GST, such as NOS, PCS, KGS, BOX or SET',
    ),
  );

  it('has 45 codes of three letters, each with its own name', () => {
    expect(UNIT_CODES.size).toBe(45);
    expect(new Set(UNIT_CODES.values()).size).toBe(45);
    for (const code of UNIT_CODES.keys()) expect(code).toMatch(/^[A-Z]{3}$/);
    for (const name of UNIT_CODES.values()) expect(name).toMatch(/^[A-Z ]{3,}$/);
  });
});

it.each([
  ['9968', true],
  ['996812', true],
  ['6109', false],
  ['610999', false],
])('The code %s is of a service: %s', (hsn, is) => expect(isService(hsn)).toBe(is));

describe('missingTaxData', () => {
  it.each([
    ['6109', 500, undefined],
    ['6109', 0, undefined],
    ['610', 500, 'HSN code of 4 digits or more'],
    ['6109', null, 'GST rate'],
    ['6109', '', 'GST rate'],
    ['', null, 'HSN code of 4 digits or more and GST rate'],
  ])('of %j at %j is %j', (hsn, rate, missing) => expect(missingTaxData({ hsn, rate }, LAW)).toBe(missing));
});
