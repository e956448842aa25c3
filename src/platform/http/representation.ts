import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type Encoding = 'identity' | 'gzip';

/** The bytes of one encoding, with their tag. Pieces are sent as pieces: joining would copy them all. */
export interface Encoded {
  etag: string;
  bytes: string | Buffer | readonly Buffer[];
  /** Of all bytes together. */
  length: number;
}

export function encodedAs(etag: string, bytes: Encoded['bytes']): Encoded {
  return { etag, bytes, length: lengthOf(bytes) };
}

function lengthOf(bytes: Encoded['bytes']): number {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) return Buffer.byteLength(bytes);
  return bytes.reduce((length, piece) => length + piece.length, 0);
}

/**
 * An answer that a client may keep and revalidate. The tag is known before the body, so a 304 needs no body.
 */
export abstract class Representation {
  /** Says whether the answer exists in more than one encoding. */
  abstract readonly compressible: boolean;

  /** Bytes that were made for this answer; `undefined` if it was only looked up. */
  made: number | undefined;

  get contentType(): string {
    return 'application/json; charset=utf-8';
  }

  /** Who may keep a copy, and for how long. */
  get cacheControl(): string {
    return 'private, no-cache';
  }

  /** What the answer depends on besides its address. */
  get vary(): string {
    return 'Accept-Encoding, Authorization, X-Client-Domain';
  }

  abstract etag(encoding: Encoding): string;

  abstract encode(encoding: Encoding): Encoded | Promise<Encoded>;
}

/** A short body. It costs nothing while its content does not change. */
export class SmallRepresentation extends Representation {
  override readonly compressible = false;
  private readonly encoded: Encoded;

  constructor(body: object, made?: number) {
    super();
    this.made = made;
    const bytes = JSON.stringify(body);
    this.encoded = encodedAs(etagOf(fingerprintOf(bytes), 'identity'), bytes);
  }

  override etag(): string {
    return this.encoded.etag;
  }

  override encode(): Encoded {
    return this.encoded;
  }
}

/** A body that must be made before its tag is known. */
export class ReadyRepresentation extends Representation {
  override readonly compressible = true;
  private readonly fingerprint: string;

  constructor(private readonly json: string) {
    super();
    this.made = json.length;
    this.fingerprint = fingerprintOf(json);
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint, encoding);
  }

  override async encode(encoding: Encoding): Promise<Encoded> {
    const bytes = encoding === 'gzip' ? await compress(this.json) : this.json;
    return encodedAs(this.etag(encoding), bytes);
  }
}

/** A file that was made for this answer, such as a PDF. */
export class FileRepresentation extends Representation {
  override readonly compressible = false;
  private readonly encoded: Encoded;

  constructor(
    bytes: Buffer,
    private readonly mediaType: string,
  ) {
    super();
    this.made = bytes.length;
    this.encoded = encodedAs(etagOf(fingerprintOf(bytes), 'identity'), bytes);
  }

  override get contentType(): string {
    return this.mediaType;
  }

  override etag(): string {
    return this.encoded.etag;
  }

  override encode(): Encoded {
    return this.encoded;
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
