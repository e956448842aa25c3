import { Injectable } from '@nestjs/common';
import type { Variation } from '../../read-model/products/variations.js';
import type { Transaction } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { basisPointsFromPercent, planPrice } from '../../platform/money/plan-price.js';
import type { Offer } from '../rules/offer.js';

/** One statement, so that all prices are of one moment. */
const FIND = {
  name: 'offers-find',
  text: `
    SELECT p.id, p.sku, p.name, p.base_price, p.delivery_charge, p.variations, plan.discount, fixed.price AS fixed_price
      FROM products p
      JOIN plans plan ON plan.id = $2
      LEFT JOIN plan_prices fixed ON fixed.plan_id = plan.id AND fixed.product_id = p.id
     WHERE p.sku = ANY ($1) AND p.active`,
};

interface OfferRow {
  id: number;
  sku: string;
  name: string;
  base_price: string;
  delivery_charge: string;
  variations: Variation[];
  discount: string;
  fixed_price: string | null;
}

@Injectable()
export class OffersRepository {
  async find(transaction: Transaction, planId: number, skus: string[]): Promise<Map<string, Offer>> {
    const rows = await transaction.query<OfferRow>(FIND, [skus, planId]);
    return new Map(rows.map((row) => [row.sku, toOffer(row)]));
  }
}

function toOffer(row: OfferRow): Offer {
  const fixed = row.fixed_price === null ? null : minorFromNumeric(row.fixed_price);
  return {
    productId: row.id,
    sku: row.sku,
    name: row.name,
    price: planPrice(minorFromNumeric(row.base_price), basisPointsFromPercent(row.discount), fixed),
    deliveryCharge: minorFromNumeric(row.delivery_charge),
    variations: row.variations,
  };
}
