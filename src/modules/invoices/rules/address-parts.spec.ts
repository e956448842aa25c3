import { addressParts, deliveryParts } from './address-parts.js';

const MG_ROAD = { line: '12 MG Road', place: 'Bengaluru', pin: 560001 };

describe('The parts of an address', () => {
  it.each([
    '12 MG Road, Bengaluru 560001',
    '12 MG Road, Bengaluru - 560 001',
    '12 MG Road, Bengaluru-560001.',
    ' , 12 MG Road,, Bengaluru 560001, ',
    '12 MG Road, Bengaluru – 560001',
    '12 MG Road, Bengaluru: 560001',
    '12 MG Road,Bengaluru,560001',
    '12 MG Road\nBengaluru 560001\nKarnataka',
    '12 MG Road, Bengaluru, PIN 560001',
    '12 MG Road, Bengaluru, Pin Code: 560001',
    '12 MG Road, Bengaluru pincode-560001',
    '12 MG Road, Bengaluru, Karnataka 560001',
    '12 MG Road, Bengaluru, Karnataka, 560001',
    '12 MG Road, Bengaluru 560001, Karnataka',
    '12 MG Road, Bengaluru, KA - 560001, India.',
    '12 MG  Road , Bengaluru 560001 , KARNATAKA, INDIA',
  ])('are certain in %j', (address) => expect(addressParts(address, '29')).toEqual(MG_ROAD));

  it.each([
    ['Shop 4, SV Road, Navi Mumbai 400703', '27', 'Shop 4, SV Road', 'Navi Mumbai', 400703],
    ['4 Spin Lane, Pinjore 134102', '06', '4 Spin Lane', 'Pinjore', 134102],
    ['4 Mall Road, Chopin 134102', '06', '4 Mall Road', 'Chopin', 134102],
    ['7 Chandni Chowk, Delhi 110006', '07', '7 Chandni Chowk', 'Delhi', 110006],
    ['7 Janpath, New Delhi, Delhi 110001', '07', '7 Janpath', 'New Delhi', 110001],
    ['7 Sector, Chandigarh 160017', '04', '7 Sector', 'Chandigarh', 160017],
    ['7 Rue Suffren, Puducherry 605001', '34', '7 Rue Suffren', 'Puducherry', 605001],
    ['1 Camp, Outpost 900001', '97', '1 Camp', 'Outpost', 900001],
    [`${'x'.repeat(200)}, ${'y'.repeat(50)} 560001`, '29', 'x'.repeat(200), 'y'.repeat(50), 560001],
  ])('are read from %j', (address, state, line, place, pin) =>
    expect(addressParts(address, state)).toEqual({ line, place, pin }),
  );

  it.each([
    ['', 'nothing'],
    ['India', 'a country'],
    ['12 MG Road, Bengaluru', 'no PIN'],
    ['12 MG Road, Bengaluru 560001 (near the station)', 'words after the PIN'],
    ['12 MG Road Bengaluru 560001', 'no comma before the place'],
    ['Bengaluru 560001', 'no line'],
    ['Karnataka 560001', 'a state alone'],
    ['Bengaluru, Karnataka 560001', 'no line beside the state'],
    ['560001', 'a PIN alone'],
    ['Shop 4, 12 MG Road 560001', 'no place'],
    ['12 MG Road, Bengaluru 400001', 'a PIN of another state'],
    ['12 MG Road, Bengaluru, Maharashtra 560001x', 'a letter behind the PIN'],
    ['12 MG Road, Bengaluru 1560001', 'seven digits'],
    ['12 MG Road, Bengaluru 060001', 'a PIN that begins with 0'],
    [`${'x'.repeat(201)}, Bengaluru 560001`, 'a long line'],
    [`12 MG Road, ${'y'.repeat(51)} 560001`, 'a long place'],
  ])('are not certain in %j: %s', (address) => expect(addressParts(address, '29')).toBeUndefined());

  it('need a state', () => {
    expect(addressParts('12 MG Road, Bengaluru 560001', '99')).toBeUndefined();
    expect(deliveryParts({ address: 'x', city: 'y', pincode: '560001' }, undefined)).toBeUndefined();
  });

  it('keep the name of another state as the place', () => {
    expect(addressParts('12 MG Road, Goa 560001', '29')).toMatchObject({ place: 'Goa' });
  });
});

describe('The parts of a delivery', () => {
  const to = { address: ' 12 MG Road, ', city: 'Bengaluru', pincode: '560001' };

  it('are its fields', () =>
    expect(deliveryParts({ ...to, address: ' 12 MG  Road. ' }, '29')).toEqual(MG_ROAD));

  it.each([
    { pincode: '400001' },
    { pincode: '56001' },
    { pincode: '5600011' },
    { pincode: 'x560001' },
    { pincode: '560001x' },
    { city: ' ' },
    { city: 'Zone 4' },
    { address: '-' },
  ])('must be complete, so not %j', (wrong) =>
    expect(deliveryParts({ ...to, ...wrong }, '29')).toBeUndefined(),
  );
});
