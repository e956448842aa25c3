import { fingerprintOf } from './fingerprint-of.js';
import { etagOf } from './etag-of.js';
import { type Encoded, Representation } from './representation.js';

/** A short body that is kept for as long as what it tells does not change. */
export class SmallRepresentation extends Representation {
  override readonly compressible = false;
  private readonly encoded: Encoded;

  constructor(body: object) {
    super();
    const bytes = JSON.stringify(body);
    this.encoded = { etag: etagOf(fingerprintOf(bytes), 'identity'), bytes };
  }

  override etag(): string {
    return this.encoded.etag;
  }

  override encode(): Encoded {
    return this.encoded;
  }
}
