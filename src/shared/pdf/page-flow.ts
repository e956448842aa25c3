import type { Layout } from './layouts.js';

/** The part of a page that belongs to a document. */
interface Part {
  page: number;
  /** From the top. */
  at: number;
}

/** An opened image of pdfkit, whose types leave it out. */
type Picture = PDFKit.Mixins.ImageSrc & { width: number; height: number };

/** The pages of a file, and the parts of the document that is being drawn. */
export class PageFlow {
  /** By their bytes: the file has a picture once, for all its pages. */
  private readonly pictures = new Map<Uint8Array, Picture>();
  private pages = 0;
  private parts: Part[] = [];
  private part: Part | undefined;

  constructor(
    private readonly file: PDFKit.PDFDocument,
    private readonly layout: Layout,
  ) {
    // pdfkit adds a page on its own if a text is too long.
    file.on('pageAdded', () => this.take({ page: this.pages++, at: 0 }));
  }

  get margin(): number {
    return this.layout.margin;
  }

  picture(bytes: Uint8Array): Picture {
    const { openImage } = this.file as unknown as { openImage(this: unknown, bytes: Buffer): Picture };
    const opened = this.pictures.get(bytes) ?? openImage.call(this.file, Buffer.from(bytes));
    this.pictures.set(bytes, opened);
    return opened;
  }

  begin(): void {
    this.parts = [];
    this.next();
  }

  /** Continues in the next part of this page, or on a new page. */
  next(): void {
    const { part } = this;
    if (part && part.at + 1 < this.layout.perPage) {
      this.take({ page: part.page, at: part.at + 1 });
      this.file.y = this.top(part.at + 1) + this.margin;
      this.cut();
    } else {
      const [size, margins] = [[...this.layout.size] as [number, number], marginsOf(this.margin)];
      this.file.addPage({ size, margins });
    }
  }

  /** The bottom of the current part. */
  get bottom(): number {
    return this.file.page.height - this.file.page.margins.bottom;
  }

  /** Draws the foot of each part. Releases complete pages from memory. */
  finish(draw: (part: number, of: number) => void): void {
    for (const [index, { page, at }] of this.parts.entries()) {
      this.file.switchToPage(page);
      // Text below the margin would begin another page.
      this.leaveBelow(0);
      this.file.y = this.top(at + 1) - Math.round((this.margin * 2) / 3) - 10;
      draw(index + 1, this.parts.length);
    }
    if (this.part!.at + 1 === this.layout.perPage) this.file.flushPages();
  }

  private take(part: Part): void {
    this.part = part;
    this.parts.push(part);
    this.leaveBelow(this.file.page.height - this.top(part.at + 1) + this.margin + 10);
  }

  private top(at: number): number {
    return (this.file.page.height / this.layout.perPage) * at;
  }

  private leaveBelow(bottom: number): void {
    this.file.page.margins = { ...this.file.page.margins, bottom };
  }

  /** The line to cut along. */
  private cut(): void {
    const y = this.top(this.part!.at);
    this.file
      .moveTo(0, y)
      .lineTo(this.file.page.width, y)
      .dash(4, { space: 4 })
      .lineWidth(0.5)
      .stroke('#b9b3a7')
      .undash();
  }
}

function marginsOf(margin: number) {
  return { top: margin, left: margin, right: margin, bottom: margin + 10 };
}
