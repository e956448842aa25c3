import { supplyOf } from './supply.js';

const CLIENT = {
  id: 3,
  name: 'Asha',
  gstin: null,
  gstCategory: null,
  state: '29',
  billingAddress: 'Pune',
};
const REGISTERED = { ...CLIENT, gstin: '29AAGCB7383J1Z4' };

describe('The supply of a parcel', () => {
  it.each([
    ['a registered client', REGISTERED, 'Kerala', '29', '32'],
    ['a special economic zone', { ...REGISTERED, gstCategory: 'sez' as const }, 'Kerala', '29', '32'],
    ['a UIN', { ...REGISTERED, gstin: '2917UNO00012UN5', gstCategory: 'uin' as const }, 'Kerala', '32', '32'],
    ['another client', CLIENT, 'Kerala', '32', '32'],
    ['another client, at home', { ...CLIENT, state: '32' }, 'KL', '32', '32'],
  ])('for %s', (_, client, state, placeOfSupply, deliveryState) => {
    expect(supplyOf(client, { state, country: 'India' })).toEqual({ placeOfSupply, deliveryState });
  });

  it.each([
    [
      CLIENT,
      'Bagmati',
      'Nepal',
      'The goods go to Nepal. Invoices of exports are not supported. ' +
        'Ship them without one, on the page of the order, and say why.',
    ],
    [
      { ...CLIENT, state: null },
      'Kerala',
      'in',
      'An invoice for Asha (client 3) needs its GSTIN or state. ' +
        'Staff can set the tax data on the page of the client, and its owner under Plan.',
    ],
    [
      REGISTERED,
      'Bavaria',
      'India',
      'An invoice needs the state of the delivery, and "Bavaria" is not an Indian state. ' +
        'Staff can change the delivery on the page of the order.',
    ],
  ])('of %j is refused in %s, %s', (client, state, country, message) => {
    expect(() => supplyOf(client, { state, country })).toThrow(
      expect.objectContaining({ code: 'conflict', message }),
    );
  });
});
