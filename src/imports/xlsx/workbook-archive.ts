import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { unreadableWorkbook } from './unreadable-workbook.js';

/** More parts than any workbook has: their names are kept. */
const MOST_PARTS = 5_000;

/**
 * A workbook is a ZIP archive of XML. The archive says beforehand how large each part is, and a part that is larger than it said is
 * refused by `yauzl`: so a bomb is told by its label, and none goes off.
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

  /** The text of a part, piece by piece; nothing if there is no such part. */
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
