import { hash } from 'node:crypto';
import { etagOf } from '../http/etag-of.js';
import { type Encoded, type Encoding, Representation } from '../http/representation.js';
import type { PlanView } from '../snapshot/plan-view.js';
import type { ProductChunk } from '../snapshot/product-chunk.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { gzipPieceSync, joinGzip } from './gzip-pieces.js';
import type { ListForm } from './list-form.js';
import { ListPieces } from './list-pieces.js';
import { syncTokenOf } from './sync-point.js';

const COMMA = Buffer.from(',');
const PACKED_COMMA = gzipPieceSync(COMMA);

/** So many pieces are compressed on the spot: quicker than going to the background and back. */
const FEW = 4;

/** How often pieces that changed in the meantime are compressed in the background once more. */
const ROUNDS = 3;

/** All products of the shelf at a plan's prices, kept as bytes that are made anew only where something changed. */
export class WholeList<Plan extends PlanView | undefined> extends Representation {
  override readonly compressible = true;
  private readonly pieces: ListPieces<Plan>;
  private readonly kept = new Map<Encoding, Encoded>();
  private version = '';
  private tag = '';
  private packing: Promise<Encoded> | undefined;

  constructor(
    private readonly state: SnapshotState,
    private readonly form: ListForm<Plan>,
    private readonly plan: Plan,
  ) {
    super();
    this.pieces = new ListPieces(form, plan);
  }

  /** Names everything that the list shows, the same on every node. */
  fingerprint(): string {
    this.notice();
    return this.tag;
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint(), encoding);
  }

  override encode(encoding: Encoding): Encoded | Promise<Encoded> {
    const kept = this.keptFor(encoding);
    if (kept) return kept;
    if (encoding === 'identity') return this.keep(encoding, this.join());
    this.packing ??= this.pack().finally(() => (this.packing = undefined));
    return this.packing;
  }

  /** Drops what is no longer good. */
  private notice(): void {
    const version = `${this.state.shelf.version}/${this.state.horizonOf(this.plan)}`;
    if (version === this.version) return;
    this.version = version;
    this.tag = this.makeTag();
    this.kept.clear();
  }

  private keptFor(encoding: Encoding): Encoded | undefined {
    this.notice();
    return this.kept.get(encoding);
  }

  private keep(encoding: Encoding, bytes: Buffer): Encoded {
    const encoded = { etag: this.etag(encoding), bytes };
    this.kept.set(encoding, encoded);
    return encoded;
  }

  /** The products may change while pieces are compressed; what is joined in the end is of one moment. */
  private async pack(): Promise<Encoded> {
    for (let round = 0; round < ROUNDS; round++) {
      const unpacked = this.chunks().filter((chunk) => !this.pieces.isPacked(chunk));
      if (unpacked.length <= FEW) break;
      for (let at = 0; at < unpacked.length; at += FEW) {
        await Promise.all(unpacked.slice(at, at + FEW).map((chunk) => this.pieces.pack(chunk)));
      }
    }
    return this.keptFor('gzip') ?? this.keep('gzip', this.joinPacked());
  }

  private join(): Buffer {
    const [head, tail] = this.ends();
    return Buffer.concat([
      head,
      ...between(
        this.chunks().map((chunk) => this.pieces.bytes(chunk)),
        COMMA,
      ),
      tail,
    ]);
  }

  private joinPacked(): Buffer {
    const [head, tail] = this.ends().map(gzipPieceSync);
    const packed = this.chunks().map((chunk) => this.pieces.packed(chunk));
    return joinGzip([head!, ...between(packed, PACKED_COMMA), tail!]);
  }

  private ends(): [head: Buffer, tail: Buffer] {
    const { form, state, plan } = this;
    return [Buffer.from(form.head(state.shelf.count)), Buffer.from(form.tail(syncTokenOf(state, plan)))];
  }

  private chunks(): readonly ProductChunk[] {
    const chunks = this.state.shelf.chunks();
    this.pieces.keepOnly(chunks);
    return chunks;
  }

  private makeTag(): string {
    const { form, state, plan } = this;
    const parts = [
      form.name,
      syncTokenOf(state, plan),
      state.shelf.fingerprint,
      plan?.stamp,
      plan?.priceFingerprint,
    ];
    return hash('sha1', parts.join('/'), 'base64url').slice(0, 20);
  }
}

function between<Piece>(pieces: readonly Piece[], separator: Piece): Piece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}
