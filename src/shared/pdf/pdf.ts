/* oxlint-disable no-underscore-dangle -- Members of pdfkit. */
import { fontOf, lettersOf, mainFont } from './fonts.js';
import { type LayoutName, LAYOUTS } from './layouts.js';
import { PdfWriter } from './pdf-writer.js';
import { fromLeft, hasOwnFont, isRightToLeft, runsOf } from './scripts.js';
import { PageFlow } from './page-flow.js';

/** One document of a file, such as a slip. It begins on a new page, or on a new part of a page. */
export interface PrintedDocument {
  /** The text at the foot of its pages. */
  name: string;
  /** Stands at the top of its second page and all later ones. */
  continued?: string | undefined;
  /** Stands across each of its pages. */
  stamp?: string | undefined;
  draw(writer: PdfWriter): void;
}

interface PdfFileOptions {
  title: string;
  /** A parameter, so that the same documents give the same bytes. */
  madeAt: Date;
  layout?: LayoutName | undefined;
}

type TextOptions = PDFKit.Mixins.TextOptions & { lineWidth?: number };

/** pdfkit with the members that its types leave out. */
interface File extends PDFKit.PDFDocument {
  _font: { name: string; ascender: number };
  _fontSize: number;
  _fragment(text: string, x: number, y: number, options: TextOptions): void;
}

/** pdfkit draws a line in one font. Here each run of a script has its own. */
function withScripts(Document: new (options: PDFKit.PDFDocumentOptions) => File) {
  return class extends Document {
    private actual?: string | undefined;

    override widthOfString(text: string, options?: TextOptions): number {
      return this.inFonts(text, (run) => super.widthOfString(run, options));
    }

    override _fragment(text: string, x: number, y: number, options: TextOptions): void {
      const { align, lineWidth = 0 } = options;
      const left = align === 'right' ? x + lineWidth - this.widthOfString(text.trimEnd(), options) : x;
      const baseline = (this._font.ascender / -1000) * this._fontSize;
      this.inFonts(text, (run, actual, before) => {
        // Glyphs can have another order than their characters, which people search and copy.
        this.actual = actual;
        super._fragment(run, left + before, y, { baseline });
        this.actual = undefined;
        return super.widthOfString(run);
      });
    }

    /** Puts the marks inside the text object, so that PDF readers assign them to it. */
    override addContent(data: string): this {
      if (this.actual && data === 'ET') this.endMarkedContent();
      super.addContent(data);
      if (this.actual && data === 'BT') this.markContent('Span', { actual: this.actual });
      return this;
    }

    /** Calls `widthOf` for each run in its font, and sums the widths. */
    inFonts(
      text: string,
      widthOf: (run: string, actual: string | undefined, before: number) => number,
    ): number {
      const { _font } = this;
      const weight = _font.name.endsWith('Bold') ? 'bold' : 'regular';
      let width = 0;
      for (const { run, script } of fromLeft(text).flatMap(runsOf)) {
        if (script && hasOwnFont(script)) this.font(fontOf(script, weight), `${script} ${weight}`);
        const parts = isRightToLeft(run) ? lettersOf(run, weight) : [{ drawn: run, actual: script && run }];
        for (const { drawn, actual } of parts) width += widthOf(drawn, actual, width);
        this._font = _font;
      }
      return width;
    }
  };
}

/** One PDF with all documents, in chunks. Memory holds one document. */
export async function* pdfOf(
  { title, madeAt, layout = 'page' }: PdfFileOptions,
  documents: AsyncIterable<PrintedDocument>,
): AsyncGenerator<Uint8Array> {
  // Loaded on demand: it takes a quarter of a second and 30 MB.
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title, Creator: '', Producer: 'pdfkit', CreationDate: madeAt };
  const file = new (withScripts(PDFDocument as never))({ autoFirstPage: false, bufferPages: true, info });
  for (const weight of ['regular', 'bold'] as const) file.registerFont(weight, mainFont(weight));
  const pages = new PageFlow(file, LAYOUTS[layout]);
  for await (const { name, continued, stamp, draw } of documents) {
    const writer = new PdfWriter(file, pages, continued);
    draw(writer);
    writer.finish(name, stamp);
    yield* readWritten(file);
  }
  file.end();
  yield* file as AsyncIterable<Buffer>;
}

function* readWritten(file: NodeJS.ReadableStream): Generator<Buffer> {
  const bytes = file.read() as unknown as Buffer | null;
  if (bytes) yield bytes;
}
