import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type Encoded,
  encodedAs,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from './representation.js';

const compress = promisify(gzip);

/** A file that is sent from memory, without a descriptor or a copy for each request. */
export class KeptFile extends Representation {
  override readonly compressible = true;
  private readonly fingerprint: string;
  private compressed: Promise<Buffer> | undefined;

  constructor(
    private readonly type: string,
    private readonly bytes: Buffer,
  ) {
    super();
    this.fingerprint = fingerprintOf(bytes);
  }

  override get contentType(): string {
    return this.type;
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint, encoding);
  }

  override async encode(encoding: Encoding): Promise<Encoded> {
    const bytes = encoding === 'gzip' ? await (this.compressed ??= compress(this.bytes)) : this.bytes;
    return encodedAs(this.etag(encoding), bytes);
  }
}
