import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from './etag-of.js';
import { type Encoded, type Encoding, Representation } from './representation.js';

const compress = promisify(gzip);

/** A body that is made for one request, and only if the copy the client has is no longer good. */
export class TransientRepresentation extends Representation {
  override readonly compressible = true;

  constructor(
    private readonly fingerprint: string,
    private readonly makeBody: () => object,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint, encoding);
  }

  override async encode(encoding: Encoding): Promise<Encoded> {
    const text = JSON.stringify(this.makeBody());
    return { etag: this.etag(encoding), bytes: encoding === 'gzip' ? await compress(text) : text };
  }
}
