import { formatMetadata, metadataField } from './order-metadata.js';

describe('The metadata of an order', () => {
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
