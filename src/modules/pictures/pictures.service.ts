import { hash as hashOf } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { ConcurrencyLimit, tooManyAtOnce } from '../../platform/limits/concurrency-limit.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { ThreadDied } from '../../platform/worker-threads/thread.js';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import type { PictureToDraw } from './decode-picture.js';
import { picturePath, pictureType } from './picture-paths.js';
import { Picture } from './picture.entity.js';
import { type PictureHeader, type PictureType, readPictureHeader } from './rules/picture-header.js';

export const MAX_PICTURE_BYTES = 5_000_000;

/** A decoded picture of this size takes 100 MB. */
const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 10_000;

/** Time to decode the largest picture on a busy machine. */
const MAX_DRAW_MS = 30_000;

const CACHE_BYTES = 64_000_000;

/** Connections to the database that read pictures at a time. */
const MAX_READS = 2;

/** The key of logos that the service reads for itself. */
const OWN = 'own';

export const TYPES: Record<PictureType, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

const THUMBNAIL = import.meta.resolve('./draw-thumbnail.js');
const LOGO = import.meta.resolve('./draw-logo.js');

/** Uploaded pictures, in PostgreSQL, so that each node has them. */
@Injectable()
export class PicturesService {
  private readonly reads = new ConcurrencyLimit<string>(tooManyAtOnce, { total: MAX_READS });
  private readonly recent = new LRUCache<string, Buffer, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length + 1,
    fetchMethod: (name, _, { context }) => this.load(name, context),
  });

  constructor(
    @InjectRepository(Picture) private readonly pictures: Repository<Picture>,
    private readonly workers: WorkerThreads,
  ) {}

  /** Keeps a picture and returns its path. The same bytes have the same path. */
  async add(bytes: Buffer, owner: ThreadOwner): Promise<string> {
    const header = checkedHeader(bytes);
    const hash = hashOf('sha256', bytes, 'hex');
    if (!(await this.pictures.existsBy({ hash }))) {
      const thumbnail = await this.draw(THUMBNAIL, { bytes: new Uint8Array(bytes), header }, owner);
      const picture = { hash, type: header.type, bytes, thumbnail };
      await this.pictures.createQueryBuilder().insert().values(picture).orIgnore().execute();
    }
    return picturePath(hash, header.type);
  }

  /** Keeps a small JPEG of the picture, for pages and for PDFs, and returns its hash. */
  async addLogo(bytes: Buffer, owner: ThreadOwner): Promise<string> {
    const header = checkedHeader(bytes);
    const logo = await this.draw(LOGO, { bytes: new Uint8Array(bytes), header }, owner);
    await this.add(logo, owner);
    return hashOf('sha256', logo, 'hex');
  }

  readLogo(hash: string): Promise<Buffer> {
    return this.read(`${hash}.jpg`);
  }

  /** Readers of one network wait for one another only: its queue takes turns with those of others. */
  async read(name: string, network = OWN): Promise<Buffer> {
    const bytes = await this.recent.fetch(name, { context: network });
    if (!bytes) throw noSuchPicture();
    return bytes;
  }

  private async load(name: string, network: string): Promise<Buffer | undefined> {
    const type = pictureType(name);
    const isSmall = name.startsWith('small/');
    const hash = name.split(/[/.]/).at(-2);
    const column = isSmall ? 'thumbnail' : 'bytes';
    const where = isSmall ? { hash } : { hash, type };
    const select = { [column]: true, hash: true };
    return (await this.reads.run(network, () => this.pictures.findOne({ where, select })))?.[column];
  }

  private async draw(
    module: string,
    facts: PictureToDraw,
    { account, signal }: ThreadOwner,
  ): Promise<Buffer> {
    const timeout = AbortSignal.timeout(MAX_DRAW_MS);
    const work = {
      module,
      facts,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of this.workers.run<Uint8Array>(account, work)) pieces.push(piece);
      return Buffer.concat(pieces);
    } catch (error) {
      if (!timeout.aborted && !(error instanceof ThreadDied)) throw error;
      throw unreadable('takes too long to read, or too much memory', error);
    }
  }
}

export function noSuchPicture(): DomainError {
  return new DomainError('route_not_found', 'There is no such picture.');
}

function checkedHeader(bytes: Buffer): PictureHeader {
  const header = readPictureHeader(bytes);
  if (!header) throw unreadable('is no JPEG, PNG or WebP');
  if (bytes.length > MAX_PICTURE_BYTES) throw unreadable(`has more than ${MAX_PICTURE_BYTES / 1_000_000} MB`);
  const { width, height } = header;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw unreadable(
      `has ${width} × ${height} pixels. At most ${MAX_PIXELS / 1_000_000} million are allowed, ` +
        `and ${MAX_SIDE} a side`,
    );
  return header;
}

function unreadable(why: string, cause?: unknown): DomainError {
  return new DomainError('unreadable_file', `The picture ${why}.`, { cause });
}
