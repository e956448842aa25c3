import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import {
  type EncodedBody,
  encodeBytes,
  type Encoding,
  etagOf,
  Representation,
} from '../../platform/http/representation.js';
import { PRODUCT_BYTES } from '../../platform/limits/request-costs.js';
import type { PlanView } from '../products/plan-view.js';
import { joinBytes } from './list-pieces.js';
import type { DatedPart, PickedPart } from './picked-part.js';
import type { RecentBodies } from './recent-bodies.js';
import type { WholeList } from './whole-list.js';

/** Some products of a list, selected by a query. The answer changes only when the list does. */
export class ListPart extends Representation {
  override readonly compressible = true;

  /**
   * `pick` runs when the answer is sent, unless another request picked the same. It works in steps; products
   * and tag are those at its end.
   */
  constructor(
    private readonly list: WholeList<PlanView | undefined>,
    /** The values of the request that select the products. */
    private readonly filterValues: readonly unknown[],
    private readonly bodies: RecentBodies,
    private readonly pick: () => Generator<void, PickedPart>,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(this.fingerprint(), encoding);
  }

  override encode(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    const kept = this.bodies.find(this.etag(encoding));
    if (!kept) return this.make(encoding);
    this.made = kept.cost;
    return kept;
  }

  private async make(encoding: Encoding): Promise<EncodedBody> {
    const { bodies } = this;
    const key = JSON.stringify([this.list.form.name, this.list.plan?.id, this.filterValues]);
    const { fingerprint, json, searched } = await bodies.picks.do(key, () => runInSlices(this.picked()));
    this.made = searched * PRODUCT_BYTES + lengthOf(json);
    return bodies.get(etagOf(fingerprint, encoding), this.made, async () =>
      encodeBytes(await runInSlices(joinBytes(json)), encoding),
    );
  }

  private *picked(): Generator<void, DatedPart> {
    const part = yield* this.pick();
    return { ...part, fingerprint: this.fingerprint() };
  }

  private fingerprint(): string {
    return this.list.fingerprintOfPart(this.filterValues);
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}
