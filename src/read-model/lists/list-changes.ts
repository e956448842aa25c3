import {
  type Encoded,
  encodeText,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import type { PlanView } from '../products/plan-view.js';
import { changesSince, type ProductChanges } from './product-changes.js';
import type { RecentBodies } from './recent-bodies.js';
import { syncTokenOf } from './sync-point.js';
import type { WholeList } from './whole-list.js';

interface Look {
  changes: ProductChanges;
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

  /** The products may change while pieces are compressed: what is sent is looked up afterwards. */
  override async encode(encoding: Encoding): Promise<Encoded> {
    let look = this.look();
    if (look.changes.changed === 'all' && encoding === 'gzip') {
      await this.list.packPieces();
      look = this.look();
    }
    return this.bodies.get(etagOf(look.fingerprint, encoding), () => this.write(look, encoding));
  }

  private look(): Look {
    const { list } = this;
    const changes = changesSince(list.state, this.stamp, list.plan);
    const syncToken = syncTokenOf(list.state, list.plan);
    const from = changes.changed === 'all' ? 'the beginning' : changes.oldest;
    const fingerprint = fingerprintOf(
      JSON.stringify([list.fingerprint(), 'since', from, changes.removed, syncToken]),
    );
    return { changes, syncToken, fingerprint };
  }

  private write({ changes, syncToken }: Look, encoding: Encoding): Buffer | Promise<Buffer> {
    const { form, plan } = this.list;
    const { changed, removed } = changes;
    const tail = form.changesTail(removed, syncToken);
    if (changed === 'all') return this.list.join(encoding, tail);
    const items = changed
      .toSorted((a, b) => a.id - b.id)
      .map((product) => JSON.stringify(form.item(product, plan)));
    return encodeText(form.head(items.length) + items.join(',') + tail, encoding);
  }
}
