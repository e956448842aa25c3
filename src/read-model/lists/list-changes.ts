import {
  type Encoded,
  encodeBytes,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import type { PlanView } from '../products/plan-view.js';
import { PRODUCT_BYTES } from '../../platform/rate-limit/prices.js';
import { inPieces } from '../../platform/piecework/in-pieces.js';
import type { ProductView } from '../products/product-view.js';
import { joinBytes } from './join-bytes.js';
import type { DatedPart } from './picked-part.js';
import { withCommas } from './with-commas.js';
import { changesSince, type ProductChanges } from './product-changes.js';
import type { RecentBodies } from './recent-bodies.js';
import { syncTokenOf } from './sync-point.js';
import type { WholeList } from './whole-list.js';

/** How many products are written in one go. */
const GROUP = 64;

/** How often they are written anew in pieces because the list has changed meanwhile. */
const ROUNDS = 5;

interface Look {
  changes: ProductChanges;
  /** The fingerprint of the list. */
  listed: string;
  syncToken: string;
  fingerprint: string;
}

/**
 * What changed in a list from a stamp on. Stamps between which nothing changed have one answer, so that after a change of everything
 * all stores share one, whenever each of them asked the last time.
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

  /** The products may change while they are written: what is sent is looked up afterwards. */
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
    // That nothing changed is known without looking.
    if (changes.looked > 0) this.charge(changes.looked * PRODUCT_BYTES);
    return { changes, syncToken, listed, fingerprint };
  }

  private charge(bytes: number): void {
    this.made = (this.made ?? 0) + bytes;
  }

  /** Until the list stayed as it is while the products were written; in the end without letting anybody else have a turn. */
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
