import { LRUCache } from 'lru-cache';
import { type Representation, SmallRepresentation } from '../../platform/http/representation.js';
import type { Minor } from '../../platform/money/money.js';
import type { PlanView } from './plan-view.js';
import type { ProductView } from './product-view.js';

const MAX_KEPT = 10_000;
const MAX_BYTES = 16 * 2 ** 20;

interface KeptAnswer {
  product: ProductView;
  price: Minor | undefined;
  origin: string | undefined;
  answer: SmallRepresentation;
}

/** The last answers about single products. A change replaces the product, which ends its answer. */
export class ProductAnswers {
  private readonly kept = new LRUCache<string, KeptAnswer>({
    max: MAX_KEPT,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer }) => answer.length,
  });

  /** `origin` is the address of the service, if the answer has it. */
  of(product: ProductView, plan: PlanView | undefined, write: () => object, origin?: string): Representation {
    const key = `${plan?.id} ${product.id}`;
    const price = plan?.priceOf(product);
    const kept = this.kept.get(key);
    if (kept?.product === product && kept.price === price && kept.origin === origin) return kept.answer;
    const answer = new SmallRepresentation(write());
    this.kept.set(key, { product, price, origin, answer });
    return answer;
  }
}
