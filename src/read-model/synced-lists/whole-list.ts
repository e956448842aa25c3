import {
  type EncodedBody,
  encodedAs,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import { runAtOnce, runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import type { PlanView } from '../products/plan-view.js';
import type { ProductChunk } from '../products/product-chunk.js';
import type { ProductView } from '../products/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { type GzipPiece, gzipPieceSync, gzipStream } from './gzip-pieces.js';
import { type ListForm, ListPieces, withCommas, withPackedCommas } from './list-pieces.js';
import { searchChunks } from './picked-part.js';
import { SharedWork } from './recent-bodies.js';
import { syncTokenOf } from './sync-point.js';

/** Up to this number, compressing at once is faster than in the background. */
const FEW = 4;

/** Rounds in the background for pieces that changed meanwhile. */
const ROUNDS = 3;

/**
 * All products at a plan's prices, kept as bytes. Only changed pieces are written again: to write and
 * compress 100,000 products takes a second of a processor, a piece a millisecond.
 */
export class WholeList<Plan extends PlanView | undefined> extends Representation {
  override readonly compressible = true;
  private readonly pieces: ListPieces<Plan>;
  private readonly kept = new Map<Encoding, EncodedBody>();
  private readonly parts = new WeakMap<object, Representation>();
  private revision = -1;
  /** The bytes in memory at the last change. */
  size = 0;
  private currentFingerprint = '';
  private currentSyncToken = '';
  private readonly preparing = new SharedWork<void>();

  constructor(
    readonly state: SnapshotState,
    readonly form: ListForm<Plan>,
    readonly plan: Plan,
  ) {
    super();
    this.pieces = new ListPieces(form, plan);
  }

  /** Names the list's content, the same on every node. */
  fingerprint(): string {
    this.dropOutdated();
    return this.currentFingerprint;
  }

  /** A part of the list, for as long as its query is kept. */
  part(query: object, make: () => Representation): Representation {
    let part = this.parts.get(query);
    if (!part) this.parts.set(query, (part = make()));
    return part;
  }

  /**
   * The sync token inside the list. It stays while the content does, because a later token would change the
   * bytes. An earlier token is correct: it only reports more.
   */
  syncToken(): string {
    this.dropOutdated();
    return this.currentSyncToken;
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint(), encoding);
  }

  override encode(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    const kept = this.keptFor(encoding);
    if (kept) return kept;
    return this.prepare(encoding).then(() => this.keep(encoding));
  }

  /** The list with another end. */
  join(encoding: Encoding, tail: string): Buffer[] {
    const head = this.form.head(this.state.productIndex.count);
    return encoding === 'gzip' ? this.packedPieces(head, tail) : this.plainPieces(head, tail);
  }

  /** Prepares missing pieces in the background. A few may remain. */
  prepare(encoding: Encoding): Promise<void> {
    return this.preparing.do(encoding, () =>
      encoding === 'gzip' ? this.pack() : runInSlices(this.writePieces()),
    );
  }

  /** The active products in chunks, by id. */
  chunks(): readonly ProductChunk[] {
    const chunks = this.state.productIndex.chunks();
    this.pieces.keepOnly(chunks);
    return chunks;
  }

  /** Another object after each visible change of the chunk. */
  stateOf(chunk: ProductChunk): object {
    return this.pieces.pieceOf(chunk);
  }

  /** The products without the list's beginning and end. */
  write(products: readonly ProductView[]): Buffer {
    return this.pieces.write(products);
  }

  /** Drops outdated bytes. Changes outside the content drop nothing. */
  private dropOutdated(): void {
    const { revision } = this.state.productIndex;
    if (revision === this.revision) return;
    this.revision = revision;
    const fingerprint = this.makeFingerprint();
    if (fingerprint === this.currentFingerprint) return;
    this.currentFingerprint = fingerprint;
    this.currentSyncToken = syncTokenOf(this.state, this.plan);
    this.kept.clear();
  }

  private keptFor(encoding: Encoding): EncodedBody | undefined {
    this.dropOutdated();
    return this.kept.get(encoding);
  }

  private keep(encoding: Encoding): EncodedBody {
    let encoded = this.keptFor(encoding);
    if (!encoded) {
      const bytes = this.join(encoding, this.form.tail(this.currentSyncToken));
      encoded = encodedAs(this.etag(encoding), bytes);
      this.kept.set(encoding, encoded);
      this.size = this.pieces.size;
    }
    return encoded;
  }

  private async pack(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const unpacked = this.chunks().filter((chunk) => !this.pieces.isPacked(chunk));
      if (unpacked.length <= FEW) break;
      for (let at = 0; at < unpacked.length; at += FEW) {
        await Promise.all(unpacked.slice(at, at + FEW).map((chunk) => this.pieces.pack(chunk)));
      }
    }
    await runInSlices(this.pieces.packedGroups(this.chunks()));
  }

  private *writePieces(): Generator<void, void> {
    yield* searchChunks(
      () => this.chunks(),
      (chunk) => this.stateOf(chunk),
      (chunk) => void this.pieces.bytes(chunk),
    );
  }

  private plainPieces(head: string, tail: string): Buffer[] {
    const pieces = this.chunks().map((chunk) => this.pieces.bytes(chunk));
    return [Buffer.from(head), ...withCommas(pieces), Buffer.from(tail)];
  }

  private packedPieces(head: string, tail: string): Buffer[] {
    const groups = runAtOnce(this.pieces.packedGroups(this.chunks()));
    return gzipStream([packText(head), ...withPackedCommas(groups), packText(tail)]);
  }

  private makeFingerprint(): string {
    const { form, state, plan } = this;
    const ofPlan = plan && [plan.id, plan.repriced, String(plan.priceFingerprint)];
    return fingerprintOf(
      JSON.stringify([form.name, state.identity, String(state.productIndex.fingerprint), ofPlan]),
    );
  }
}

function packText(text: string): GzipPiece {
  return gzipPieceSync(Buffer.from(text));
}

const IDLE_MS = 2 * 3_600_000;

/** For all lists but the one in use. To make one of 100,000 products again takes a second of a processor. */
const MAX_BYTES = 512 * 2 ** 20;

interface KeptList<Plan extends PlanView | undefined> {
  list: WholeList<Plan>;
  usedAt: number;
}

/** One whole list per form and plan, made at its first request. Those not used for the longest time go. */
export class WholeLists<Plan extends PlanView | undefined> {
  /** By form and plan, the last one used at the end. */
  private readonly lists = new Map<string, KeptList<Plan>>();
  private state: SnapshotState | undefined;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  listFor(state: SnapshotState, plan: Plan, form: ListForm<Plan>): WholeList<Plan> {
    if (state !== this.state) this.lists.clear();
    this.state = state;
    const key = `${form.name} ${plan?.id}`;
    const list = this.lists.get(key)?.list ?? new WholeList(state, form, plan);
    this.lists.delete(key);
    const now = performance.now();
    this.dropOld(now);
    this.lists.set(key, { list, usedAt: now });
    return list;
  }

  private dropOld(now: number): void {
    let size = 0;
    for (const { list } of this.lists.values()) size += list.size;
    for (const [key, { list, usedAt }] of this.lists) {
      if (size <= this.maxBytes && now - usedAt <= IDLE_MS) return;
      size -= list.size;
      this.lists.delete(key);
    }
  }
}
