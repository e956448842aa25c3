import { workbook, zipOf } from './xlsx.js';

const HEADING = ['sku', 'name', 'base_price', 'delivery_charge'];
const MEGABYTE = 1_000_000;

const sheetOf = (content: string) => workbook([HEADING], { sheet: `<worksheet><sheetData>${content}` });

const stringsOf = (content: string) => workbook([HEADING], { sharedStrings: `<sst>${content}</sst>` });

const cells = (count: number, xml: string) =>
  sheetOf(`<row r="1">${xml.repeat(count)}</row></sheetData></worksheet>`);

type HostileFile = [what: string, make: () => Buffer, reason: RegExp];

/**
 * Small files that unpack to much work: what they have, how to make them, and why they are refused. The first
 * ones are refused at any size.
 */
export const hostileFiles = (size: number): HostileFile[] => [
  ['nested elements', () => sheetOf('<a>'.repeat(size / 3)), /more than 100 deep/],
  [
    'an element of many attributes',
    () => sheetOf(`<row ${Array.from({ length: size / 100 }, (_, at) => `a${at}=""`).join(' ')}>`),
    /more than 200 attributes/,
  ],
  ['a long attribute', () => sheetOf(`<row r="${'1'.repeat(size)}">`), /Max buffer length/],
  ['an element with a long name', () => sheetOf(`<${'a'.repeat(size)}>`), /Max buffer length/],
  ['a long comment', () => sheetOf(`<!--${'a'.repeat(size)}-->`), /Max buffer length/],
  ['line breaks', () => Buffer.alloc(0.6 * size, '\n'), /more than 1048576 empty rows/],
  ['one row of many cells', () => cells(size / 20, '<c r="A1"><f/></c>'), /row 1 has more than 16384 cells/],
  [
    'shared texts of 100 MB',
    () => stringsOf(`<si><t>${'x'.repeat(MEGABYTE / 10)}</t></si>`.repeat(1_000)),
    /more than 50 million characters/,
  ],
  ['4 million shared texts', () => stringsOf('<si/>'.repeat(4.1 * MEGABYTE)), /more than 4 million texts/],
  [
    '60 million characters that cells repeat from one shared text',
    () =>
      workbook([HEADING], {
        sharedStrings: `<sst><si><t>${'x'.repeat(2_000)}</t></si></sst>`,
        sheet: `<worksheet><sheetData><row>${HEADING.map(
          (name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`,
        ).join('')}</row>${'<row><c t="s"><v>0</v></c></row>'.repeat(30_000)}</sheetData></worksheet>`,
      }),
    /more than 50 million characters, too many for a file of its size/,
  ],
  ['a sheet that unpacks to 130 MB', () => sheetOf(' '.repeat(130 * MEGABYTE)), /is larger than 128 MB/],
  [
    'rows without an order',
    () => sheetOf('<row r="2"/><row r="1"/></sheetData></worksheet>'),
    /a row after row 2 has no right number/,
  ],
  [
    '2 million rows',
    () => sheetOf(`${'<row/>'.repeat(2 * MEGABYTE)}</sheetData></worksheet>`),
    /a row after row 1048576 has no right number/,
  ],
  [
    'a heading of 16,000 cells',
    () => cells(16_000, '<c t="inlineStr"><is><t>price</t></is></c>'),
    /The heading has more than 1000 columns/,
  ],
  [
    'a heading of 65,000 cells as CSV',
    () => Buffer.from(`${'pr,'.repeat(65_000)}\nA,1\n`),
    /The heading has more than 1000 columns/,
  ],
  [
    'a heading with a cell of 100,000 characters',
    () => Buffer.from(`sku,${'p'.repeat(100_000)}\nA,1\n`),
    /longer than 1000 characters: "pppp/,
  ],
  [
    '10,000 parts',
    () => zipOf(Array.from({ length: 10_000 }, (_, at) => ({ name: `part-${at}`, content: '' }))),
    /more than 5000 parts/,
  ],
  [
    '100,000 number formats',
    () =>
      workbook([HEADING], {
        styles: `<styleSheet><cellXfs>${'<xf/>'.repeat(100_000)}</cellXfs></styleSheet>`,
      }),
    /more than 65536 formats/,
  ],
];
