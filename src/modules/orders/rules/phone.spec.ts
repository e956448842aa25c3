import { isPhone } from './phone.js';

describe('A phone number', () => {
  it.each([
    '98765 43210',
    '+91 98765 43210',
    '+91-98765-43210',
    '098765 43210',
    '080-2345 6789',
    '(080) 2345 6789',
    '0091 98765 43210',
    '91 98765 43210',
    '+91 (0)98765 43210',
    '+1 415 555 2671',
    '+44 20 7946 0958',
  ])('in India may be %s', (phone) => {
    expect([isPhone(phone, undefined), isPhone(phone, 'IN')]).toEqual([true, true]);
  });

  it.each([
    'call me',
    '12345',
    '0000000000',
    '9876543210 / 9876543211',
    '+91 12345',
    '98765432101',
    '+',
    '५',
  ])('in India is not %s', (phone) => {
    expect(isPhone(phone, 'India')).toBe(false);
  });

  it.each([
    ['01-4412345', true],
    ['+977 1 4412345', true],
    ['1234567', true],
    ['123456', false],
    ['1234567890123456', false],
    ['1234+567', false],
    ['none', false],
  ])('elsewhere has 7 to 15 digits: %s', (phone, isOne) => {
    expect(isPhone(phone, 'Nepal')).toBe(isOne);
  });
});
