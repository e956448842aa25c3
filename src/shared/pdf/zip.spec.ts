import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { type ZipEntry, zipOf } from './zip.js';

async function zipped(files: Record<string, (string | Uint8Array)[]>, madeAt = new Date('2026-11-22')) {
  async function* each(): AsyncGenerator<ZipEntry> {
    for (const [name, chunks] of Object.entries(files)) yield { name, content: chunksOf(chunks) };
  }
  async function* chunksOf(chunks: (string | Uint8Array)[]) {
    yield* chunks;
  }
  const made: Uint8Array[] = [];
  for await (const chunk of zipOf(each(), madeAt)) made.push(chunk);
  return Buffer.concat(made);
}

async function contentsOf(file: Buffer): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(file);
  const contents: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    contents[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  return contents;
}

describe('A ZIP file', () => {
  it('holds the files under their names, in any script', async () => {
    const long = 'a line\n'.repeat(100_000);
    const files = {
      'अनन्या.csv': ['one,', 'two\n'],
      'long.txt': [long],
      'bytes.bin': [Buffer.from('₹')],
      empty: [],
    };
    const file = await zipped(files);
    expect(await contentsOf(file)).toEqual({
      'अनन्या.csv': 'one,two\n',
      'long.txt': long,
      'bytes.bin': '₹',
      empty: '',
    });
    expect(await contentsOf(await zipped({}))).toEqual({});
  });

  it('has the same bytes for the same files', async () => {
    const [one, two] = [await zipped({ a: ['b'] }), await zipped({ a: ['b'] })];
    expect(one.equals(two)).toBe(true);
    expect((await zipped({ a: ['b'] }, new Date('2026-11-24'))).equals(one)).toBe(false);
  });

  it('holds no more files than a reader can count', async () => {
    const files = Object.fromEntries(Array.from({ length: 65_536 }, (_, at) => [String(at), []]));
    await expect(zipped(files)).rejects.toThrow('A ZIP file holds at most 65535 files.');
  });
});
