import { STATES } from '../../modules/tax/gst-codes.js';
import { isPincode, mayHavePin, readPincode, statesOfPin } from './pin-codes.js';

describe('A PIN code', () => {
  it.each([
    ['Karnataka', '560038'],
    ['Telangana', '500001'],
    ['Jammu and Kashmir', '190001'],
    ['West Bengal', '734001'],
    ['Goa', '403001'],
    ['Chandigarh', '160017'],
    ['Karnataka', '903001'],
    // A post office of every other state.
    ['Himachal Pradesh', '171001'],
    ['Punjab', '141001'],
    ['Uttarakhand', '248001'],
    ['Haryana', '122001'],
    ['Delhi', '110001'],
    ['Rajasthan', '302001'],
    ['Uttar Pradesh', '226001'],
    ['Bihar', '800001'],
    ['Sikkim', '737101'],
    ['Arunachal Pradesh', '791111'],
    ['Arunachal Pradesh', '786630'],
    ['Nagaland', '797001'],
    ['Manipur', '795001'],
    ['Mizoram', '796001'],
    ['Tripura', '799001'],
    ['Meghalaya', '793001'],
    ['Meghalaya', '783123'],
    ['Assam', '781001'],
    ['Jharkhand', '834001'],
    ['Odisha', '751001'],
    ['Chhattisgarh', '492001'],
    ['Madhya Pradesh', '462001'],
    ['Gujarat', '380001'],
    ['Dadra and Nagar Haveli and Daman and Diu', '396230'],
    ['Maharashtra', '400001'],
    ['Lakshadweep', '682555'],
    ['Kerala', '695001'],
    ['Tamil Nadu', '600001'],
    ['Puducherry', '605001'],
    ['Andaman and Nicobar Islands', '744101'],
    ['Andhra Pradesh', '520001'],
    ['Ladakh', '194101'],
    ['Atlantis', '110001'],
  ])('of %s may be %s', (state, pincode) => expect(mayHavePin(state, pincode)).toBe(true));

  it.each(
    Object.entries({ Kerala: '560038', Delhi: '400001', Karnataka: '110001', 'Jammu and Kashmir': '110001' }),
  )('of %s is not %s', (state, pincode) => expect(mayHavePin(state, pincode)).toBe(false));

  it('is known of every state', () => {
    const unknown = [...STATES.values()].filter((state) => mayHavePin(state, '000000'));
    expect(unknown).toEqual(['Other Territory']);
  });

  it.each(
    Object.entries({ '560038': ['Karnataka'], '403001': ['Maharashtra', 'Goa'], '903001': [], '-': [] }),
  )('%s is in %j', (pincode, states) => expect(statesOfPin(pincode)).toEqual(states));
});

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
    [' 560038 ', '560038'],
    ['560038', '560038'],
    ['5600 38', '5600 38'],
    ['560.038', '560.038'],
    ['x560 038', 'x560 038'],
    ['560 038x', '560 038x'],
  ])('reads %j in India as %j, and keeps it elsewhere', (text, read) => {
    expect([readPincode(text, undefined), readPincode(text, 'Nepal')]).toEqual([read, text]);
  });
});
