import { checkShippedAt } from './shipment.js';

const PLACED = new Date('2026-05-04T10:00:00.000Z');

describe('checkShippedAt', () => {
  it.each([null, '2026-05-04T10:00:00.000Z', '2026-05-04', '2026-05-05', '2030-01-01T00:00:00.001Z'])(
    'takes %s',
    (at) => {
      expect(() => checkShippedAt(at === null ? null : new Date(at), PLACED)).not.toThrow();
    },
  );

  it.each(['2026-05-04T09:59:59.999Z', '2026-05-04T00:00:00.001Z', '2026-05-03', '2020-01-01'])(
    'refuses %s',
    (at) => {
      expect(() => checkShippedAt(new Date(at), PLACED)).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          message: 'The time of shipping is before the order was placed: 2026-05-04T10:00:00.000Z.',
        }),
      );
    },
  );

  it('takes the day as a whole, to its last millisecond', () => {
    const placed = (time: string) => () => checkShippedAt(new Date('2026-05-04'), new Date(time));
    expect(placed('2026-05-04T23:59:59.999Z')).not.toThrow();
    expect(placed('2026-05-05T00:00:00.000Z')).toThrow();
  });
});
