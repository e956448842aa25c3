import { Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { basisPointsFromPercent, planPrice } from '../../read-model/products/plan-price.js';
import type { Product } from '../../catalog/product.entity.js';
import type { PlanPrice } from '../../plans/plan-price.entity.js';
import type { Plan } from '../../plans/plan.entity.js';
import { type Offer, type OrderedItem, skusOf } from '../rules/order-lines.js';

export interface Wanted {
  planId: number;
  sku: string;
}

/** SQL, because every order runs it, and one statement reads all prices of one moment. */
const FIND = {
  name: 'offers-find',
  text: `
    SELECT plan.id AS "planId", p.id, p.sku, p.name, p.base_price AS "basePrice",
           p.delivery_charge AS "deliveryCharge", p.variations, plan.discount, fixed.price AS "fixedPrice"
      FROM unnest($1::int[], $2::text[]) AS wanted (plan_id, sku)
      JOIN products p ON p.sku = wanted.sku AND p.active
      JOIN plans plan ON plan.id = wanted.plan_id
      LEFT JOIN LATERAL (SELECT price FROM plan_prices
                          WHERE plan_id = plan.id AND product_id = p.id LIMIT 1) AS fixed ON true`,
};

type OfferRow = Pick<Product, 'id' | 'sku' | 'name' | 'basePrice' | 'deliveryCharge' | 'variations'> &
  Pick<Plan, 'discount'> & { planId: number; fixedPrice: PlanPrice['price'] | null };

/** Offers by plan and SKU. */
export class Offers {
  private readonly byPlan = new Map<number, Map<string, Offer>>();

  add(planId: number, offer: Offer): void {
    const offers = this.byPlan.get(planId);
    if (offers) offers.set(offer.sku, offer);
    else this.byPlan.set(planId, new Map([[offer.sku, offer]]));
  }

  of(planId: number): ReadonlyMap<string, Offer> {
    return this.byPlan.get(planId) ?? new Map<string, Offer>();
  }
}

@Injectable()
export class OffersRepository {
  async find(transaction: Queries, asked: readonly Wanted[]): Promise<Offers> {
    const wanted = [...new Map(asked.map((one) => [`${one.planId}/${one.sku}`, one])).values()];
    const columns = [wanted.map(({ planId }) => planId), wanted.map(({ sku }) => sku)];
    const offers = new Offers();
    for (const row of await transaction.query<OfferRow>(FIND, columns)) offers.add(row.planId, toOffer(row));
    return offers;
  }
}

/** Each SKU once. */
export function wantedOf(planId: number, items: readonly OrderedItem[]): Wanted[] {
  return skusOf(items).map((sku) => ({ planId, sku }));
}

function toOffer(row: OfferRow): Offer {
  const fixed = row.fixedPrice === null ? null : minorFromNumeric(row.fixedPrice);
  return {
    productId: row.id,
    sku: row.sku,
    name: row.name,
    price: planPrice(minorFromNumeric(row.basePrice), basisPointsFromPercent(row.discount), fixed),
    deliveryCharge: minorFromNumeric(row.deliveryCharge),
    variations: row.variations,
  };
}
