import { mock } from 'node:test';
import { checkCorrection, checkShipment, checkShippedAt, type Shipment, shipmentFaults } from './shipment.js';

const PLACED = new Date('2026-05-04T10:00:00.000Z');

describe('checkShippedAt', () => {
  it.each([null, '2026-05-04T10:00:00.000Z', '2026-05-04', '2026-05-05', '2030-01-01T00:00:00.001Z'])(
    'accepts %s',
    (at) => {
      expect(() => checkShippedAt(at === null ? null : new Date(at), PLACED, 'UTC')).not.toThrow();
    },
  );

  it.each(['2026-05-04T09:59:59.999Z', '2026-05-04T00:00:00.001Z', '2026-05-03', '2020-01-01'])(
    'refuses %s',
    (at) => {
      expect(() => checkShippedAt(new Date(at), PLACED, 'UTC')).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          message: 'The time of shipping is before the order was placed: 2026-05-04T10:00:00.000+00:00.',
        }),
      );
    },
  );

  it('refuses a time before the invoice of a prepared parcel', () => {
    const invoiced = new Date('2026-05-05T10:00:00Z');
    const check = (at: string) => () => checkShippedAt(new Date(at), PLACED, 'UTC', invoiced);
    expect(check('2026-05-05')).not.toThrow();
    expect(check('2026-05-05T10:00:00Z')).not.toThrow();
    expect(check('2026-05-04T12:00:00Z')).toThrow(
      'The time of shipping is before its invoice was issued: 2026-05-05T10:00:00.000+00:00.',
    );
  });

  it('accepts the whole day of the order', () => {
    const DAYS = [
      ['2026-05-04', 'UTC', 24],
      ['2026-05-03T18:30:00Z', 'Asia/Kolkata', 24],
      ['2026-03-28T23:00:00Z', 'Europe/Berlin', 23],
      ['2026-10-24T22:00:00Z', 'Europe/Berlin', 25],
    ] as const;
    for (const [begins, zone, hours] of DAYS) {
      const end = Date.parse(begins) + hours * 3_600_000;
      const placed = (time: number) => () => checkShippedAt(new Date(begins), new Date(time), zone);
      expect(placed(end - 1)).not.toThrow();
      expect(placed(end)).toThrow();
    }
  });
});

describe('The details of a shipment', () => {
  const NOW = Date.UTC(2026, 4, 4);
  const GOOD: Shipment = { courier: 'Post', trackingNumber: null, trackingUrl: null, shippedAt: null };
  const faults = (given: Partial<Shipment>) => shipmentFaults({ ...GOOD, ...given });

  beforeEach(() => void mock.method(Date, 'now', () => NOW));
  afterEach(() => mock.restoreAll());

  it.each<Partial<Shipment>>([
    {},
    { courier: 'x'.repeat(100), trackingNumber: 'x'.repeat(100) },
    { trackingUrl: `https://a.example/${'x'.repeat(1_982)}` },
    { shippedAt: new Date(NOW + 86_400_000) },
    { shippedAt: new Date(0) },
    ...['1E+', 'E+12', '1.E+12', '1E+12a', 'a1E+12', '12E+12', '1x2E+12', '1E+1x'].map((trackingNumber) => ({
      trackingNumber,
    })),
  ])('are accepted: %j', (given) => {
    expect(faults(given)).toEqual([]);
  });

  const ROUNDED = 'was rounded by a spreadsheet: format the column as text and enter the number again';

  it.each<[keyof Shipment, Partial<Shipment>, string]>([
    ['courier', { courier: '' }, 'must not be empty'],
    ['courier', { courier: 'x'.repeat(101) }, 'must have at most 100 characters'],
    ['trackingNumber', { trackingNumber: 'x'.repeat(101) }, 'must have at most 100 characters'],
    ...['1.23457E+11', '1,2E+11', ' 1E12 ', '1e+5', '1.2E1'].map(
      (trackingNumber): [keyof Shipment, Partial<Shipment>, string] => [
        'trackingNumber',
        { trackingNumber },
        ROUNDED,
      ],
    ),
    [
      'trackingUrl',
      { trackingUrl: `https://a.example/${'x'.repeat(1_983)}` },
      'must have at most 2000 characters',
    ],
    ['trackingUrl', { trackingUrl: 'ftp://a' }, 'must be an address that begins with http:// or https://'],
    ['shippedAt', { shippedAt: new Date(NOW + 86_400_001) }, 'must not be in the future'],
  ])('have a fault in the %s: %j', (field, given, fault) => {
    expect(faults(given)).toEqual([[field, fault]]);
  });

  it('are refused with all their faults, and a correction with those of its own fields', () => {
    const bad = { trackingUrl: 'x', shippedAt: new Date(NOW + 2 * 86_400_000) };
    const message =
      'The tracking address must be an address that begins with http:// or https://. ' +
      'The time of shipping must not be in the future.';
    const refusal = (text: string) => expect.objectContaining({ code: 'invalid_value', message: text });
    expect(() => checkShipment({ ...GOOD, ...bad })).toThrow(refusal(message));
    expect(() => checkShipment({ ...GOOD, courier: '', trackingNumber: '1E+5' })).toThrow(
      refusal(`The courier must not be empty. The tracking number ${ROUNDED}.`),
    );
    expect(() => checkShipment(GOOD)).not.toThrow();
    expect(() => checkCorrection(bad)).toThrow(refusal(message));
    expect(() => checkCorrection({})).not.toThrow();
  });
});
