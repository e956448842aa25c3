import { isPincode, readPincode } from './pincode.js';

describe('isPincode', () => {
  it.each([
    ['560038', undefined],
    [' 560038 ', 'India'],
    ['560038', ' INDIA '],
    ['560038', 'in'],
    ['560038', 'Ind'],
    ['560038', 'Bharat'],
    ['SW1A 1AA', 'United Kingdom'],
    ['1000-205', 'Portugal'],
    ['100', 'Japan'],
    ['123456789012', 'Elsewhere'],
  ])('accepts %s in %s', (text, country) => {
    expect(isPincode(text, country)).toBe(true);
  });

  it.each([
    ['060038', undefined],
    ['56003', undefined],
    ['5600381', undefined],
    ['x560038', 'India'],
    ['560038x', 'India'],
    ['SW1A 1AA', 'in'],
    ['SW1A 1AA', 'ind'],
    ['SW1A 1AA', ' bharat '],
    ['12', 'Nepal'],
    ['1234567890123', 'Nepal'],
    ['12_34', 'Nepal'],
  ])('refuses %s in %s', (text, country) => {
    expect(isPincode(text, country)).toBe(false);
  });
});

describe('readPincode', () => {
  it.each([
    ['560 038', '560038'],
    ['560-038', '560038'],
    ['  560 038  ', '560038'],
    ['560038', '560038'],
    ['5600 38', '5600 38'],
    ['560.038', '560.038'],
    ['x560 038', 'x560 038'],
    ['560 038x', '560 038x'],
  ])('reads %j in India as %j, and keeps it elsewhere', (text, read) => {
    expect([readPincode(text, undefined), readPincode(text, 'Nepal')]).toEqual([read, text]);
  });
});
