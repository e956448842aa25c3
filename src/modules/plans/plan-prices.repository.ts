import { Injectable } from '@nestjs/common';
import { WAS } from '../../shared/imports/import-guards.js';
import { Database } from '../../platform/database/database.js';
import { DISCOUNTED, PRICE_FINGERPRINT, type PriceRow } from './price-import.js';

const CODES = { text: 'SELECT code FROM plans ORDER BY code' };

/** SQL, because it is streamed from a cursor: a plan may have a price for each product. */
const OF_PLAN = `
  SELECT plans.code AS plan, p.sku, fixed.price AS wholesale_price, ${PRICE_FINGERPRINT} AS ${WAS}
    FROM plans JOIN plan_prices fixed ON fixed.plan_id = plans.id JOIN products p ON p.id = fixed.product_id
   WHERE plans.code = $1
   ORDER BY fixed.product_id`;

const OF_PRODUCT = {
  text: `
    SELECT plans.code AS plan, plans.name, plans.discount::float8 AS discount, fixed.price AS fixed,
           coalesce(fixed.price, ${DISCOUNTED}) AS price, ${PRICE_FINGERPRINT} AS ${WAS}
      FROM products p CROSS JOIN plans
      LEFT JOIN plan_prices fixed ON fixed.plan_id = plans.id AND fixed.product_id = p.id
     WHERE p.sku = $1
     ORDER BY plans.code`,
};

export interface PlanPriceRow {
  plan: string;
  name: string;
  discount: number;
  /** Numeric text, as all prices. Null: the discount gives the price. */
  fixed: string | null;
  price: string;
  /** The fingerprint of the fixed price. It shows later whether the price has changed. */
  was: string;
}

@Injectable()
export class PlanPricesRepository {
  constructor(private readonly database: Database) {}

  ofProduct(sku: string): Promise<PlanPriceRow[]> {
    return this.database.query<PlanPriceRow & object>(OF_PRODUCT, [sku]);
  }

  /** Fixed prices, as in their file. Sorted by plan, because sorting all rows would delay the first. */
  async *fixed(): AsyncGenerator<PriceRow> {
    const plans = await this.database.query<{ code: string }>(CODES, []);
    for (const { code } of plans) yield* this.database.stream<PriceRow>(OF_PLAN, [code]);
  }
}
