import {
  encodeBytes,
  type Encoded,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import { inPieces } from '../../platform/time-slicing/run-in-slices.js';
import { PRODUCT_BYTES } from '../../platform/limits/request-costs.js';
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

interface Look {
  changes: ProductChanges;
  listed: string;
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
    private readonly stamp: number,
    private readonly bodies: RecentBodies,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.look().fingerprint, encoding);
  }

  /** The products may change while they are written, so the tag is computed afterwards. */
  override async encode(encoding: Encoding): Promise<Encoded> {
    const { bodies, list } = this;
    const look = this.look();
    const ready = bodies.find(etagOf(look.fingerprint, encoding));
    if (ready) return ready;
    if (look.changes.changed === 'all') {
      await list.prepare(encoding);
      const now = this.look();
      const isStill = now.changes.changed === 'all';
      if (isStill) return bodies.get(etagOf(now.fingerprint, encoding), () => this.joinAll(now, encoding));
    }
    const { fingerprint, json } = await bodies.picks.do(look.fingerprint, () => inPieces(this.picked()));
    this.charge(json.reduce((length, piece) => length + piece.length, 0));
    return bodies.get(etagOf(fingerprint, encoding), async () =>
      encodeBytes(await inPieces(joinBytes(json)), encoding),
    );
  }

  private look(): Look {
    const { list } = this;
    const changes = changesSince(list.state, this.stamp, list.plan);
    const syncToken = syncTokenOf(list.state, list.plan);
    const from = changes.changed === 'all' ? 'the beginning' : changes.oldest;
    const listed = list.fingerprint();
    const fingerprint = fingerprintOf(JSON.stringify([listed, 'since', from, changes.removed, syncToken]));
    // An unchanged list is known without a search.
    if (changes.looked > 0) this.charge(changes.looked * PRODUCT_BYTES);
    return { changes, syncToken, listed, fingerprint };
  }

  private charge(bytes: number): void {
    this.made = (this.made ?? 0) + bytes;
  }

  /** Repeats until the list stayed unchanged; the last try runs without a pause. */
  private *picked(): Generator<void, DatedPart> {
    for (let round = 1; ; round++) {
      const look = this.look();
      const { changed, looked } = look.changes;
      if (changed === 'all')
        return { fingerprint: look.fingerprint, json: [this.joinAll(look, 'identity')], looked };
      const pieces: Buffer[] = [];
      for (const products of inGroups(changed)) {
        pieces.push(this.list.write(products));
        if (round <= ROUNDS) yield;
      }
      if (round > ROUNDS || this.list.fingerprint() === look.listed) {
        return { fingerprint: look.fingerprint, json: this.join(changed.length, pieces, look), looked };
      }
    }
  }

  private join(count: number, pieces: Buffer[], { changes, syncToken }: Look): Buffer[] {
    const { form } = this.list;
    const head = Buffer.from(form.head(count));
    const tail = Buffer.from(form.changesTail(changes.removed, syncToken));
    return [head, ...withCommas(pieces), tail];
  }

  private joinAll({ changes, syncToken }: Look, encoding: Encoding): Buffer {
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
  /** The number of products searched. */
  looked: number;
  /** The earliest version of these changes. Reading from it gives the same products. */
  oldest: number;
  /** SKUs that are no longer sold, sorted. */
  removed: string[];
}

/** The changes since a version: products, stock and the plan's prices. */
function changesSince({ shelf }: SnapshotState, stamp: number, plan: PlanView | undefined): ProductChanges {
  const changed: ProductView[] = [];
  const removed = new Set(shelf.removedSince(stamp));
  let oldest = Infinity;
  let looked = 0;
  for (const product of shelf.changedSince(stamp)) {
    looked++;
    if (!product.active) {
      if (product.withdrawn !== null && product.withdrawn >= stamp) removed.add(product.sku);
      continue;
    }
    const productStamp = plan ? plan.stampOf(product) : product.contentStamp;
    if (productStamp < stamp) continue;
    changed.push(product);
    oldest = Math.min(oldest, productStamp);
  }
  const tellsAll =
    changed.length === shelf.count ||
    (changed.length >= MANY && changed.length > shelf.count / 2) ||
    (plan !== undefined && plan.repriced >= stamp);
  return { changed: tellsAll ? 'all' : changed, looked, oldest, removed: [...removed].toSorted() };
}
