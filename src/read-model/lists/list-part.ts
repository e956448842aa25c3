import {
  type Encoded,
  encodeText,
  type Encoding,
  etagOf,
  fingerprintOf,
  Representation,
} from '../../platform/http/representation.js';
import type { PlanView } from '../products/plan-view.js';
import type { RecentBodies } from './recent-bodies.js';
import type { WholeList } from './whole-list.js';

/** Some products of a list, picked by a query. Another answer to the same query there is only if the list has changed. */
export class ListPart extends Representation {
  override readonly compressible = true;

  /** The products are picked when the answer is sent, in one go with its tag, and only if nobody else had them picked before. */
  constructor(
    private readonly list: WholeList<PlanView | undefined>,
    private readonly query: readonly unknown[],
    private readonly bodies: RecentBodies,
    private readonly makeBody: () => object,
  ) {
    super();
  }

  override etag(encoding: Encoding): string {
    return etagOf(fingerprintOf(JSON.stringify([this.list.fingerprint(), this.query])), encoding);
  }

  override encode(encoding: Encoding): Encoded | Promise<Encoded> {
    return this.bodies.get(this.etag(encoding), () => encodeText(JSON.stringify(this.makeBody()), encoding));
  }
}
