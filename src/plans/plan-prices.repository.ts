import { Injectable } from '@nestjs/common';
import { WAS } from '../imports/import-guards.js';
import { Database } from '../platform/database/database.js';
import { DISCOUNTED, PRICE_FINGERPRINT, type PriceRow } from './price-import.js';

/** SQL, because it is streamed from a cursor: the rows may be plans times products. */
const EXPORT = `
  SELECT plans.code AS plan, p.sku, fixed.price AS wholesale_price, ${PRICE_FINGERPRINT} AS ${WAS}
    FROM plan_prices fixed JOIN plans ON plans.id = fixed.plan_id JOIN products p ON p.id = fixed.product_id
   ORDER BY plans.code, p.id`;

/** What clients pay for one product, by plan. */
const OF_PRODUCT = {
  text: `
    SELECT plans.code AS plan, plans.name, plans.discount::float8 AS discount, fixed.price AS fixed,
           coalesce(fixed.price, ${DISCOUNTED}) AS price, ${PRICE_FINGERPRINT} AS ${WAS}
      FROM products p CROSS JOIN plans
      LEFT JOIN plan_prices fixed ON fixed.plan_id = plans.id AND fixed.product_id = p.id
     WHERE p.sku = $1
     ORDER BY plans.code`,
};

export interface PlanPriceShown {
  plan: string;
  name: string;
  discount: number;
  /** Numeric text, as all prices. Null: the discount gives the price. */
  fixed: string | null;
  price: string;
  /** Shows later whether the fixed price has changed. */
  was: string;
}

@Injectable()
export class PlanPricesRepository {
  constructor(private readonly database: Database) {}

  ofProduct(sku: string): Promise<PlanPriceShown[]> {
    return this.database.query<PlanPriceShown & object>(OF_PRODUCT, [sku]);
  }

  /** Fixed prices, as in their file. */
  fixed(): AsyncGenerator<PriceRow> {
    return this.database.stream<PriceRow>(EXPORT);
  }
}
