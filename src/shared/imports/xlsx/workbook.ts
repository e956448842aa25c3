import { stat } from 'node:fs/promises';
import sax, { type Tag } from 'sax';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { MAX_ROW_LENGTH } from '../record-source.js';
import { builtInFormat, formatOfCode, type NumberFormat } from './number-format.js';

/** A limit, because the names of all parts are in memory. */
const MAX_PARTS = 5_000;

/** A sheet of a real workbook unpacks to about 30 times its size, a bomb to 1,000 times. */
const MAX_EXPANSION = 100;

/** A small file, and each part, may expand to this size. */
const MIN_PART_LIMIT = 128_000_000;

/**
 * A workbook is a ZIP archive of XML, which declares the size of each part. `yauzl` refuses a part that is
 * larger than declared. So a ZIP bomb is refused before it is unpacked.
 */
export class WorkbookArchive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly parts: ReadonlyMap<string, Entry>,
    private readonly fileSize: number,
  ) {}

  static async open(path: string): Promise<WorkbookArchive> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
      throw unreadableWorkbook('it is no workbook, or was cut off; save it again as .xlsx', error);
    });
    try {
      if (zip.entryCount > MAX_PARTS) throw unreadableWorkbook(`it has more than ${MAX_PARTS} parts`);
      const parts = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
      return new WorkbookArchive(zip, parts, (await stat(path)).size);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  sizeOf(name: string): number {
    return this.parts.get(name)?.uncompressedSize ?? 0;
  }

  /** A limit that grows with the size of the file, so that a small file causes little work. */
  limitBetween(min: number, max: number): number {
    return Math.min(max, Math.max(min, this.fileSize * MAX_EXPANSION));
  }

  /** The text of a part in chunks. A missing part is empty. */
  async *read(name: string, max: number): AsyncGenerator<string> {
    const entry = this.parts.get(name);
    if (entry === undefined) return;
    const limit = this.limitBetween(Math.min(MIN_PART_LIMIT, max), max);
    if (entry.uncompressedSize > limit)
      throw unreadableWorkbook(`${name} is larger than ${megabytes(limit)} MB; save it as CSV UTF-8`);
    const stream = await this.zip.openReadStreamPromise(entry);
    stream.setEncoding('utf8');
    yield* stream as AsyncIterable<string>;
  }

  close(): void {
    this.zip.close();
  }
}

const megabytes = (bytes: number) => Math.floor(bytes / 1_000_000);

export function unreadableWorkbook(why: string, cause?: unknown): DomainError {
  return new DomainError('unreadable_file', `The file cannot be read as a workbook (.xlsx): ${why}.`, {
    cause,
  });
}

export interface XmlVisitor {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** More than any workbook has. The parser stores all open elements, and all attributes of one element. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;

/** Characters of an error of the parser, which may contain a tag of the file. */
const MAX_FAULT_LENGTH = 200;

/**
 * Parses XML in chunks and calls the visitor, with names without prefixes. A document type is refused: entity
 * bombs need one.
 */
export async function* walkXml(chunks: AsyncIterable<string>, visitor: XmlVisitor): AsyncGenerator<number> {
  let fault: Error | undefined;
  let depth = 0;
  let attributes = 0;
  const onText = (text: string) => visitor.text?.(text);
  // The parser has no listeners, only these properties.
  const parser = Object.assign(sax.parser(true, { position: false }), {
    onerror: (error: Error) => (fault ??= error),
    ondoctype: () => (fault ??= new Error('it has a document type')),
    onattribute: () => {
      if (++attributes > MAX_ATTRIBUTES)
        throw unreadableWorkbook(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    },
    onopentag: (tag: Pick<Tag, 'name'>) => {
      if (++depth > MAX_DEPTH) throw unreadableWorkbook(`its elements are more than ${MAX_DEPTH} deep`);
      attributes = 0;
      visitor.open?.(localName(tag.name), (tag as Tag).attributes);
    },
    onclosetag: (name: string) => {
      depth--;
      visitor.close?.(localName(name));
    },
    ontext: onText,
    oncdata: onText,
  });
  // The parser limits its buffers by the position, which it would count in every character.
  parser.position = 0;
  const check = () => {
    if (fault === undefined) return;
    const [line = ''] = fault.message.split('\n', 1);
    throw unreadableWorkbook(line.slice(0, MAX_FAULT_LENGTH), fault);
  };
  for await (const chunk of chunks) {
    parser.position += chunk.length;
    parser.write(chunk);
    check();
    yield chunk.length;
  }
  parser.close();
  check();
}

/** For small documents, or if the visitor keeps little. */
export async function readXml(chunks: AsyncIterable<string>, visitor: XmlVisitor): Promise<void> {
  for await (const _ of walkXml(chunks, visitor));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export interface Workbook {
  /** The part of the first visible sheet. */
  sheet: string;
  sharedStrings: string | undefined;
  styles: string | undefined;
  /** Days count from 1904, as on old Macintoshes. */
  from1904: boolean;
}

const MAX_PART_BYTES = 16_000_000;

export async function readWorkbook(archive: WorkbookArchive): Promise<Workbook> {
  const related = await relations(archive);
  let sheet: string | undefined;
  let from1904 = false;
  await readXml(archive.read('xl/workbook.xml', MAX_PART_BYTES), {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible' || sheet !== undefined) return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      sheet = related.find((relation) => relation.id === id)?.part ?? '';
    },
  });
  if (!sheet) throw unreadableWorkbook('it has no sheet');
  const partOf = (type: string) => related.find((relation) => relation.type.endsWith(`/${type}`))?.part;
  return { sheet, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), from1904 };
}

async function relations(archive: WorkbookArchive): Promise<{ id: string; type: string; part: string }[]> {
  const list: { id: string; type: string; part: string }[] = [];
  await readXml(archive.read('xl/_rels/workbook.xml.rels', MAX_PART_BYTES), {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      if (list.length === MAX_PARTS) throw unreadableWorkbook(`it has more than ${MAX_PARTS} relations`);
      list.push({ id, type, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
    },
  });
  return list;
}

const MAX_STRINGS_BYTES = 256_000_000;

/** Limits of shared texts: cells refer to them by number, so all of them are in memory. */
const MAX_CHARACTERS = 50_000_000;
const MAX_TEXTS = 4_000_000;

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
  const walk = walkXml(archive.read(part, MAX_STRINGS_BYTES), {
    open: (name) => {
      if (name === 'si') reader.begin();
      reader.open(name);
    },
    text: (text) => reader.add(text),
    close: (name) => {
      reader.close(name);
      if (name !== 'si') return;
      const text = reader.take();
      characters += text.length;
      // A copy, because a substring would keep the whole text in memory.
      strings.push(Buffer.from(text, 'utf16le').toString('utf16le'));
    },
  });
  const checkLimit = (count: number, limit: number, what: string) => {
    if (count > limit)
      throw unreadableWorkbook(`it has more than ${limit / 1_000_000} million ${what}; save it as CSV UTF-8`);
  };
  for await (const _ of walk) {
    checkLimit(characters, MAX_CHARACTERS, 'characters');
    checkLimit(strings.length, MAX_TEXTS, 'texts');
  }
  return strings;
}

/**
 * The text of a cell, joined from its formatted parts, without its pronunciation. Text beyond the limit of a
 * row is dropped.
 */
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
    if (this.isText && this.text.length <= MAX_ROW_LENGTH) this.text += text;
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

/** The limits of Excel. */
const MAX_CODE_LENGTH = 255;
const MAX_FORMATS = 65_536;

/** The number formats, by the number of the style. */
export async function readCellFormats(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const own = new Map<number, NumberFormat>();
  let isOfCells = false;
  if (part === undefined) return formats;
  await readXml(archive.read(part, MAX_PART_BYTES), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId);
      if (formatCode.length > MAX_CODE_LENGTH)
        throw unreadableWorkbook(`${part} has a number format of more than ${MAX_CODE_LENGTH} characters`);
      if (own.size + formats.length > MAX_FORMATS)
        throw unreadableWorkbook(`${part} has more than ${MAX_FORMATS} formats`);
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
