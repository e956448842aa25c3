import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { basisPointsFromPercent, planPrice } from '../../platform/money/plan-price.js';
import type { Product } from '../../catalog/product.entity.js';
import type { PlanPrice } from '../../plans/prices/plan-price.entity.js';
import type { Plan } from '../../plans/plan.entity.js';
import type { Offer } from '../rules/order-lines.js';

/** SQL, because it is one statement, so that all prices are of one moment, and it is in the way of every order. */
const FIND = {
  name: 'offers-find',
  text: `
    SELECT p.id, p.sku, p.name, p.base_price AS "basePrice", p.delivery_charge AS "deliveryCharge", p.variations, plan.discount,
           fixed.price AS "fixedPrice"
      FROM products p
      JOIN plans plan ON plan.id = $2
      LEFT JOIN plan_prices fixed ON fixed.plan_id = plan.id AND fixed.product_id = p.id
     WHERE p.sku = ANY ($1) AND p.active`,
};

type OfferRow = Pick<Product, 'id' | 'sku' | 'name' | 'basePrice' | 'deliveryCharge' | 'variations'> &
  Pick<Plan, 'discount'> & { fixedPrice: PlanPrice['price'] | null };

@Injectable()
export class OffersRepository {
  async find(transaction: Transaction, planId: number, skus: string[]): Promise<Map<string, Offer>> {
    const rows = await transaction.query<OfferRow>(FIND, [skus, planId]);
    return new Map(rows.map((row) => [row.sku, toOffer(row)]));
  }
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
