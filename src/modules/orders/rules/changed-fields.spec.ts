import { changedFields, historyOf } from './changed-fields.js';

describe('The changed fields', () => {
  const now = { courier: 'DTDC', trackingUrl: null, shippedAt: new Date(0) };

  it('are those that differ; null clears one', () => {
    const same = { courier: 'DTDC', trackingUrl: null, shippedAt: new Date(0), trackingNumber: undefined };
    expect(changedFields(now, same as never)).toEqual([]);
    expect(changedFields({}, { trackingNumber: null, trackingUrl: 'x' })).toEqual(['trackingUrl']);
    expect(changedFields(now, { courier: null, shippedAt: new Date(1) } as never)).toEqual([
      'courier',
      'shippedAt',
    ]);
  });

  it('stand in the history with their old and new values', () => {
    const changes = { shippedAt: new Date(1_000), trackingUrl: 'x' } as never;
    const fields = ['shippedAt', 'trackingUrl', 'trackingNumber'] as const;
    expect(historyOf(fields as never, now, changes)).toEqual({
      before: { shipped_at: '1970-01-01T00:00:00.000Z', tracking_url: null, tracking_number: null },
      after: { shipped_at: '1970-01-01T00:00:01.000Z', tracking_url: 'x', tracking_number: null },
    });
    expect(historyOf(['courier'], now, { courier: 'A' }, (name) => `parcel 2: ${name}`)).toEqual({
      before: { 'parcel 2: courier': 'DTDC' },
      after: { 'parcel 2: courier': 'A' },
    });
  });
});
