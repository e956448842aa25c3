import { builtInFormat, formatOfCode, type NumberFormat } from './number-format.js';
import { readXml, unreadableWorkbook, walkXml, type WorkbookArchive } from './workbook-archive.js';

export interface Workbook {
  /** The part of the first visible sheet. */
  sheet: string;
  sharedStrings: string | undefined;
  styles: string | undefined;
  /** Days count from 1904, as on old Macintoshes. */
  from1904: boolean;
}

const LIMIT = 16_000_000;

export async function readWorkbook(archive: WorkbookArchive): Promise<Workbook> {
  const related = await relations(archive);
  const sheets: string[] = [];
  let from1904 = false;
  await readXml(archive.read('xl/workbook.xml', LIMIT), {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      sheets.push(related.find((relation) => relation.id === id)?.part ?? '');
    },
  });
  const [sheet] = sheets;
  if (!sheet) throw unreadableWorkbook('it has no sheet');
  const partOf = (type: string) => related.find((relation) => relation.type.endsWith(`/${type}`))?.part;
  return { sheet, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), from1904 };
}

async function relations(archive: WorkbookArchive): Promise<{ id: string; type: string; part: string }[]> {
  const found: { id: string; type: string; part: string }[] = [];
  await readXml(archive.read('xl/_rels/workbook.xml.rels', LIMIT), {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      found.push({ id, type, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
    },
  });
  return found;
}

const STRINGS_LIMIT = 256_000_000;

/** Cells name shared texts by number, so all of them are in memory. */
const MOST_CHARACTERS = 50_000_000;

/** XML writes forbidden characters such as a carriage return like this. */
const ESCAPED = /_x([\dA-F]{4})_/gi;

/** The shared texts of a workbook, each stored once. */
export async function readSharedStrings(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<string[]> {
  const strings: string[] = [];
  const reader = new TextReader();
  let characters = 0;
  if (part === undefined) return strings;
  const walk = walkXml(archive.read(part, STRINGS_LIMIT), {
    open: (name) => {
      if (name === 'si') reader.begin();
      reader.open(name);
    },
    text: (text) => reader.add(text),
    close: (name) => {
      reader.close(name);
      if (name === 'si') characters += strings[strings.push(reader.take()) - 1]!.length;
    },
  });
  for await (const _ of walk)
    if (characters > MOST_CHARACTERS)
      throw unreadableWorkbook(
        `it has more than ${MOST_CHARACTERS / 1_000_000} million characters; save it as CSV UTF-8`,
      );
  return strings;
}

/** The text of a cell, joined from its formatted parts, without its pronunciation. */
export class TextReader {
  private text = '';
  private isText = false;
  private isPronunciation = false;

  begin(): void {
    this.text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.isPronunciation = true;
    if (name === 't') this.isText = !this.isPronunciation;
  }

  add(text: string): void {
    if (this.isText) this.text += text;
  }

  close(name: string): void {
    if (name === 't') this.isText = false;
    if (name === 'rPh') this.isPronunciation = false;
  }

  take(): string {
    return unescaped(this.text);
  }
}

export function unescaped(text: string): string {
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The limit of Excel. */
const LONGEST_CODE = 255;

/** The number formats, by the number of the style. */
export async function readCellFormats(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const own = new Map<number, NumberFormat>();
  let isOfCells = false;
  if (part === undefined) return formats;
  await readXml(archive.read(part, LIMIT), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId);
      if (formatCode.length > LONGEST_CODE)
        throw unreadableWorkbook(`${part} has a number format of more than ${LONGEST_CODE} characters`);
      if (name === 'numFmt') own.set(id, formatOfCode(formatCode));
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(own.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}
