import type { LayoutName } from './layouts.js';
import { isPrintable, type Paper, pdfOf } from './pdf.js';

async function made(papers: Paper[], madeAt = new Date('2026-11-22'), layout?: LayoutName): Promise<Buffer> {
  async function* each() {
    yield* papers;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of pdfOf({ title: 'Test', madeAt, layout }, each())) pieces.push(piece);
  return Buffer.concat(pieces);
}

const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;
const rows = (count: number) => Array.from({ length: count }, (_, at) => `Row ${at}`);
const tableOf = (texts: string[]): Paper => ({
  name: 'a table',
  draw: (pen) => pen.table([{ heading: 'Text', cell: (text: string) => text }], texts),
});

describe('A PDF', () => {
  it('has the same bytes for the same papers', async () => {
    const paper = { name: 'a paper', draw: tableOf(rows(3)).draw };
    const [one, two] = [await made([paper]), await made([paper])];
    expect(one.equals(two)).toBe(true);
    expect((await made([paper], new Date('2026-11-23'))).equals(one)).toBe(false);
  });

  it('begins each paper on a page, and continues it on as many as it needs', async () => {
    expect(pagesOf(await made([tableOf(['a']), tableOf(['b'])]))).toBe(2);
    expect(pagesOf(await made([tableOf(rows(100)), tableOf(['b'])]))).toBe(5);
    const text: Paper = { name: 'lines', draw: (pen) => pen.text('line\n'.repeat(200)) };
    expect(pagesOf(await made([text]))).toBe(4);
  });

  it('has two papers on a page, and a paper goes on in the next half', async () => {
    const half = async (...papers: Paper[]) => pagesOf(await made(papers, undefined, 'half'));
    const [short, long] = [tableOf(['a']), tableOf(rows(20))];
    expect(await half(short)).toBe(1);
    expect(await half(short, short)).toBe(1);
    expect(await half(short, short, short)).toBe(2);
    expect(await half(long)).toBe(1);
    expect(await half(short, long, short)).toBe(2);
    const text: Paper = { name: 'lines', draw: (pen) => pen.text('line\n'.repeat(30)) };
    expect(await half(text, short)).toBe(2);
  });

  it('has labels of four by six inches', async () => {
    const label = await made([tableOf(['a'])], undefined, 'label');
    expect(label.toString('latin1')).toContain('/MediaBox [0 0 288 432]');
  });

  it.each([
    ['no text', ''],
    ['tabs and line breaks', 'a\tb\r\nc\rd'],
    ['a word wider than its column', 'W'.repeat(2_000)],
    ['Devanagari', 'अनन्या क्षत्रिय ₹१,२३४'],
    ['letters that the font lacks', 'முருகன் 中文 😀 \u{E000}'],
    ['right-to-left text', 'שלום مرحبا'],
    ['joiners and marks', 'क्\u200Dष \u200B\u00AD\u0301'],
  ])('draws %s', async (_, text) => {
    const paper: Paper = {
      name: text.slice(0, 20),
      draw: (pen) => {
        pen.fact('Name', text, { bold: true });
        pen.beside(
          () => pen.text(text.slice(0, 300), { align: 'right' }),
          () => pen.text(text.slice(0, 300)),
        );
        pen.table([{ heading: 'Text', points: 40, cell: (cell: string) => cell }], [text.slice(0, 200)]);
      },
    };
    expect(pagesOf(await made([paper]))).toBeGreaterThan(0);
  });

  it('knows which letters are boxes', () => {
    expect(['Zoë Ünal', 'Ωμέγα', 'Жанна', 'अनन्या', '₹ 1,200 – 50 % × 2 − 1', ''].every(isPrintable)).toBe(
      true,
    );
    expect(['முருகன்', '中文', '😀', 'שלום', 'up ↑', '★'].some(isPrintable)).toBe(false);
  });
});
