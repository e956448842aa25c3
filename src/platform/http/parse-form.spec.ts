import fc from 'fast-check';
import { parseForm } from './parse-form.js';

const parse = (text: string) => parseForm(Buffer.from(text, 'latin1'));

describe('parseForm', () => {
  it('keeps names with brackets', () => {
    expect(parse('error[code]=BAD&error%5Bdescription%5D=Not+enough%20money')).toEqual({
      'error[code]': 'BAD',
      'error[description]': 'Not enough money',
    });
  });

  it('makes a list of repeated names', () => {
    expect(parse('order=1&order=2&order=3&total=5')).toEqual({ order: ['1', '2', '3'], total: '5' });
  });

  it('reads every form that URLSearchParams can write', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one.isWellFormed());
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 100 }),
        (pairs) => {
          const sent = new URLSearchParams(pairs).toString();
          expect(Object.entries(parse(sent)).toSorted()).toEqual(pairs.toSorted());
        },
      ),
    );
  });

  it('treats __proto__ and constructor as ordinary names', () => {
    const fields = parse('__proto__=1&constructor=2');
    expect(Object.entries(fields)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it.each([
    ['an incomplete percent escape', 'a=%ZZ', 'malformed_request'],
    ['invalid UTF-8', 'a=%ff', 'malformed_request'],
    ['half of a surrogate pair', 'a=%ED%A0%80', 'malformed_request'],
    ['a byte beyond ASCII', 'a=\u00e9', 'malformed_request'],
    ['NUL', 'a=%00', 'malformed_request'],
    ['more than 250 fields', Array.from({ length: 251 }, (_, n) => `f${n}=1`).join('&'), 'body_too_complex'],
  ])('refuses %s', (_, text, code) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code }));
  });
});
