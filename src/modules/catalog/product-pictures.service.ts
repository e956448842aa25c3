import { Injectable } from '@nestjs/common';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { rowsSource } from '../../shared/imports/record-source.js';
import { WAS } from '../../shared/imports/import-guards.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { MAX_PICTURE_BYTES, PicturesService } from '../pictures/pictures.service.js';
import { CatalogFiles } from './catalog-files.service.js';
import { ProductAdministration } from './product-administration.service.js';

const MAX_FILES = 1_000;

export interface PicturesReport {
  pictures: number;
  products: number;
  /** Files of the archive that gave no picture, or SKUs. */
  refused: { name: string; reason: string }[];
}

interface ArchiveOptions {
  actor: string;
  /** Removes the pictures that these products had. */
  replace: boolean;
}

/** Uploaded pictures of products. A change is an import of the column `images`, with its checks. */
@Injectable()
export class ProductPictures {
  constructor(
    private readonly pictures: PicturesService,
    private readonly files: CatalogFiles,
    private readonly products: ProductAdministration,
  ) {}

  async add(sku: string, bytes: Buffer, owner: ThreadOwner, actor: string): Promise<void> {
    await this.products.show(sku);
    const path = await this.pictures.add(bytes, owner);
    await this.change(sku, actor, (images) => [...images, path]);
  }

  remove(sku: string, image: string, actor: string): Promise<void> {
    return this.change(sku, actor, (images) => images.filter((each) => each !== image));
  }

  /** Adds the pictures of a ZIP archive to the products of their names: `SKU.jpg`, `SKU-2.jpg`. */
  async addArchive(fd: number, owner: ThreadOwner, options: ArchiveOptions): Promise<PicturesReport> {
    const report: PicturesReport = { pictures: 0, products: 0, refused: [] };
    const found = new Map<string, { number: number; path: string }[]>();
    for await (const { name, read } of entriesOf(fd)) {
      owner.signal?.throwIfAborted();
      try {
        const { sku, number } = await this.productOf(name);
        const path = await this.pictures.add(await read(), owner);
        found.set(sku, [...(found.get(sku) ?? []), { number, path }]);
        report.pictures++;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'unreadable_file') throw error;
        report.refused.push({ name, reason: error.message });
      }
    }
    const rows = await Promise.all(
      [...found].map(async ([sku, added]) => {
        const { images, was } = await this.files.exported(sku);
        const paths = added.toSorted((a, b) => a.number - b.number).map(({ path }) => path);
        const before = options.replace ? [] : addressesIn(images);
        return [sku, [...new Set([...before, ...paths])].join(' '), was];
      }),
    );
    return rows.length > 0 ? this.write(rows, options.actor, report) : report;
  }

  /** In one import, so a rejected product does not stop the others. */
  private async write(rows: string[][], actor: string, sum: PicturesReport): Promise<PicturesReport> {
    const source = rowsSource(['sku', 'images', WAS], ...rows);
    const report = await this.files.import(source, { actor, updateOnly: true });
    try {
      for await (const { line, message } of report.failed())
        sum.refused.push({ name: rows[line - 2]![0]!, reason: `The pictures ${message}.` });
      return { ...sum, products: rows.length - report.failedCount };
    } finally {
      await report.close();
    }
  }

  /** Also "SKU_2" and "SKU (2)", as cameras and copies are named. An SKU may itself end with a number. */
  private async productOf(name: string): Promise<{ sku: string; number: number }> {
    const [, stem = ''] = /^(.+)\.(?:jpe?g|png|webp)$/i.exec(name) ?? [];
    if (stem === '') throw unreadable('The file is no JPEG, PNG or WebP.');
    if (await this.files.has(stem)) return { sku: stem, number: 1 };
    const [, sku, number] = /^(.+)(?:[-_]| \()(\d{1,2})\)?$/.exec(stem) ?? [];
    if (sku !== undefined && (await this.files.has(sku))) return { sku, number: Number(number) };
    throw unreadable('There is no product with this SKU. Capital letters count.');
  }

  private async change(sku: string, actor: string, next: (images: string[]) => string[]): Promise<void> {
    const { images: before, was } = await this.products.show(sku);
    const images = [...new Set(next(addressesIn(before)))].join(' ');
    if (images !== before) await this.products.set(sku, { images }, { actor }, was);
  }
}

const addressesIn = (cell: string | boolean) => String(cell).split(' ').filter(Boolean);

interface ArchivedFile {
  /** Without its folders. */
  name: string;
  read(): Promise<Buffer>;
}

/** Files that people do not see, such as those of macOS, are left out. */
async function* entriesOf(fd: number): AsyncGenerator<ArchivedFile> {
  const damaged = (cause: unknown): never => {
    throw cause instanceof DomainError
      ? cause
      : unreadable('The file is no ZIP archive, or is damaged.', cause);
  };
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false }).catch(damaged);
  if (zip.entryCount > MAX_FILES) throw unreadable(`The archive has more than ${MAX_FILES} files.`);
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch(damaged);
    if (next.done) return;
    const parts = next.value.fileName.split('/');
    const name = parts.at(-1)!;
    if (name === '' || name.startsWith('.') || parts[0] === '__MACOSX') continue;
    yield { name, read: () => readEntry(zip, next.value) };
  }
}

/** `yauzl` refuses a file that is larger than its declared size. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > MAX_PICTURE_BYTES)
    throw unreadable(`The picture has more than ${MAX_PICTURE_BYTES / 1_000_000} MB.`);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (cause) {
    throw unreadable('The file is damaged, or has a password.', cause);
  }
}

function unreadable(message: string, cause?: unknown): DomainError {
  return new DomainError('unreadable_file', message, { cause });
}
