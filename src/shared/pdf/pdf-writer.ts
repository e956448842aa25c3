import { encode } from 'uqr';
import { code128 } from './code128.js';
import { printableOf } from './fonts.js';
import type { PageFlow } from './page-flow.js';

const QUIET_MODULES = 10;
const QR_QUIET_MODULES = 4;
const INK = '#1c1b19';
const SOFT = '#5f5b54';
const LINE = '#b9b3a7';
const STAMP = '#b3261e';

interface TextStyle {
  size?: number;
  bold?: boolean;
  soft?: boolean;
  align?: 'left' | 'right';
}

/** A column of a table. Columns without `points` share the remaining width. */
export interface PdfColumn<Row> {
  heading: string;
  points?: number;
  bold?: boolean;
  align?: 'left' | 'right';
  cell: (row: Row) => string;
}

interface TableStyle {
  size?: number;
  /** Points between two columns. */
  gap?: number;
  /** The cells of a last row, in bold letters. */
  sums?: readonly string[];
}

interface Box {
  x: number;
  width: number;
}

/** Draws one document from top to bottom. Continues in the next part when one is full. */
export class PdfWriter {
  private box: Box;

  constructor(
    private readonly file: PDFKit.PDFDocument,
    private readonly pages: PageFlow,
    private readonly continued?: string,
  ) {
    pages.begin();
    this.box = { x: pages.margin, width: this.file.page.width - 2 * pages.margin };
  }

  text(text: string, style: TextStyle = {}): void {
    this.write(text, this.box, style);
  }

  /** A name in small letters, and its value. */
  fact(name: string, value: string, style: TextStyle = {}): void {
    this.text(name, { size: 8, soft: true });
    this.text(value, style);
    this.space(5);
  }

  /** A barcode as wide as the block, with the quiet zones that a scanner needs. */
  barcode(text: string, height = 30): void {
    const widths = code128(text);
    const module = this.box.width / (widths.reduce((sum, width) => sum + width) + 2 * QUIET_MODULES);
    let x = this.box.x + QUIET_MODULES * module;
    for (const [at, width] of widths.entries()) {
      if (at % 2 === 0) this.file.rect(x, this.file.y, width * module, height);
      x += width * module;
    }
    this.file.fill('#000000');
    this.space(height);
  }

  /** A QR code with an edge of so many points, with the quiet zone that a camera needs. */
  qrCode(text: string, edge: number): void {
    const { size, data } = encode(text, { ecc: 'L', border: QR_QUIET_MODULES });
    const module = edge / size;
    for (const [row, squares] of data.entries())
      for (const [column, isDark] of squares.entries())
        if (isDark) this.file.rect(this.box.x + column * module, this.file.y + row * module, module, module);
    this.file.fill('#000000');
    this.space(edge);
  }

  /** A JPEG, as large as this box allows, and no wider than the block. */
  picture(bytes: Uint8Array, { width, height }: Record<'width' | 'height', number>): void {
    const picture = this.pages.picture(bytes);
    const scale = Math.min(Math.min(width, this.box.width) / picture.width, height / picture.height);
    const size = { width: picture.width * scale, height: picture.height * scale };
    this.file.image(picture, this.box.x, this.file.y, size);
    this.space(size.height + 6);
  }

  space(points: number): void {
    this.file.y += points;
  }

  /** Begins the next part if this one has less space. */
  keepTogether(points: number): void {
    if (this.file.y + points > this.pages.bottom) this.next();
  }

  private next(): void {
    this.pages.next();
    if (this.continued === undefined) return;
    this.text(this.continued, { size: 8, soft: true });
    this.space(6);
  }

  rule(above = 4, below = 6): void {
    const { x, width } = this.box;
    this.space(above);
    this.file
      .moveTo(x, this.file.y)
      .lineTo(x + width, this.file.y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.space(below);
  }

  /** Two blocks beside each other; the left one has this share of the width. Both must fit the page. */
  beside(left: () => void, right: () => void, share = 0.62): void {
    const [whole, top, gap] = [this.box, this.file.y, 24];
    const width = Math.round((whole.width - gap) * share);
    this.box = { x: whole.x, width };
    left();
    const bottom = this.file.y;
    this.file.y = top;
    this.box = { x: whole.x + width + gap, width: whole.width - gap - width };
    right();
    this.file.y = Math.max(bottom, this.file.y);
    this.box = whole;
  }

  /** A row that does not fit goes to the next page, below the headings. */
  table<Row>(
    columns: readonly PdfColumn<Row>[],
    rows: readonly Row[],
    { size = 10, gap = 10, sums }: TableStyle = {},
  ): void {
    const boxes = this.boxesOf(columns, gap);
    const draw = (cells: readonly string[], styles: readonly TextStyle[]) => {
      const height = Math.max(...cells.map((cell, at) => this.heightOf(cell, boxes[at]!, styles[at]!)));
      const isTooHigh = this.file.y + height > this.pages.bottom;
      if (isTooHigh) {
        this.next();
        heading();
      }
      const top = this.file.y;
      for (const [at, cell] of cells.entries()) {
        this.file.y = top;
        this.write(cell, boxes[at]!, styles[at]!);
      }
      this.file.y = top + height;
      this.rule(gap * 0.4, gap * 0.6);
    };
    const heading = () =>
      draw(
        columns.map((column) => column.heading),
        columns.map(({ align }) => ({ size: Math.min(size, 8), soft: true, align })),
      );
    heading();
    const styles = columns.map(({ bold, align }) => ({ size, bold, align }));
    for (const row of rows)
      draw(
        columns.map(({ cell }) => cell(row)),
        styles,
      );
    if (sums)
      draw(
        sums,
        styles.map((style) => ({ ...style, bold: true })),
      );
  }

  /** Writes the foot of each part, and a stamp across it. */
  finish(name: string, stamp?: string): void {
    this.pages.finish((part, of) => {
      const top = this.file.y;
      if (stamp !== undefined) this.stamp(stamp);
      for (const [text, align] of [
        [name, 'left'],
        [`Page ${part} of ${of}`, 'right'],
      ] as const) {
        this.file.y = top;
        this.text(text, { size: 8, soft: true, align });
      }
    });
  }

  /** Large letters along the diagonal of a page of its own. What is below stays readable. */
  private stamp(text: string): void {
    const { width, height } = this.file.page;
    const angle = (Math.atan2(height, width) * -180) / Math.PI;
    const diagonal = Math.hypot(width, height);
    const size = Math.min(72, (diagonal * 1.3) / text.length);
    this.file.save();
    this.file.rotate(angle, { origin: [width / 2, height / 2] }).fillOpacity(0.25);
    this.applyStyle({ size, bold: true })
      .fillColor(STAMP)
      .text(text, (width - diagonal) / 2, (height - size) / 2, { width: diagonal, align: 'center' });
    this.file.restore();
  }

  private boxesOf(columns: readonly PdfColumn<never>[], gap: number): Box[] {
    const taken = columns.reduce((sum, { points = 0 }) => sum + points, gap * (columns.length - 1));
    const share = (this.box.width - taken) / columns.filter(({ points }) => points === undefined).length;
    let { x } = this.box;
    return columns.map(({ points: width = share }) => {
      const box = { x, width };
      x += width + gap;
      return box;
    });
  }

  private heightOf(text: string, { width }: Box, style: TextStyle): number {
    return this.applyStyle(style).heightOfString(plain(text), { width });
  }

  private write(text: string, { x, width }: Box, style: TextStyle): void {
    this.applyStyle(style).text(plain(text), x, this.file.y, { width, align: style.align });
  }

  private applyStyle({ size = 10, bold = false, soft = false }: TextStyle): PDFKit.PDFDocument {
    return this.file
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(soft ? SOFT : INK);
  }
}

/** The font has no sign for a tab. */
function plain(text: string): string {
  return printableOf(text.replaceAll('\t', '  ').replaceAll(/\r\n?/g, '\n'));
}
