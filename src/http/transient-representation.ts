import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from './etag-of.js';
import { type Encoded, type Encoding, Representation } from './representation.js';

const compress = promisify(gzip);

/** A body that is made for one request, and only if the copy the client has is no longer good. */
export class TransientRepresentation extends Representation {
  override readonly compressible = true;

  /** What tells the body apart from others, and the body: both are asked for in one go when the answer is sent. */
  constructor(
    private readonly describe: () => string,
    private readonly makeBody: () => object,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(hash('sha1', this.describe(), 'base64url').slice(0, 20), encoding);
  }

  override async encode(encoding: Encoding): Promise<Encoded> {
    const etag = this.etag(encoding);
    const text = JSON.stringify(this.makeBody());
    return { etag, bytes: encoding === 'gzip' ? await compress(text) : text };
  }
}
