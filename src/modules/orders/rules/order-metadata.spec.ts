import { formatMetadata, metadataField, REPLACED_ORDER } from './order-metadata.js';

describe('The metadata of an order', () => {
  it('has a key of our own, which answers of the API show', () => {
    expect(REPLACED_ORDER).toBe('replaces_order');
  });

  it('is a field only if the store sent some', () => {
    const metadata = { gift: 'yes' };
    expect(metadataField({ metadata })).toEqual({ metadata });
    expect(metadataField({ metadata: null })).toEqual({});
    expect(metadataField({})).toEqual({});
  });

  it('is text for people', () => {
    expect(formatMetadata({ metadata: { gift: 'yes', cart: 'C-1' } })).toEqual(['gift: yes', 'cart: C-1']);
    expect(formatMetadata({ metadata: null })).toEqual([]);
    expect(formatMetadata({})).toEqual([]);
  });
});
