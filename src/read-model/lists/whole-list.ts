import {
  type Encoded,
  encodedAs,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import { inPieces } from '../../platform/piecework/in-pieces.js';
import type { PlanView } from '../products/plan-view.js';
import type { ProductChunk } from '../products/product-chunk.js';
import type { ProductView } from '../products/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { type GzipPiece, gzipPieceSync, joinGzip } from './gzip-pieces.js';
import { type ListForm, ListPieces } from './list-pieces.js';
import { lookThrough } from './look-through.js';
import type { PartQuery } from './part-query.js';
import { SharedWork } from './shared-work.js';
import { syncTokenOf } from './sync-point.js';
import { withCommas } from './with-commas.js';

const PACKED_COMMA = gzipPieceSync(Buffer.from(','));

/** So many pieces are compressed on the spot: quicker than going to the background and back. */
const FEW = 4;

/** How often pieces that changed in the meantime are compressed in the background once more. */
const ROUNDS = 3;

/** All products of the shelf at a plan's prices, kept as bytes that are made anew only where something changed. */
export class WholeList<Plan extends PlanView | undefined> extends Representation {
  override readonly compressible = true;
  private readonly pieces: ListPieces<Plan>;
  private readonly kept = new Map<Encoding, Encoded>();
  private version = -1;
  private knownFingerprint = '';
  private knownSyncToken = '';
  private readonly preparing = new SharedWork<void>();
  /** Of parts of the list as it is, by what was asked with. */
  private partFingerprints = new WeakMap<object, string>();

  constructor(
    readonly state: SnapshotState,
    readonly form: ListForm<Plan>,
    readonly plan: Plan,
  ) {
    super();
    this.pieces = new ListPieces(form, plan);
  }

  /** Names the products that the list shows and everything it shows of them, the same on every node. */
  fingerprint(): string {
    this.notice();
    return this.knownFingerprint;
  }

  /** Names a part of the list. Whoever asks with the same object once more gets the same name without a hash, until the list changes. */
  fingerprintOfPart({ asked, chosenBy }: PartQuery): string {
    this.notice();
    const { partFingerprints } = this;
    let known = partFingerprints.get(asked);
    if (known === undefined) {
      known = fingerprintOf(JSON.stringify([this.knownFingerprint, chosenBy]));
      partFingerprints.set(asked, known);
    }
    return known;
  }

  /**
   * The sync token that stands in the list. It stays for as long as the products do: a later one would make another body of the same
   * content, and an earlier one is as good, for it only has more told than need be.
   */
  syncToken(): string {
    this.notice();
    return this.knownSyncToken;
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint(), encoding);
  }

  override encode(encoding: Encoding): Encoded | Promise<Encoded> {
    const kept = this.keptFor(encoding);
    if (kept) return kept;
    return this.prepare(encoding).then(() => this.keep(encoding));
  }

  /** The list with another end. */
  join(encoding: Encoding, tail: string): Buffer {
    const head = this.form.head(this.state.shelf.count);
    return encoding === 'gzip' ? this.joinPacked(head, tail) : Buffer.concat(this.plainPieces(head, tail));
  }

  /** Makes in the background what is not made yet; a few pieces may be left, or have changed in the end. */
  prepare(encoding: Encoding): Promise<void> {
    return this.preparing.do(encoding, () =>
      encoding === 'gzip' ? this.pack() : inPieces(this.writePieces()),
    );
  }

  /** The active products in chunks, in the order of their ids. */
  chunks(): readonly ProductChunk[] {
    const chunks = this.state.shelf.chunks();
    this.pieces.keepOnly(chunks);
    return chunks;
  }

  /** Higher after every change of what the list shows of the chunk. */
  versionOf(chunk: ProductChunk): number {
    return this.pieces.versionOf(chunk);
  }

  /** Some products as they stand in the list, without what stands before and after them. */
  write(products: readonly ProductView[]): Buffer {
    return this.pieces.write(products);
  }

  /** Drops what is no longer good. Other changes than those of the content leave everything as it is. */
  private notice(): void {
    const { version } = this.state.shelf;
    if (version === this.version) return;
    this.version = version;
    const fingerprint = this.makeFingerprint();
    if (fingerprint === this.knownFingerprint) return;
    this.knownFingerprint = fingerprint;
    this.knownSyncToken = syncTokenOf(this.state, this.plan);
    this.kept.clear();
    this.partFingerprints = new WeakMap();
  }

  private keptFor(encoding: Encoding): Encoded | undefined {
    this.notice();
    return this.kept.get(encoding);
  }

  private keep(encoding: Encoding): Encoded {
    let encoded = this.keptFor(encoding);
    if (!encoded) {
      const head = this.form.head(this.state.shelf.count);
      const tail = this.form.tail(this.knownSyncToken);
      const bytes = encoding === 'gzip' ? this.joinPacked(head, tail) : this.plainPieces(head, tail);
      encoded = encodedAs(this.etag(encoding), bytes);
      this.kept.set(encoding, encoded);
    }
    return encoded;
  }

  private async pack(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const unpacked = this.chunks().filter((chunk) => !this.pieces.isPacked(chunk));
      if (unpacked.length <= FEW) return;
      for (let at = 0; at < unpacked.length; at += FEW) {
        await Promise.all(unpacked.slice(at, at + FEW).map((chunk) => this.pieces.pack(chunk)));
      }
    }
  }

  private *writePieces(): Generator<void, void> {
    yield* lookThrough(
      () => this.chunks(),
      (chunk) => this.versionOf(chunk),
      (chunk) => void this.pieces.bytes(chunk),
    );
  }

  private plainPieces(head: string, tail: string): Buffer[] {
    const pieces = this.chunks().map((chunk) => this.pieces.bytes(chunk));
    return [Buffer.from(head), ...withCommas(pieces), Buffer.from(tail)];
  }

  private joinPacked(head: string, tail: string): Buffer {
    const packed = this.chunks().map((chunk) => this.pieces.packed(chunk));
    return joinGzip([packText(head), ...withPackedCommas(packed), packText(tail)]);
  }

  private makeFingerprint(): string {
    const { form, state, plan } = this;
    const ofPlan = plan && [plan.id, plan.repriced, String(plan.priceFingerprint)];
    return fingerprintOf(
      JSON.stringify([form.name, state.identity, String(state.shelf.fingerprint), ofPlan]),
    );
  }
}

function packText(text: string): GzipPiece {
  return gzipPieceSync(Buffer.from(text));
}

function withPackedCommas(pieces: readonly GzipPiece[]): GzipPiece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [PACKED_COMMA, piece]));
}
