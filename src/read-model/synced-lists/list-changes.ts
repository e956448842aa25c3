import {
  encodeBytes,
  type EncodedBody,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import type { PlanView } from '../products/plan-view.js';
import type { ProductView } from '../products/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { joinBytes, withCommas } from './list-pieces.js';
import type { DatedPart } from './picked-part.js';
import type { RecentBodies } from './recent-bodies.js';
import { syncTokenOf } from './sync-point.js';
import type { WholeList } from './whole-list.js';

/** Products written in one step. */
const GROUP = 64;

/** Retries in steps when the list changes meanwhile. */
const ROUNDS = 5;

interface ListSnapshot {
  changes: ProductChanges;
  listFingerprint: string;
  syncToken: string;
  fingerprint: string;
}

/**
 * The changes of a list since a version. All versions between two changes have the same answer, so many
 * stores share one body after a large change.
 */
export class ListChanges<Plan extends PlanView | undefined> extends Representation {
  override readonly compressible = true;

  constructor(
    private readonly list: WholeList<Plan>,
    private readonly since: number,
    private readonly bodies: RecentBodies,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.snapshot().fingerprint, encoding);
  }

  /** The products may change while they are written, so the tag is computed afterwards. */
  override async encode(encoding: Encoding): Promise<EncodedBody> {
    const { bodies, list } = this;
    const snapshot = this.snapshot();
    const ready = bodies.find(etagOf(snapshot.fingerprint, encoding));
    if (ready) return ready;
    if (snapshot.changes.changed === 'all') {
      await list.prepare(encoding);
      const now = this.snapshot();
      const isStill = now.changes.changed === 'all';
      if (isStill) return bodies.get(etagOf(now.fingerprint, encoding), () => this.joinAll(now, encoding));
    }
    const { fingerprint, json } = await bodies.picks.do(snapshot.fingerprint, () =>
      runInSlices(this.picked()),
    );
    return bodies.get(etagOf(fingerprint, encoding), async () =>
      encodeBytes(await runInSlices(joinBytes(json)), encoding),
    );
  }

  private snapshot(): ListSnapshot {
    const { list } = this;
    const changes = changesSince(list.state, this.since, list.plan);
    const syncToken = syncTokenOf(list.state, list.plan);
    const from = changes.changed === 'all' ? 'the beginning' : changes.oldest;
    const listFingerprint = list.fingerprint();
    const fingerprint = fingerprintOf(
      JSON.stringify([listFingerprint, 'since', from, changes.removed, syncToken]),
    );
    return { changes, syncToken, listFingerprint, fingerprint };
  }

  /** Repeats until the list stayed unchanged; the last try runs without a pause. */
  private *picked(): Generator<void, DatedPart> {
    for (let round = 1; ; round++) {
      const snapshot = this.snapshot();
      const { changed } = snapshot.changes;
      if (changed === 'all')
        return { fingerprint: snapshot.fingerprint, json: this.joinAll(snapshot, 'identity') };
      const pieces: Buffer[] = [];
      for (const products of inGroups(changed)) {
        pieces.push(this.list.write(products));
        if (round <= ROUNDS) yield;
      }
      if (round > ROUNDS || this.list.fingerprint() === snapshot.listFingerprint) {
        return { fingerprint: snapshot.fingerprint, json: this.join(changed.length, pieces, snapshot) };
      }
    }
  }

  private join(count: number, pieces: Buffer[], { changes, syncToken }: ListSnapshot): Buffer[] {
    const { form } = this.list;
    const head = Buffer.from(form.head(count));
    const tail = Buffer.from(form.changesTail(changes.removed, syncToken));
    return [head, ...withCommas(pieces), tail];
  }

  private joinAll({ changes, syncToken }: ListSnapshot, encoding: Encoding): Buffer[] {
    return this.list.join(encoding, this.list.form.changesTail(changes.removed, syncToken));
  }
}

function* inGroups(products: readonly ProductView[]): Generator<ProductView[]> {
  const sorted = products.toSorted((a, b) => a.id - b.id);
  for (let at = 0; at < sorted.length; at += GROUP) yield sorted.slice(at, at + GROUP);
}

/**
 * Above this number, more than half of the list, the whole list is sent: it is ready, and picking costs more.
 */
const MANY = 1_000;

interface ProductChanges {
  /** Not sorted. */
  changed: ProductView[] | 'all';
  /** The earliest version of these changes. Reading from it gives the same products. */
  oldest: number;
  /** SKUs that are no longer sold, sorted. */
  removed: string[];
}

function changesSince(
  { productIndex }: SnapshotState,
  since: number,
  plan: PlanView | undefined,
): ProductChanges {
  const changed: ProductView[] = [];
  const removed = new Set(productIndex.removedSince(since));
  let oldest = Infinity;
  for (const chunk of productIndex.changedSince(since, plan)) {
    const isPriced = plan !== undefined && plan.pricesIn(chunk.number).contentVersion >= since;
    for (const product of isPriced ? chunk.all : chunk.changedSince(since)) {
      if (!product.active) {
        if (product.withdrawn !== null && product.withdrawn >= since) removed.add(product.sku);
        continue;
      }
      const productVersion = plan ? plan.changeVersionOf(product) : product.contentVersion;
      if (productVersion < since) continue;
      changed.push(product);
      oldest = Math.min(oldest, productVersion);
    }
  }
  const sendsAll =
    changed.length === productIndex.count ||
    (changed.length >= MANY && changed.length > productIndex.count / 2) ||
    (plan !== undefined && plan.repriced >= since);
  return { changed: sendsAll ? 'all' : changed, oldest, removed: [...removed].toSorted() };
}
