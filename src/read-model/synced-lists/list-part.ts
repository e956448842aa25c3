import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import {
  type EncodedBody,
  encodeBytes,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import type { PlanView } from '../products/plan-view.js';
import { joinBytes } from './list-pieces.js';
import type { DatedPart, PickedPart } from './picked-part.js';
import type { RecentBodies } from './recent-bodies.js';
import type { WholeList } from './whole-list.js';

/** Some products of a list, selected by a query. The answer changes only when the list does. */
export class ListPart extends Representation {
  override readonly compressible = true;
  private wholeFingerprint = '';
  private partFingerprint = '';

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
    return this.bodies.find(this.etag(encoding)) ?? this.make(encoding);
  }

  private async make(encoding: Encoding): Promise<EncodedBody> {
    const { bodies } = this;
    const key = JSON.stringify([this.list.form.name, this.list.plan?.id, this.filterValues]);
    const { fingerprint, json } = await bodies.picks.do(key, () => runInSlices(this.picked()));
    return bodies.get(etagOf(fingerprint, encoding), async () =>
      encodeBytes(await runInSlices(joinBytes(json)), encoding),
    );
  }

  private *picked(): Generator<void, DatedPart> {
    const part = yield* this.pick();
    return { ...part, fingerprint: this.fingerprint() };
  }

  private fingerprint(): string {
    const whole = this.list.fingerprint();
    if (whole !== this.wholeFingerprint) {
      this.wholeFingerprint = whole;
      this.partFingerprint = fingerprintOf(JSON.stringify([whole, this.filterValues]));
    }
    return this.partFingerprint;
  }
}
