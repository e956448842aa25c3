import { inflateSync } from 'node:zlib';
import { prepareFor, printableOf } from './fonts.js';
import type { LayoutName } from './layouts.js';
import { type PrintedDocument, pdfOf } from './pdf.js';

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
const drawing = (draw: PrintedDocument['draw']): PrintedDocument => ({ name: 'a document', draw });
const tableOf = (texts: string[]) =>
  drawing((pdf) => pdf.table([{ heading: 'Text', cell: (text: string) => text }], texts));
const linesOf = (count: number) => drawing((pdf) => pdf.text('line\n'.repeat(count)));
const ascending = (numbers: number[]) => numbers.toSorted((one, two) => one - two);

describe('A PDF', () => {
  it('has a stamp across each page, and a head on its second page and all later ones', async () => {
    const countTexts = async (more: Partial<PrintedDocument>) => {
      const file = await makePdf([{ ...tableOf(rows(60)), ...more }]);
      expect(pagesOf(file)).toBe(2);
      return textsOf(file).length;
    };
    const plain = await countTexts({});
    expect(await countTexts({ stamp: 'Cancelled' })).toBe(plain + 2);
    expect(await countTexts({ continued: 'Seller' })).toBe(plain + 1);
  });

  it('has the same bytes for the same documents', async () => {
    const document = tableOf(rows(3));
    const [one, two] = [await makePdf([document]), await makePdf([document])];
    expect(one.equals(two)).toBe(true);
    expect((await makePdf([document], new Date('2026-11-23'))).equals(one)).toBe(false);
  });

  const [SHORT, LONG] = [tableOf(['a']), tableOf(rows(20))];

  it.each<[string, number, LayoutName | undefined, PrintedDocument[]]>([
    ['two documents', 2, undefined, [SHORT, SHORT]],
    ['a document of four pages and another one', 5, undefined, [tableOf(rows(100)), SHORT]],
    ['a long text', 4, undefined, [linesOf(200)]],
    ['a document on a half', 1, 'half', [SHORT]],
    ['two documents on halves', 1, 'half', [SHORT, SHORT]],
    ['three documents on halves', 2, 'half', [SHORT, SHORT, SHORT]],
    ['a document on two halves', 1, 'half', [LONG]],
    ['a document that goes on in the next half', 2, 'half', [SHORT, LONG, SHORT]],
    ['a text that goes on in the next half', 2, 'half', [linesOf(30), SHORT]],
  ])('has %s; number of pages: %d', async (_, pages, layout, documents) => {
    expect(pagesOf(await makePdf(documents, undefined, layout))).toBe(pages);
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
    await prepareFor([text]);
    const document = drawing((pdf) => {
      pdf.fact('Name', text, { bold: true });
      pdf.beside(
        () => pdf.text(text.slice(0, 300), { align: 'right' }),
        () => pdf.text(text.slice(0, 300)),
      );
      pdf.table([{ heading: 'Text', points: 40, cell: (cell: string) => cell }], [text.slice(0, 200)]);
    });
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
    const lines = drawing((pdf) => {
      pdf.text('முருகன்', { bold: true, align: 'right' });
      pdf.text('12, MG রাস্তা। முருகன் ', { bold: true, align: 'right' });
    });
    const file = await makePdf([lines]);
    const fonts = ['NotoSans-Bold', 'NotoSans-Regular', 'NotoSansBengali-Bold', 'NotoSansTamil-Bold'];
    expect(fontsOf(file)).toEqual(fonts);
    const [alone, ...line] = textsOf(file).slice(0, -2);
    expect(line.map(({ actual }) => actual)).toEqual(['', 'রাস্তা।', '', 'முருகன்', '']);
    expect(new Set(line.map(({ y }) => y)).size).toBe(1);
    expect(line[3]!.x).toBeCloseTo(alone!.x, 3);
    const places = line.map(({ x }) => x);
    expect(places).toEqual(ascending(places));
  });

  it('draws Urdu from right to left, each letter in its shape, which copies as the letter', async () => {
    const line = 'Name: محمد علی, Srinagar 190001';
    await prepareFor([line]);
    const file = await makePdf([drawing((pdf) => pdf.text(line))]);
    expect(fontsOf(file)).toEqual(['NotoSans-Regular', 'NotoSansArabic-Regular']);
    const texts = textsOf(file).slice(0, -2);
    expect(texts.flatMap(({ glyphs }) => glyphs)).not.toContain('0000');
    expect(texts.map(({ actual }) => actual).join('')).toBe([...'محمدعلی'].toReversed().join(''));
    const places = texts.map(({ x }) => x);
    expect(places).toEqual(ascending(places));
    // The letter م has one shape at the beginning of a word and another within.
    const [, , second, first] = texts.filter(({ actual }) => 'محمد'.includes(actual) && actual !== '');
    const shapesOf = (letter: string) =>
      texts.filter(({ actual }) => actual === letter).map(({ glyphs }) => glyphs.join());
    expect([second!.actual, first!.actual]).toEqual(['ح', 'م']);
    expect(new Set(shapesOf('م')).size).toBe(2);
  });

  it('has the same words at the right edge as on the left', async () => {
    const line = 'سری نگر ۱۹۰۰۰۱';
    await prepareFor([line]);
    const both = drawing((pdf) => {
      pdf.text(line);
      pdf.text(line, { align: 'right' });
    });
    const texts = textsOf(await makePdf([both])).slice(0, -2);
    const half = texts.length / 2;
    expect(texts[0]!.actual).toBe('۱۹۰۰۰۱');
    const moved = texts.slice(half).map(({ x }, at) => x - texts[at]!.x);
    expect(Math.max(...moved) - Math.min(...moved)).toBeCloseTo(0, 3);
  });

  it.each([
    ['Shop 😀 12', 'Shop [?] 12'],
    ['中文', '[?]'],
    ['a👨‍👩‍👧b ❤️ 1️⃣', 'a[?]b [?] 1[?]'],
    ['Zoë ₹5\n★', 'Zoë ₹5\n[?]'],
    ['محمد 😀', 'محمد [?]'],
    ['\u{E000}క', '[?]క'],
  ])('has one mark for what no font has: %j', async (text, printed) => {
    await prepareFor([text]);
    expect(printableOf(text)).toBe(printed);
    const of = async (line: string) => textsOf(await makePdf([drawing((pdf) => pdf.text(line))]));
    expect(await of(text)).toEqual(await of(printed));
    expect((await of(text)).flatMap(({ glyphs }) => glyphs)).not.toContain('0000');
  });
});
