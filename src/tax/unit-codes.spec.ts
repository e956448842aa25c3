import { UNIT_CODES } from './gst-codes.js';
import { unitCodeFault } from './unit-codes.js';

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
