import sax, { type Tag } from 'sax';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { DomainError } from '../../platform/errors/domain-error.js';

/** The names of all parts are in memory, so there is a limit. */
const MOST_PARTS = 5_000;

/**
 * A workbook is a ZIP archive of XML, which declares the size of each part. `yauzl` refuses a part that is
 * larger than declared. So a ZIP bomb is refused before it is unpacked.
 */
export class WorkbookArchive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly parts: ReadonlyMap<string, Entry>,
  ) {}

  static async open(path: string): Promise<WorkbookArchive> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    try {
      const parts = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        parts.set(entry.fileName, entry);
        if (parts.size > MOST_PARTS) throw unreadableWorkbook(`it has more than ${MOST_PARTS} parts`);
      }
      return new WorkbookArchive(zip, parts);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  sizeOf(name: string): number {
    return this.parts.get(name)?.uncompressedSize ?? 0;
  }

  /** The text of a part in pieces. A missing part is empty. */
  async *read(name: string, limit: number): AsyncGenerator<string> {
    const entry = this.parts.get(name);
    if (entry === undefined) return;
    if (entry.uncompressedSize > limit)
      throw unreadableWorkbook(`${name} is larger than ${limit / 1_000_000} MB; save it as CSV UTF-8`);
    const stream = await this.zip.openReadStreamPromise(entry);
    stream.setEncoding('utf8');
    yield* stream as AsyncIterable<string>;
  }

  close(): void {
    this.zip.close();
  }
}

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

/**
 * Parses XML in pieces and calls the visitor, with names without prefixes. A document type is refused: entity
 * bombs need one.
 */
export async function* walkXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): AsyncGenerator<number> {
  let fault: Error | undefined;
  const tellText = (text: string) => visitor.text?.(text);
  // The parser has no listeners, only these properties.
  const parser = Object.assign(sax.parser(true, { position: false }), {
    onerror: (error: Error) => (fault ??= error),
    ondoctype: () => (fault ??= new Error('it has a document type')),
    onopentag: (tag: Pick<Tag, 'name'>) => visitor.open?.(localName(tag.name), (tag as Tag).attributes),
    onclosetag: (name: string) => visitor.close?.(localName(name)),
    ontext: tellText,
    oncdata: tellText,
  });
  const check = () => {
    if (fault !== undefined) throw unreadableWorkbook(fault.message.split('\n', 1)[0]!, fault);
  };
  for await (const piece of pieces) {
    parser.write(piece);
    check();
    yield piece.length;
  }
  parser.close();
  check();
}

/** For small documents, or if little of them is kept. */
export async function readXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): Promise<void> {
  for await (const _ of walkXml(pieces, visitor));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
