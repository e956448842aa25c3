import * as fc from 'fast-check';
import { dayAt } from '../../../platform/time/time.js';
import {
  isNumberOf,
  newOrderNumber,
  newReturnNumber,
  normaliseOrderNumber,
  normaliseReturnNumber,
  normaliseTestOrderNumber,
  numberEnd,
  readNumberEnd,
} from './order-number.js';

const NUMBER = 'WO-20261231-7K3QZ-01MXA';

describe('newOrderNumber', () => {
  it('contains the day in UTC and ten unambiguous characters', () => {
    expect(newOrderNumber('2026-12-31')).toMatch(/^WO-20261231-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  it('uses the whole alphabet and does not repeat numbers', () => {
    const numbers = Array.from({ length: 2_000 }, () => newOrderNumber('2026-12-31'));
    expect(new Set(numbers).size).toBe(2_000);
    expect(new Set(numbers.map((number) => number.slice(12).replace('-', '')).join('')).size).toBe(32);
  });
});

describe('normaliseOrderNumber', () => {
  it.each([
    ['as it is', NUMBER],
    ['in lower case', 'wo-20261231-7k3qz-01mxa'],
    ['without hyphens', 'WO202612317K3QZ01MXA'],
    ['with spaces', '  WO 20261231 7K3QZ 01MXA '],
    ['with letters heard as digits', 'WO-2O26I23l-7K3QZ-olMXA'],
    ['with a zero for the O in front', 'W0-20261231-7K3QZ-01MXA'],
  ])('recognises a number %s', (_, text) => {
    expect(normaliseOrderNumber(text)).toBe(NUMBER);
  });

  it.each([
    '',
    'WO-20261231',
    'WO-20261231-7K3QZ-01MX',
    'WO-20261231-7K3QZ-01MXAB',
    'WO-20261231-7K3QZ-01MXU',
    'XX-20261231-7K3QZ-01MXA',
    'NOWO-20261231-7K3QZ-01MXA',
    'WO-2026123A-7K3QZ-01MXA',
    'WO_20261231_7K3QZ_01MXA',
    '#1001',
  ])('does not recognise %j', (text) => {
    expect(normaliseOrderNumber(text)).toBeNull();
  });

  it('keeps every number that the service created', () => {
    const noInvalidDate = { noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') };
    fc.assert(
      fc.property(fc.date(noInvalidDate), (now) => {
        const number = newOrderNumber(dayAt(now, 'UTC'));
        expect(normaliseOrderNumber(number)).toBe(number);
        expect(normaliseOrderNumber(number.toLowerCase().replaceAll('-', ''))).toBe(number);
      }),
    );
  });
});

describe('readNumberEnd', () => {
  it.each(['7K3QZ-01MXA', '7k3qz01mxa', ' 7K3QZ olmxa '])('reads the end of a number as %j', (text) => {
    expect(readNumberEnd(text)).toBe('7K3QZ-01MXA');
    expect(isNumberOf(NUMBER, text)).toBe(true);
    expect(isNumberOf(NUMBER.replace('MXA', 'MXB'), text)).toBe(false);
  });

  it.each(['', '7K3QZ', '7K3QZ-01MX', '7K3QZ-01MXU', 'A-7K3QZ-01MXA', NUMBER])('reads none in %j', (text) => {
    expect(readNumberEnd(text)).toBeNull();
    expect(isNumberOf(NUMBER, text)).toBe(text === NUMBER);
  });
});

describe('The number of a test order', () => {
  it('is read like the number of an order, and is none', () => {
    expect(normaliseTestOrderNumber(' test 20261231 7k3qz olmxa')).toBe('TEST-20261231-7K3QZ-01MXA');
    for (const text of [NUMBER, 'NOTEST-20261231-7K3QZ-01MXA', 'TEST-20261231-7K3QZ-01MXAB'])
      expect(normaliseTestOrderNumber(text)).toBeNull();
    expect(normaliseOrderNumber('TEST-20261231-7K3QZ-01MXA')).toBeNull();
  });
});

describe('The number of a return', () => {
  it('is made and read like the number of an order, and is none', () => {
    const number = newReturnNumber('2026-12-31');
    expect(number).toMatch(/^RT-20261231-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(normaliseReturnNumber(` ${number.toLowerCase().replaceAll('-', ' ')}`)).toBe(number);
    expect(normaliseReturnNumber('rt2o26l23l7k3qzo1mxa')).toBe('RT-20261231-7K3QZ-01MXA');
    expect(normaliseReturnNumber(`${number}A`)).toBeNull();
    expect(normaliseReturnNumber(`A${number}`)).toBeNull();
    expect(normaliseOrderNumber(number)).toBeNull();
    expect(normaliseReturnNumber(NUMBER)).toBeNull();
  });
});

it('The end of a number has an expression in SQL, which the indexes have too', () => {
  expect(numberEnd('o.order_number')).toBe('right(o.order_number, 11)');
});
