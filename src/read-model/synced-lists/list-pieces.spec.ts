import { gunzipSync } from 'node:zlib';
import { ProductChunk } from '../products/product-chunk.js';
import { ProductView } from '../products/product-view.js';
import { gzipStream } from './gzip-pieces.js';
import { type ListForm, ListPieces } from './list-pieces.js';

/** Only the name of a product matters here. */
const chunkOf = (name: string) => {
  const product = Object.assign(new ProductView(1), { name, active: true });
  product.settle();
  return new ProductChunk(0, [product]);
};

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
    chunk = chunkOf('before');
    pieces = new ListPieces(FORM, undefined);
  });

  const change = () => {
    chunk = chunkOf('after');
  };

  const plain = () => pieces.bytes(chunk).toString();
  const unpacked = () => gunzipSync(Buffer.concat(gzipStream([pieces.packed(chunk)]))).toString();

  it('are cached while nothing changes in them', async () => {
    await pieces.pack(chunk);
    expect(pieces.isPacked(chunk)).toBe(true);
    const [bytes, packed] = [pieces.bytes(chunk), pieces.packed(chunk)];
    expect([pieces.bytes(chunk) === bytes, pieces.packed(chunk) === packed]).toEqual([true, true]);
  });

  it('are built again after a change, plain and compressed', async () => {
    await pieces.pack(chunk);
    expect([plain(), unpacked()]).toEqual(['["before"]', '["before"]']);
    change();
    expect(pieces.isPacked(chunk)).toBe(false);
    expect([plain(), unpacked()]).toEqual(['["after"]', '["after"]']);
  });

  it('are not cached as compressed when they change during the compression', async () => {
    const packing = pieces.pack(chunk);
    change();
    expect(plain()).toBe('["after"]');
    await packing;
    expect(pieces.isPacked(chunk)).toBe(false);
    expect(unpacked()).toBe('["after"]');
  });

  it('are dropped with their chunks', async () => {
    await pieces.pack(chunk);
    pieces.keepOnly([new ProductChunk(1, [])]);
    expect(pieces.isPacked(chunk)).toBe(true);
    pieces.keepOnly([]);
    expect(pieces.isPacked(chunk)).toBe(false);
  });
});
