import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { spooled } from './spool.js';

const MB = 1024 ** 2;

/** The work behind a file. `ended` tells that it was let go. */
class Work {
  made = 0;
  ended = false;

  async *pieces(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = 0; piece < count; piece++) {
        this.made++;
        yield Buffer.alloc(MB / 4, piece);
      }
      if (failure) throw failure;
    } finally {
      this.ended = true;
    }
  }
}

async function allOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

const inOrder = (from: number, to: number) =>
  Buffer.concat(Array.from({ length: to - from }, (_, at) => Buffer.alloc(MB / 4, from + at)));

const filesLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith('wholesale-download-'));

describe('A spooled file', () => {
  it('is made while its reader stalls, and is whole', async () => {
    const work = new Work();
    let file!: AsyncGenerator<Uint8Array>;
    let first!: Promise<IteratorResult<Uint8Array>>;
    await new Promise<void>((onMade) => {
      file = spooled(work.pieces(40), { onMade });
      first = file.next();
    });
    expect(work).toMatchObject({ made: 40, ended: true });
    const rest = await allOf(file);
    expect(Buffer.concat([(await first).value as Uint8Array, rest]).equals(inOrder(0, 40))).toBe(true);
    expect(filesLeft()).toEqual([]);
  });

  it('is whole for a reader that stalls now and then', async () => {
    const file = spooled(new Work().pieces(60));
    const found: Uint8Array[] = [];
    for await (const piece of file) {
      found.push(piece);
      // Time enough for some pieces, not for all.
      for (let turn = 0; turn < (found.length % 20) * 2; turn++) await new Promise(setImmediate);
    }
    expect(Buffer.concat(found).equals(inOrder(0, 60))).toBe(true);
  });

  it('counts its bytes', async () => {
    let bytes = 0;
    await allOf(spooled(new Work().pieces(9), { onPiece: (more) => void (bytes += more) }));
    expect(bytes).toBe((9 * MB) / 4);
  });

  it('gives all pieces before an error', async () => {
    const file = spooled(new Work().pieces(8, new Error('no more rows')));
    let bytes = 0;
    await expect(
      (async () => {
        for await (const piece of file) bytes += piece.length;
      })(),
    ).rejects.toThrow('no more rows');
    expect(bytes).toBe(2 * MB);
  });

  it('ends when its reader leaves', async () => {
    const work = new Work();
    for await (const piece of spooled(work.pieces(1_000_000))) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(work.ended).toBe(true);
    expect(work.made).toBeLessThan(1_000_000);
  });
});
