import { AccessBook } from '../../read-model/callers/access-book.js';
import { TokenHashes } from './token-hashes.js';

function put(book: AccessBook, id: number, { hash = `hash ${id}`, revoked = false } = {}): void {
  book.putToken({
    relation: 'tokens',
    stamp: 1,
    columns: [id, 1, 'full', hash, 'wha_', 'shop.example', 0, null, revoked],
  });
}

describe('TokenHashes', () => {
  let book: AccessBook;
  let hashes: TokenHashes;

  beforeEach(() => {
    book = new AccessBook();
    put(book, 1);
    put(book, 2);
    put(book, 4, { revoked: true });
    hashes = new TokenHashes();
    hashes.find('Bearer one', book);
    hashes.keep('Bearer one', 'hash 1');
  });

  it('knows a header again, to the last sign', () => {
    expect(hashes.find('Bearer one', book)).toBe('hash 1');
    expect(hashes.find('Bearer one ', book)).toBeUndefined();
    expect(hashes.find('bearer one', book)).toBeUndefined();
  });

  it('keeps none that is longer than it need be', () => {
    const long = `Bearer${' '.repeat(200)}one`;
    hashes.keep(long, 'hash 1');
    expect(hashes.find(long, book)).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['is revoked', () => put(book, 2, { revoked: true })],
    ['is removed', () => book.removeToken(2)],
    ['is new', () => put(book, 3)],
    ['has another hash', () => put(book, 1, { hash: 'another' })],
  ])('forgets all headers when a token %s', (_, change) => {
    change();
    expect(hashes.find('Bearer one', book)).toBeUndefined();
  });

  it('forgets all headers with the history that they were of', () => {
    expect(hashes.find('Bearer one', new AccessBook())).toBeUndefined();
    expect(hashes.find('Bearer one', book)).toBeUndefined();
  });

  it('keeps them when a refresh brings what it brought before', () => {
    put(book, 1);
    put(book, 4, { revoked: true });
    book.removeToken(5);
    expect(hashes.find('Bearer one', book)).toBe('hash 1');
  });

  it('keeps ten thousand at most', () => {
    for (let n = 0; n < 10_000; n++) hashes.keep(`Bearer ${n}`, 'hash');
    expect(hashes.find('Bearer one', book)).toBeUndefined();
    expect(hashes.find('Bearer 9999', book)).toBe('hash');
  });
});
