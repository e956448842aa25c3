import { gunzipSync } from 'node:zlib';
import { ProductChunk } from '../products/product-chunk.js';
import type { ProductView } from '../products/product-view.js';
import { joinGzip } from './gzip-pieces.js';
import { type ListForm, ListPieces } from './list-pieces.js';

/** What a piece shows of a product is all that matters here. */
const product = (id: number, name: string) => ({ id, name }) as ProductView;

const FORM: ListForm<undefined> = {
  name: 'names',
  head: () => '',
  item: ({ name }) => [name],
  tail: () => '',
  changesTail: () => '',
};

describe('The pieces of a list', () => {
  let chunk: ProductChunk;
  let pieces: ListPieces<undefined>;

  beforeEach(() => {
    chunk = new ProductChunk(0);
    chunk.add(product(1, 'before'));
    pieces = new ListPieces(FORM, undefined);
  });

  const change = () => {
    chunk.remove(chunk.products[0]!);
    chunk.add(product(1, 'after'));
    chunk.version++;
  };

  const plain = () => pieces.bytes(chunk).toString();
  const unpacked = () => gunzipSync(joinGzip([pieces.packed(chunk)])).toString();

  it('are kept for as long as nothing changes in them', async () => {
    await pieces.pack(chunk);
    expect(pieces.isPacked(chunk)).toBe(true);
    const [bytes, packed] = [pieces.bytes(chunk), pieces.packed(chunk)];
    expect([pieces.bytes(chunk) === bytes, pieces.packed(chunk) === packed]).toEqual([true, true]);
  });

  it('are made anew where something has changed, plain and compressed', async () => {
    await pieces.pack(chunk);
    expect([plain(), unpacked()]).toEqual(['["before"]', '["before"]']);
    change();
    expect(pieces.isPacked(chunk)).toBe(false);
    expect([plain(), unpacked()]).toEqual(['["after"]', '["after"]']);
  });

  it('are not taken for compressed that changed while they were', async () => {
    const packing = pieces.pack(chunk);
    change();
    expect(plain()).toBe('["after"]');
    await packing;
    expect(pieces.isPacked(chunk)).toBe(false);
    expect(unpacked()).toBe('["after"]');
  });

  it('go with their chunks', async () => {
    await pieces.pack(chunk);
    pieces.keepOnly([new ProductChunk(1)]);
    expect(pieces.isPacked(chunk)).toBe(true);
    pieces.keepOnly([]);
    expect(pieces.isPacked(chunk)).toBe(false);
  });
});
