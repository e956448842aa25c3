import { inflateSync } from 'node:zlib';
import { prepareFor } from './fonts.js';
import type { LayoutName } from './layouts.js';
import { type PrintedDocument, pdfOf } from './pdf.js';
import { isPrintable } from './scripts.js';

async function makePdf(
  documents: PrintedDocument[],
  madeAt = new Date('2026-11-22'),
  layout?: LayoutName,
): Promise<Buffer> {
  async function* each() {
    yield* documents;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of pdfOf({ title: 'Test', madeAt, layout }, each())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

const ESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const between = (text: string, from: string, to: string) =>
  text
    .split(from)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(to)));

const contentOf = (file: Buffer) =>
  between(file.toString('latin1'), 'FlateDecode\n>>\nstream\n', '\nendstream')
    .map((packed) => inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'))
    .join('\n');

/** The texts of a file in the order of drawing: their places, glyphs, and what a reader copies. */
function textsOf(file: Buffer) {
  return between(`\n${contentOf(file)}`, '\nBT\n', '\nET').map((text) => {
    const [, x, y] = /^1 0 0 1 (\S+) (\S+) Tm$/m.exec(text)!;
    const glyphs = [...text.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g)!);
    const isMarked = text.startsWith('/Span <<\n') && text.endsWith('\nEMC');
    const [actual] = isMarked ? between(text, '/ActualText (\xFE\xFF', ')\n>> BDC\n') : [];
    const bytes = Buffer.from(
      (actual ?? '').replaceAll(/\\(.)/g, (_, sign: string) => ESCAPED[sign] ?? sign),
      'latin1',
    ).swap16();
    return { x: Number(x), y: Number(y), glyphs, actual: bytes.toString('utf16le') };
  });
}

const fontsOf = (file: Buffer) =>
  [...file.toString('latin1').matchAll(/\/Type0\n\/BaseFont \/\w+\+([\w-]+)/g)]
    .map(([, name]) => name)
    .toSorted();
const rows = (count: number) => Array.from({ length: count }, (_, at) => `Row ${at}`);
const tableOf = (texts: string[]): PrintedDocument => ({
  name: 'a table',
  draw: (pdf) => pdf.table([{ heading: 'Text', cell: (text: string) => text }], texts),
});

describe('A PDF', () => {
  it('has a stamp across each page, and a head on its second page and all later ones', async () => {
    const { draw } = tableOf(rows(60));
    const sizes = async (more: Partial<PrintedDocument>) => {
      const file = await makePdf([{ name: 'a table', draw, ...more }]);
      expect(pagesOf(file)).toBe(2);
      return textsOf(file).length;
    };
    const plain = await sizes({});
    expect(await sizes({ stamp: 'Cancelled' })).toBe(plain + 2);
    expect(await sizes({ continued: 'Seller' })).toBe(plain + 1);
  });

  it('has the same bytes for the same documents', async () => {
    const document = { name: 'a paper', draw: tableOf(rows(3)).draw };
    const [one, two] = [await makePdf([document]), await makePdf([document])];
    expect(one.equals(two)).toBe(true);
    expect((await makePdf([document], new Date('2026-11-23'))).equals(one)).toBe(false);
  });

  it('begins each document on a page, and continues it on as many as it needs', async () => {
    expect(pagesOf(await makePdf([tableOf(['a']), tableOf(['b'])]))).toBe(2);
    expect(pagesOf(await makePdf([tableOf(rows(100)), tableOf(['b'])]))).toBe(5);
    const text: PrintedDocument = { name: 'lines', draw: (pdf) => pdf.text('line\n'.repeat(200)) };
    expect(pagesOf(await makePdf([text]))).toBe(4);
  });

  it('has two documents on a page, and continues a document in the next half', async () => {
    const half = async (...documents: PrintedDocument[]) =>
      pagesOf(await makePdf(documents, undefined, 'half'));
    const [short, long] = [tableOf(['a']), tableOf(rows(20))];
    expect(await half(short)).toBe(1);
    expect(await half(short, short)).toBe(1);
    expect(await half(short, short, short)).toBe(2);
    expect(await half(long)).toBe(1);
    expect(await half(short, long, short)).toBe(2);
    const text: PrintedDocument = { name: 'lines', draw: (pdf) => pdf.text('line\n'.repeat(30)) };
    expect(await half(text, short)).toBe(2);
  });

  it('has labels of four by six inches', async () => {
    const label = await makePdf([tableOf(['a'])], undefined, 'label');
    expect(label.toString('latin1')).toContain('/MediaBox [0 0 288 432]');
  });

  it.each([
    ['no text', ''],
    ['tabs and line breaks', 'a\tb\r\nc\rd'],
    ['a word wider than its column', 'W'.repeat(2_000)],
    ['Devanagari', 'अनन्या क्षत्रिय ₹१,२३४'],
    ['letters that the fonts lack', 'සිංහල 中文 😀 \u{E000}'],
    ['right-to-left text', 'שלום مرحبا'],
    ['joiners and marks', 'क्\u200Dष \u200B\u00AD\u0301'],
  ])('draws %s', async (_, text) => {
    const document: PrintedDocument = {
      name: text.slice(0, 20),
      draw: (pdf) => {
        pdf.fact('Name', text, { bold: true });
        pdf.beside(
          () => pdf.text(text.slice(0, 300), { align: 'right' }),
          () => pdf.text(text.slice(0, 300)),
        );
        pdf.table([{ heading: 'Text', points: 40, cell: (cell: string) => cell }], [text.slice(0, 200)]);
      },
    };
    expect(pagesOf(await makePdf([document]))).toBeGreaterThan(0);
  });

  it.each([
    ['Bengali', 'ধাক্কা', 7],
    ['Bengali', 'র‍্যাব।', 6],
    ['Gujarati', 'ક્ષત્રિય', 4],
    ['Gurmukhi', 'ਪੰਜਾਬ', 5],
    ['Kannada', 'ಲಕ್ಷ್ಮಿ', 3],
    ['Malayalam', 'ശ്രീകൃഷ്ണൻ', 9],
    ['Malayalam', 'കൃഷ്ണന്‍', 6],
    ['Oriya', 'କାର୍ଯ୍ୟାଳୟ', 8],
    ['Tamil', 'கொௌ', 5],
    ['Telugu', 'శ్రీనివాస', 5],
  ])('joins the letters of %s: %s has %d glyphs', async (script, text, glyphs) => {
    await prepareFor({ text });
    const file = await makePdf([tableOf([`Shop ${text} 12, ₹ 5`])]);
    expect(fontsOf(file)).toEqual(['NotoSans-Regular', `NotoSans${script}-Regular`]);
    const texts = textsOf(file);
    expect(texts.flatMap((each) => each.glyphs)).not.toContain('0000');
    expect(texts.filter(({ actual }) => actual !== '')).toMatchObject([
      { actual: text, glyphs: { length: glyphs } },
    ]);
  });

  it('does not depend on files that were drawn before it', async () => {
    await prepareFor(['ঘ']);
    await makePdf([tableOf(['ঘি'])]);
    expect(contentOf(await makePdf([tableOf(['ঘ'])]))).toContain('<0998>');
  });

  it('copies Devanagari in the order of its letters, and loads no other font for it', async () => {
    const file = await makePdf([tableOf(['हिन्दी, Zoë'])]);
    expect(textsOf(file).map(({ actual }) => actual)).toContain('हिन्दी');
    expect(fontsOf(file)).toEqual(['NotoSans-Regular']);
  });

  it('writes all scripts of a line in one weight, on one baseline, up to the edge', async () => {
    await prepareFor(['முருகன்']);
    const draw: PrintedDocument['draw'] = (pdf) => {
      pdf.text('முருகன்', { bold: true, align: 'right' });
      pdf.text('12, MG রাস্তা। முருகன் ', { bold: true, align: 'right' });
    };
    const file = await makePdf([{ name: 'lines', draw }]);
    expect(fontsOf(file)).toEqual([
      'NotoSans-Bold',
      'NotoSans-Regular',
      'NotoSansBengali-Bold',
      'NotoSansTamil-Bold',
    ]);
    const [alone, ...line] = textsOf(file).slice(0, -2);
    expect(line.map(({ actual }) => actual)).toEqual(['', 'রাস্তা।', '', 'முருகன்', '']);
    expect(new Set(line.map(({ y }) => y)).size).toBe(1);
    expect(line[3]!.x).toBeCloseTo(alone!.x, 3);
    expect(line.map(({ x }) => x)).toEqual(line.map(({ x }) => x).toSorted((one, two) => one - two));
  });

  it('knows which letters are boxes', () => {
    expect(
      ['Zoë Ünal', 'Ωμέγα', 'Жанна', 'अनन्या', 'முருகன்', 'রাস্তা।', '₹ 1,200 – 50 % × 2 − 1', ''].every(
        isPrintable,
      ),
    ).toBe(true);
    expect(['සිංහල', '中文', '😀', 'שלום', 'up ↑', '★'].some(isPrintable)).toBe(false);
  });
});
