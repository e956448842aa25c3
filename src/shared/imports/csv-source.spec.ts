import fc from 'fast-check';
import { csvSource } from './csv-source.js';
import { csvRow } from './csv-format.js';
import type { FileRecord } from './record-source.js';

describe('a CSV file', () => {
  const read = async (content: string | Buffer, pieceSize = Infinity): Promise<FileRecord[]> => {
    const bytes = Buffer.from(content);
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
    };
    const list: FileRecord[] = [];
    for await (const { records } of csvSource(chunks(), bytes.length).batches()) list.push(...records);
    return list;
  };

  it.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['a byte order mark', '\uFEFFa,b\n1,2\n'],
    ['CRLF', 'a,b\r\n1,2\r\n'],
    ['the line breaks of an old Macintosh', 'a,b\r1,2\r'],
    ['no line break at its end', 'a,b\n1,2'],
    ['quotes', '"a","b"\n"1","2"\n'],
  ])('is read with %s, in pieces of any size', async (_, content) => {
    const expected = [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', '2'] },
    ];
    expect(await read(content)).toEqual(expected);
    expect(await read(content, 1)).toEqual(expected);
  });

  it.each([
    ['utf-16le', [0xff, 0xfe], (text: Buffer) => text],
    ['utf-16be', [0xfe, 0xff], (text: Buffer) => text.swap16()],
  ])('is read in %s too, as a spreadsheet writes "Unicode text"', async (_, mark, ordered) => {
    const file = Buffer.concat([
      Buffer.from(mark),
      ordered(Buffer.from('a\tb\r\nCafé\t₹ 😀\r\n', 'utf16le')),
    ]);
    for (const pieceSize of [Infinity, 1, 3]) {
      expect((await read(file, pieceSize)).map(({ cells }) => cells)).toEqual([
        ['a', 'b'],
        ['Café', '₹ 😀'],
      ]);
    }
    await expect(read(file.subarray(0, -1))).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('is refused in Windows-1252, with the menu entry that helps', async () => {
    await expect(read(Buffer.from('a,b\nCafé,1\n', 'latin1'))).rejects.toMatchObject({
      code: 'unreadable_file',
      message: expect.stringContaining('"CSV UTF-8 (Comma delimited)"') as string,
    });
  });

  it('counts rows as a spreadsheet shows them, empty and broken ones included', async () => {
    const records = await read('a,b\n"x\ny",2\n\n3,4\n5" pipe,6\n"7"8,9\n"9 "inch"",10\n,\n1,"2"\n');
    expect(
      records.map(({ line, cells, fault }) => [line, fault === undefined ? cells.join() : 'broken']),
    ).toEqual([
      [1, 'a,b'],
      [2, 'x\ny,2'],
      [3, ''],
      [4, '3,4'],
      [5, 'broken'],
      [6, 'broken'],
      [7, 'broken'],
      [8, ','],
      [9, '1,2'],
    ]);
  });

  it('names the row with a quote that never closes', async () => {
    const broken = {
      line: 3,
      cells: [],
      fault: { message: expect.stringContaining('never closes') as string, text: '"3,4\n5,6\n' },
    };
    expect((await read('a,b\n1,2\n"3,4\n5,6\n')).at(-1)).toEqual(broken);
  });

  it.each([['another encoding', Buffer.from('a,b\nCaf\xE9,2\n', 'latin1'), 'UTF-8']])(
    'is refused for %s',
    async (_, content, message) => {
      await expect(read(content)).rejects.toThrow(message);
    },
  );

  it('reads what was written, with any text in the cells', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '0', '"', ',', ';', '\n', '\r', '\t', ' ', 'é', '😀'),
    });
    const table = fc.array(fc.tuple(cell, cell), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const records = await read(csvRow(['a', 'b']) + rows.map((row) => csvRow(row)).join(''));
        expect(records.slice(1).map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });
});
