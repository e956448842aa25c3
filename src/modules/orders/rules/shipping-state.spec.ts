import { readState, stateFault } from './shipping-state.js';

describe('The state of a delivery', () => {
  it.each([
    ['MH', undefined, 'Maharashtra'],
    ['27', 'India', 'Maharashtra'],
    ['Maharastra', 'IN', 'Maharashtra'],
    [' orissa', 'bharat', 'Odisha'],
    ['Bavaria', undefined, 'Bavaria'],
    ['MH', 'Nepal', 'MH'],
  ])('%j in %s is kept as %s', (text, country, kept) => expect(readState(text, country)).toBe(kept));

  it.each([
    ['Bavaria', '560038', '; 560038 is in Karnataka'],
    ['-', ' 403001 ', '; 403001 is in Maharashtra or Goa'],
    ['कर्नाटक', '903001', ''],
    ['IN-KA', '', ''],
  ])('%j beside %j has a fault within India', (state, pincode, near) => {
    const fault = `is not the name or code of an Indian state${near}`;
    expect(stateFault({ state, pincode })).toBe(fault);
    expect(stateFault({ state, pincode, country: 'Nepal' })).toBeUndefined();
  });

  it.each(['KA', '29', 'Karnatka', 'Other Territory'])('%s has none', (state) => {
    expect(stateFault({ state, pincode: '560038' })).toBeUndefined();
  });
});
