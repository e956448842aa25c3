import { Injectable } from '@nestjs/common';
import type { ImportOptions } from '../imports/import-kind.js';
import { importRow } from '../imports/import-row.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordSource } from '../imports/record-source.js';
import { WAS } from '../imports/import-guards.js';
import { Database } from '../platform/database/database.js';
import { planNotFound } from './plan-administration.service.js';
import { DISCOUNTED, PRICE_FINGERPRINT, PRICE_IMPORT, type PriceRow } from './price-import.js';
import { PriceSchedules, type Scheduled } from './price-schedules.service.js';
import { scheduledImport } from './scheduled-import.js';

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
export class PriceFiles {
  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
    private readonly schedules: PriceSchedules,
  ) {}

  /** With dates, the prices are scheduled. */
  async import(source: RecordSource, { from, to, ...options }: ImportOptions): Promise<ImportReport> {
    const period = await this.schedules.periodOf({ from, to });
    if (!period) return this.importer.run(PRICE_IMPORT, source, options);
    let scheduled: Scheduled | undefined;
    const kind = scheduledImport(period, async ({ transactionInProgress }, made) => {
      await this.schedules.record(transactionInProgress, made, options.actor);
      scheduled = made;
    });
    const report = await this.importer.run(kind, source, options);
    if (!scheduled) return report;
    return { ...report, more: { json: { scheduled }, text: this.schedules.tell(scheduled) } };
  }

  ofProduct(sku: string): Promise<PlanPriceShown[]> {
    return this.database.query<PlanPriceShown & object>(OF_PRODUCT, [sku]);
  }

  async ofPlan(sku: string, code: string): Promise<PlanPriceShown> {
    const found = (await this.ofProduct(sku)).find(({ plan }) => plan === code);
    if (!found) throw planNotFound(code);
    return found;
  }

  /** One price, as in a file. Nothing is written if the price is not the one of `was` any more. */
  set(
    price: Pick<PriceRow, 'plan' | 'sku' | 'wholesale_price' | 'was'>,
    options: ImportOptions,
  ): ReturnType<typeof importRow> {
    return importRow(this, price, options, 'The price');
  }

  /** Only fixed prices. Discounted prices are not stored. */
  export(): AsyncGenerator<PriceRow> {
    return this.database.stream<PriceRow>(EXPORT);
  }
}
