import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { IN_FORCE } from './price-schedules.repository.js';

/** A price of a plan, or its discount, which has no product. */
export interface PriceToCome {
  sku: string | null;
  name: string | null;
  /** Amounts, or percentages of a discount, as numeric text. */
  old: string;
  new: string;
  from: Date;
  /** The old price returns at this time. */
  to: Date | null;
}

const discounted = (price: string, discount = 'plan.discount') =>
  `round(${price} * (100 - ${discount}) / 100, 2)`;

/** The discount of the plan when the prices of `schedule` change. It may have its own schedules. */
const DISCOUNT_THEN = `
  coalesce((SELECT CASE its.state WHEN 'waiting' THEN its.value ELSE its.replaced END
              FROM price_schedules other
              JOIN scheduled_prices its ON its.schedule_id = other.id AND its.number = 1
             CROSS JOIN LATERAL (
                   SELECT CASE WHEN schedule.applied_at IS NULL THEN schedule.from_at
                               ELSE schedule.to_at END AS at) AS change
             WHERE other.closed_at IS NULL AND its.plan_id = plan.id AND its.product_id IS NULL
               AND CASE its.state WHEN 'waiting' THEN other.from_at <= at AND (other.to_at > at) IS NOT FALSE
                                  ELSE other.to_at <= at END
             ORDER BY other.from_at DESC LIMIT 1), plan.discount)`;

/**
 * The prices of `plan` that change when `schedule` begins, or when it ends, as clients of the plan see them.
 * A fixed price hides a new base price. The two parts keep the order of their index.
 */
export const PRICES_TO_COME = `
  SELECT price.number, product.sku, product.name, seen.old, seen.new,
         CASE price.state WHEN 'waiting' THEN schedule.from_at ELSE schedule.to_at END AS "from",
         CASE price.state WHEN 'waiting' THEN schedule.to_at END AS "to"
    FROM ((SELECT * FROM scheduled_prices
            WHERE plan_id = plan.id AND schedule_id = schedule.id ORDER BY number)
          UNION ALL
          (SELECT * FROM scheduled_prices
            WHERE plan_id IS NULL AND NOT is_rate AND schedule_id = schedule.id ORDER BY number)) AS price
    LEFT JOIN products product ON product.id = price.product_id
    LEFT JOIN plan_prices fixed ON fixed.plan_id = plan.id AND fixed.product_id = product.id
   CROSS JOIN LATERAL (
         SELECT CASE price.state WHEN 'waiting' THEN price.value ELSE price.replaced END AS value) AS next
   CROSS JOIN LATERAL (
         SELECT CASE WHEN product.id IS NULL THEN plan.discount
                     ELSE coalesce(fixed.price, ${discounted('product.base_price')}) END AS old,
                CASE WHEN product.id IS NULL THEN next.value
                     WHEN price.plan_id IS NULL
                       THEN coalesce(fixed.price, ${discounted('next.value', DISCOUNT_THEN)})
                     ELSE coalesce(next.value, ${discounted('product.base_price', DISCOUNT_THEN)}) END AS new
         ) AS seen
   WHERE CASE price.state WHEN 'waiting' THEN true
              WHEN 'applied' THEN schedule.to_at IS NOT NULL AND ${IN_FORCE} IS NOT DISTINCT FROM price.value
              ELSE false END
     AND product.active IS NOT FALSE AND seen.old <> seen.new
   ORDER BY price.number`;

/** Reads at most $2 prices of each schedule. */
const OF_PLAN = `
  SELECT coming.sku, coming.name, coming.old, coming.new, coming."from", coming."to"
    FROM plans plan
    JOIN price_schedules schedule ON schedule.closed_at IS NULL
   CROSS JOIN LATERAL (${PRICES_TO_COME} LIMIT $2) AS coming
   WHERE plan.id = $1`;

const NEXT_OF_PLAN = { text: `${OF_PLAN} ORDER BY coming."from", schedule.id, coming.number LIMIT $2` };

const OF_PRODUCT = {
  text: `
    SELECT schedule.id AS change, plan.name AS plan, price.is_rate AS "isRate", price.value,
           schedule.from_at AS "from",
           schedule.to_at AS "to", schedule.applied_at IS NOT NULL AS running, schedule.actor
      FROM price_schedules schedule
      JOIN scheduled_prices price ON price.schedule_id = schedule.id
      JOIN products product ON product.id = price.product_id
      LEFT JOIN plans plan ON plan.id = price.plan_id
     WHERE schedule.closed_at IS NULL AND product.sku = $1
     ORDER BY schedule.from_at, schedule.id`,
};

export interface PriceOfProduct {
  change: number;
  /** Its name. Null: the base price, or the GST rate. */
  plan: string | null;
  isRate: boolean;
  /** Null: the discount of the plan gives the price. */
  value: string | null;
  from: Date;
  to: Date | null;
  running: boolean;
  actor: string;
}

/** Future price changes for the clients of a plan. */
@Injectable()
export class PricesToCome {
  constructor(private readonly database: Database) {}

  /** The next changes come first. */
  ofPlan(planId: number, limit: number): Promise<PriceToCome[]> {
    return this.database.query<PriceToCome & object>(NEXT_OF_PLAN, [planId, limit]);
  }

  ofProduct(sku: string): Promise<PriceOfProduct[]> {
    return this.database.query<PriceOfProduct & object>(OF_PRODUCT, [sku]);
  }

  /** All changes, by schedule. Streamed, because sorting a long file by time would delay it. */
  allOfPlan(planId: number): AsyncGenerator<PriceToCome> {
    return this.database.stream<PriceToCome>(OF_PLAN, [planId, null]);
  }
}
