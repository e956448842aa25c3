import { DomainError } from '../../../platform/errors/domain-error.js';
import { MAX_COLUMNS } from '../cells.js';
import { type CellFault, type FileRecord, MAX_ROW_LENGTH, type RecordBatch } from '../record-source.js';
import { AS_TEXT, builtInFormat, type NumberFormat, type CellText } from './number-format.js';
import {
  readCellFormats,
  readSharedStrings,
  readWorkbook,
  TextReader,
  unescaped,
  unreadableWorkbook,
  walkXml,
  WorkbookArchive,
  type XmlVisitor,
} from './workbook.js';

/** About three times the size of a full sheet of Excel with ten columns. */
const MAX_SHEET_BYTES = 1_000_000_000;
/** Cells may repeat a shared text, so a few kilobytes can have a gigabyte of cells. */
const MIN_CHARACTERS_LIMIT = 50_000_000;

/** Characters and rows of a batch. It is copied to another thread, where dozens of batches may wait. */
const BATCH_LENGTH = 64_000;
const BATCH_ROWS = 1_000;

/** The limits of Excel. */
const MAX_SHEET_ROWS = 1_048_576;
const MAX_ROW_CELLS = 16_384;

/**
 * Reads the first visible sheet as a stream. A cell is the text that a person sees; if that is unknown, it is
 * a fault.
 */
export default function readSheet({ path }: { path: string }): AsyncGenerator<RecordBatch> {
  return withWorkbookErrors(batchesOf(path));
}

async function* batchesOf(path: string): AsyncGenerator<RecordBatch> {
  const archive = await WorkbookArchive.open(path);
  try {
    const workbook = await readWorkbook(archive);
    const strings = await readSharedStrings(archive, workbook.sharedStrings);
    const formats = await readCellFormats(archive, workbook.styles);
    const reader = new SheetReader(strings, formats, workbook.from1904);
    const size = archive.sizeOf(workbook.sheet);
    const limit = archive.limitBetween(MIN_CHARACTERS_LIMIT, MAX_SHEET_BYTES);
    let read = 0;
    let records: FileRecord[] = [];
    let batchLength = 0;
    let total = 0;
    for await (const length of walkXml(archive.read(workbook.sheet, MAX_SHEET_BYTES), reader)) {
      read += length;
      for (const { record, length: rowLength } of reader.take()) {
        records.push(record);
        batchLength += rowLength;
        if (records.length < BATCH_ROWS && batchLength < BATCH_LENGTH) continue;
        yield { records, progress: read / size };
        total += batchLength;
        if (total > limit)
          throw unreadableWorkbook(
            `its cells have more than ${Math.floor(limit / 1_000_000)} million characters, too many for a ` +
              'file of its size; save it as CSV UTF-8',
          );
        records = [];
        batchLength = 0;
      }
    }
    yield { records, progress: 1 };
  } finally {
    archive.close();
  }
}

/** Turns errors of the archive and its XML into a `DomainError`. */
async function* withWorkbookErrors(batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  try {
    yield* batches;
  } catch (error) {
    throw error instanceof DomainError ? error : unreadableWorkbook((error as Error).message, error);
  }
}

interface Cell {
  position: number;
  type: string;
  format: NumberFormat;
  hasFormula: boolean;
  value: string;
}

const GENERAL = builtInFormat(0);

/** Turns the XML of a sheet into records, while it is read. */
class SheetReader implements XmlVisitor {
  private records: { record: FileRecord; length: number }[] = [];
  private line = 0;
  private row: { cells: string[]; faults: CellFault[]; length: number; count: number } | undefined;
  private cell: Cell | undefined;
  private isValue = false;
  private readonly inline = new TextReader();
  private lastPosition = -1;

  constructor(
    private readonly strings: readonly string[],
    private readonly formats: readonly NumberFormat[],
    private readonly from1904: boolean,
  ) {}

  /** The rows since the last call. */
  take(): { record: FileRecord; length: number }[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'row') this.beginRow(attributes.r);
    else if (name === 'c') this.beginCell(attributes);
    else if (name === 'f' && this.cell) this.cell.hasFormula = true;
    else if (name === 'v') this.isValue = true;
    else this.inline.open(name);
  }

  text(text: string): void {
    if (this.row === undefined || this.row.length > MAX_ROW_LENGTH) return;
    this.row.length += text.length;
    if (this.isValue && this.cell) this.cell.value += text;
    else this.inline.add(text);
  }

  close(name: string): void {
    if (name === 'v') this.isValue = false;
    else if (name === 'c') this.endCell();
    else if (name === 'row') this.endRow();
    else this.inline.close(name);
  }

  private beginRow(number: string | undefined): void {
    const line = number === undefined ? this.line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.line || line > MAX_SHEET_ROWS)
      throw unreadableWorkbook(`a row after row ${this.line} has no right number`);
    this.line = line;
    this.row = { cells: [], faults: [], length: 0, count: 0 };
    this.lastPosition = -1;
  }

  private beginCell({ r: reference, t: type = 'n', s: style = '' }: Record<string, string>): void {
    if (this.row && ++this.row.count > MAX_ROW_CELLS)
      throw unreadableWorkbook(`row ${this.line} has more than ${MAX_ROW_CELLS} cells`);
    this.lastPosition = reference === undefined ? this.lastPosition + 1 : positionOf(reference);
    const format = this.formats[Number(style)] ?? GENERAL;
    this.cell = { position: this.lastPosition, type, format, hasFormula: false, value: '' };
    this.inline.begin();
  }

  private endCell(): void {
    const { cell, row } = this;
    this.cell = undefined;
    if (cell === undefined || row === undefined || row.length > MAX_ROW_LENGTH) return;
    const cellText = this.readCellText(cell);
    const text = 'text' in cellText ? cellText.text : cell.value;
    if (text === '' && !('fault' in cellText)) return;
    // One surplus column is enough to refuse the row.
    const position = Math.min(cell.position, MAX_COLUMNS);
    while (row.cells.length < position) row.cells.push('');
    row.cells[position] = text;
    row.length += text.length;
    if ('fault' in cellText) row.faults.push({ position, message: cellText.fault });
    else if (cellText.isDate)
      row.faults.push({ position, message: `is a date for the spreadsheet: ${AS_TEXT}`, isDate: true });
  }

  private readCellText({ type, value, format, hasFormula }: Cell): CellText {
    if (type === 'inlineStr') return { text: this.inline.take() };
    if (value === '')
      return hasFormula && type !== 'str'
        ? { fault: 'is a formula whose result is not in the file' }
        : { text: '' };
    if (type === 's') return { text: this.strings[Number(value)] ?? '' };
    if (type === 'str') return { text: unescaped(value) };
    if (type === 'b') return { text: value === '1' ? 'true' : 'false' };
    if (type === 'e') return { fault: `holds the error ${value}` };
    if (type === 'd') return { text: value, isDate: true };
    const number = Number(value);
    return Number.isFinite(number) ? format(number, this.from1904) : { fault: 'is not a number' };
  }

  private endRow(): void {
    const { row, line } = this;
    this.row = undefined;
    if (row === undefined) return;
    const { cells, faults, length } = row;
    if (length > MAX_ROW_LENGTH) {
      const message = `is longer than ${MAX_ROW_LENGTH} characters`;
      const text = cells.join(' ').slice(0, 1_000);
      this.records.push({ record: { line, cells: [], fault: { message, text } }, length: text.length });
    } else if (cells.length > 0) {
      this.records.push({
        record: { line, cells, ...(faults.length > 0 && { cellFaults: faults }) },
        length,
      });
    }
  }
}

/** 27 for `AB12`. */
function positionOf(reference: string): number {
  let position = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    position = position * 26 + value;
  }
  return position - 1;
}
