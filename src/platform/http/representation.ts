import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type Encoding = 'identity' | 'gzip';

/** The bytes of one encoding, with their tag. Pieces are sent one by one: joining would copy them all. */
export interface EncodedBody {
  etag: string;
  bytes: string | Buffer | readonly Buffer[];
  /** The number of all bytes. */
  length: number;
}

export function encodedAs(etag: string, bytes: EncodedBody['bytes']): EncodedBody {
  return { etag, bytes, length: lengthOf(bytes) };
}

function lengthOf(bytes: EncodedBody['bytes']): number {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) return Buffer.byteLength(bytes);
  return bytes.reduce((length, piece) => length + piece.length, 0);
}

/**
 * An answer that a client may keep and revalidate. The tag is known before the body, so a 304 needs no body.
 */
export abstract class Representation {
  /** Says whether the answer exists in more than one encoding. */
  abstract readonly compressible: boolean;

  constructor(readonly contentType = 'application/json; charset=utf-8') {}

  /** Who may keep a copy, and for how long. */
  get cacheControl(): string {
    return 'private, no-cache';
  }

  /** What the answer depends on besides its address. */
  get vary(): string {
    return 'Accept-Encoding, Authorization, X-Client-Domain';
  }

  abstract etag(encoding: Encoding): string;

  abstract encode(encoding: Encoding): EncodedBody | Promise<EncodedBody>;
}

/** For an address that changes with its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

interface ReadyOptions {
  type?: string;
  compressible?: boolean;
}

/** Bytes that exist before their tag is known. They are compressed once, at the first request for it. */
export class ReadyRepresentation extends Representation {
  override readonly compressible: boolean;
  private readonly fingerprint: string;
  protected readonly plain: EncodedBody;
  private compressed: Promise<EncodedBody> | undefined;

  constructor(
    private readonly bytes: string | Buffer,
    { type, compressible = true }: ReadyOptions = {},
  ) {
    super(type);
    this.compressible = compressible;
    this.fingerprint = fingerprintOf(bytes);
    this.plain = encodedAs(etagOf(this.fingerprint, 'identity'), bytes);
  }

  override etag(encoding: Encoding): string {
    return encoding === 'gzip' ? etagOf(this.fingerprint, encoding) : this.plain.etag;
  }

  override encode(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    return encoding === 'gzip' ? (this.compressed ??= this.compress()) : this.plain;
  }

  private async compress(): Promise<EncodedBody> {
    return encodedAs(this.etag('gzip'), await compress(this.bytes));
  }
}

/** A short body, which is not compressed. */
export class SmallRepresentation extends ReadyRepresentation {
  constructor(body: object) {
    super(JSON.stringify(body), { compressible: false });
  }

  get length(): number {
    return this.plain.length;
  }
}

/** The same JSON object with more fields at its end. It is not compressed, so that no list is copied. */
export class ExtendedRepresentation extends Representation {
  override readonly compressible = false;
  private readonly end: string;

  constructor(
    private readonly original: Representation,
    fields: object,
  ) {
    super(original.contentType);
    this.end = `,${JSON.stringify(fields).slice(1)}`;
  }

  override etag(): string {
    return this.extendTag(this.original.etag('identity'));
  }

  override async encode(): Promise<EncodedBody> {
    const { etag, bytes } = await this.original.encode('identity');
    const pieces = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [Buffer.from(bytes)] : [...bytes];
    const last = pieces.pop()!;
    // The brace at the end is replaced.
    return encodedAs(this.extendTag(etag), [...pieces, last.subarray(0, -1), Buffer.from(this.end)]);
  }

  private extendTag(etag: string): string {
    return etagOf(fingerprintOf(etag + this.end), 'identity');
  }
}

/** A file that is sent from memory, without a descriptor or a copy for each request. */
export class KeptFile extends ReadyRepresentation {
  constructor(type: string, bytes: Buffer) {
    // A font in woff2 is compressed already.
    super(bytes, { type, compressible: !type.startsWith('font/') });
  }
}

/** A short name for a content; different contents have different names. */
export function fingerprintOf(content: string | Buffer): string {
  return hash('sha1', content, 'base64url').slice(0, 20);
}

/** A strong tag names bytes, so the compressed form has a tag of its own. */
export function etagOf(fingerprint: string, encoding: Encoding): string {
  return encoding === 'gzip' ? `"${fingerprint}-gz"` : `"${fingerprint}"`;
}

const compress = promisify(gzip);

export async function encodeBytes(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip' ? compress(bytes) : bytes;
}
