import type { Layout } from './layouts.js';

/** Room of a paper on a page. */
interface Part {
  page: number;
  /** From the top. */
  at: number;
}

/** The pages of a file, and the parts of them that the paper in work has. */
export class Sheets {
  private pages = 0;
  private parts: Part[] = [];
  private part: Part | undefined;

  constructor(
    private readonly file: PDFKit.PDFDocument,
    private readonly layout: Layout,
  ) {
    // pdfkit begins a page by itself too, where a text is too long.
    file.on('pageAdded', () => this.take({ page: this.pages++, at: 0 }));
  }

  get margin(): number {
    return this.layout.margin;
  }

  begin(): void {
    this.parts = [];
    this.next();
  }

  /** The next part: of this page, if it has one more, else of a new one. */
  next(): void {
    const { part } = this;
    if (part && part.at + 1 < this.layout.papers) {
      this.take({ page: part.page, at: part.at + 1 });
      this.file.y = this.top(part.at + 1) + this.margin;
      this.cut();
    } else {
      const [size, margins] = [[...this.layout.size] as [number, number], sides(this.margin)];
      this.file.addPage({ size, margins });
    }
  }

  /** Where the part of the paper ends. */
  get bottom(): number {
    return this.file.page.height - this.file.page.margins.bottom;
  }

  /** Draws at the foot of each part. Whole pages are let go of. */
  finish(draw: (part: number, of: number) => void): void {
    for (const [index, { page, at }] of this.parts.entries()) {
      this.file.switchToPage(page);
      // Text below the margin would begin another page.
      this.leaveBelow(0);
      this.file.y = this.top(at + 1) - Math.round((this.margin * 2) / 3) - 10;
      draw(index + 1, this.parts.length);
    }
    if (this.part!.at + 1 === this.layout.papers) this.file.flushPages();
  }

  private take(part: Part): void {
    this.part = part;
    this.parts.push(part);
    this.leaveBelow(this.file.page.height - this.top(part.at + 1) + this.margin + 10);
  }

  private top(at: number): number {
    return (this.file.page.height / this.layout.papers) * at;
  }

  private leaveBelow(bottom: number): void {
    this.file.page.margins = { ...this.file.page.margins, bottom };
  }

  /** Where scissors go. */
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

function sides(margin: number) {
  return { top: margin, left: margin, right: margin, bottom: margin + 10 };
}
