import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type LayoutName, LAYOUTS } from './layouts.js';
import { Pen } from './pen.js';
import { Sheets } from './sheets.js';

/** A document of its own in a file, such as one slip. It begins on a new page, or a new part of one. */
export interface Paper {
  /** Stands at the foot of its pages. */
  name: string;
  draw(pen: Pen): void;
}

interface FileFacts {
  title: string;
  /** Given, so that the same papers make the same bytes. */
  madeAt: Date;
  layout?: LayoutName | undefined;
}

type Font = PDFKit.Mixins.PDFFontSource;

const load = createRequire(import.meta.url);

/** One typeface with Latin, Greek, Cyrillic and Devanagari letters and the sign ₹. Its parts are embedded. */
const FONTS = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  bold: '700Bold/NotoSans_700Bold.ttf',
};

let parsed: [name: string, font: Font][] | undefined;

/** All files share the parsed fonts. Parsing takes a fifth of a second, and requests wait meanwhile. */
function fonts(): [name: string, font: Font][] {
  const { create } = load('fontkit') as { create(file: Buffer): Font };
  return (parsed ??= Object.entries(FONTS).map(([name, file]) => [
    name,
    create(readFileSync(load.resolve(`@expo-google-fonts/noto-sans/${file}`))),
  ]));
}

/** Letters of a script that the font lacks; digits and punctuation belong to all scripts. */
const OTHER_LETTERS =
  /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Devanagari}\p{sc=Common}\p{sc=Inherited}]/u;

/** Arrows, drawings and emoji. Of these the font has the minus sign. */
const PICTURES = /[\u2190-\u2211\u2213-\u2BFF]|\p{Emoji_Presentation}/u;

/** False if boxes stand for some of its letters. */
export function isPrintable(text: string): boolean {
  return !OTHER_LETTERS.test(text) && !PICTURES.test(text);
}

/** One PDF with all papers, in pieces. Memory holds one paper. */
export async function* pdfOf(
  { title, madeAt, layout = 'page' }: FileFacts,
  papers: AsyncIterable<Paper>,
): AsyncGenerator<Uint8Array> {
  // Loaded on demand: it takes a quarter of a second and 30 MB.
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title, Creator: '', Producer: 'pdfkit', CreationDate: madeAt };
  const file = new PDFDocument({ autoFirstPage: false, bufferPages: true, info });
  for (const [name, font] of fonts()) file.registerFont(name, font);
  const sheets = new Sheets(file, LAYOUTS[layout]);
  for await (const { name, draw } of papers) {
    const pen = new Pen(file, sheets);
    draw(pen);
    pen.finish(name);
    yield* written(file);
  }
  file.end();
  yield* file as AsyncIterable<Buffer>;
}

function* written(file: NodeJS.ReadableStream): Generator<Buffer> {
  const bytes = file.read() as unknown as Buffer | null;
  if (bytes) yield bytes;
}
