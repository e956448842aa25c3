import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from './etag-of.js';
import { type Encoded, type Encoding, Representation } from './representation.js';

const compress = promisify(gzip);

/** A body that had to be made before it could be told whether the client's copy is still good: told apart by what it says. */
export class ReadyRepresentation extends Representation {
  override readonly compressible = true;
  private readonly text: string;
  private readonly fingerprint: string;

  constructor(body: object) {
    super();
    this.text = JSON.stringify(body);
    this.fingerprint = hash('sha1', this.text, 'base64url').slice(0, 20);
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint, encoding);
  }

  override async encode(encoding: Encoding): Promise<Encoded> {
    const bytes = encoding === 'gzip' ? await compress(this.text) : this.text;
    return { etag: this.etag(encoding), bytes };
  }
}
