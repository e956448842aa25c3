import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import type { ImportKind, ImportOptions, RowFault } from '../../shared/imports/import-kind.js';
import { importRow } from '../../shared/imports/import-row.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { Importer } from '../../shared/imports/importer.service.js';
import type { RecordImport, RecordSource } from '../../shared/imports/record-source.js';
import { planPrice } from '../../read-model/products/plan-price.js';
import { withDecimalPoint } from '../../shared/imports/cells.js';
import { PRODUCT_FIELDS } from '../catalog/catalog-columns.js';
import { catalogImport } from '../catalog/catalog-import.js';
import { ProductSearch, type BulkFilter, type PriceOfSku } from '../catalog/product-search.repository.js';
import { ProductAdministration, type ProductChange } from '../catalog/product-administration.service.js';
import { Product } from '../catalog/product.entity.js';
import { Database } from '../../platform/database/database.js';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import { minorFromNumeric, numericFromMinor, parsePercent } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { PRICE_IMPORT, type PriceRow, VALUE_COLUMNS } from './price-import.js';
import { type PlanPriceRow, PlanPricesRepository } from './plan-prices.repository.js';
import type { ScheduleSummary } from './price-schedules.repository.js';
import { type ScheduleDates, PriceSchedules } from './price-schedules.service.js';
import { planNotFound } from './plan-administration.service.js';
import {
  describeFollowers,
  type ScheduledColumn,
  scheduledPrices,
  scheduledValues,
  WARN_OF_OTHER_CHANGES,
} from './scheduled-import.js';

interface PriceScheduled extends ScheduleSummary {
  sku: string;
  column: ScheduledColumn;
  old: string;
  new: string;
  warnings: RowFault[];
}

type Recorder = Parameters<typeof scheduledPrices>[1];

export const NEEDS_DATE = new DomainError(
  'invalid_value',
  'A GST rate needs the date from which it applies, and no end: the next rate ends it. To change a rate ' +
    'now, use the catalog.',
);

@Injectable()
export class PriceFiles {
  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
    private readonly prices: PlanPricesRepository,
    private readonly schedules: PriceSchedules,
    private readonly products: ProductAdministration,
    private readonly search: ProductSearch,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** With dates, the prices are scheduled. */
  async import(source: RecordSource, { from, to, ...options }: ImportOptions): Promise<ImportReport> {
    const period = await this.schedules.periodOf({ from, to });
    if (!period)
      return this.audit.recordFile('prices', await this.importer.run(PRICE_IMPORT, source, options), options);
    return this.schedule((record) => scheduledPrices(period, record), source, options, false);
  }

  /** A file of GST rates with a date. Rates without a date are in the catalog's file. */
  readonly rates = this.fileOf('gst_rate');

  /** A file of base prices. Without a date it is a catalog of these columns. */
  readonly basePrices = this.fileOf('base_price');

  private fileOf(column: ScheduledColumn): RecordImport {
    const isRate = column === 'gst_rate';
    return {
      import: async (source, { from, to, ...options }) => {
        const period = await this.schedules.periodOf({ from, to });
        if (isRate && (!period || to)) throw NEEDS_DATE;
        if (!period) {
          const catalog = catalogImport(this.settings);
          const compare = [...catalog.compare, WARN_OF_OTHER_CHANGES];
          const only = { columns: VALUE_COLUMNS[column], optional: [], compare, more: describeFollowers };
          const kind = { ...catalog, ...only };
          const report = await this.importer.run(kind, source, { ...options, updateOnly: true });
          return this.audit.recordFile('catalog', report, options);
        }
        const kind = (record: Recorder) => scheduledValues(column, this.settings, period, record);
        return this.schedule(kind, source, options, isRate);
      },
    };
  }

  /** Makes a file that changes the base prices of products by a percentage, or sets their GST rate. */
  async changedBy({ percent, rate }: { percent: string; rate: string }, filter: BulkFilter) {
    if ((percent === '') === (rate === ''))
      throw refusedField('percent', 'give either a percentage of the prices or a GST rate');
    const { hsn, active, lacksTaxData: isUntaxed } = filter;
    if (hsn !== undefined && !/^\d{2,8}$/.test(hsn)) throw refusedField('hsn', 'must be 2 to 8 digits');
    const change = rate === '' ? changeOfPrices(percent) : changeOfRate(rate, this.settings);
    if ((await this.search.count(filter)).count === 0) throw refusedField('search', 'no product matches');
    const products = [filter.text, hsn && `HSN ${hsn}`].filter(Boolean).join(', ') || 'all products';
    const state =
      active === undefined
        ? ''
        : `, ${active ? 'for sale' : 'not for sale'}${isUntaxed ? ', without tax data' : ''}`;
    const name = change.nameFor(`${products}${state}`).replaceAll(/[/\\]/g, ' ');
    return { name, isRate: change.column === 'gst_rate', ...this.valuesOf(filter, change) };
  }

  private valuesOf(filter: BulkFilter, { column, valueOf }: BulkChange) {
    const products = this.search.basePrices(filter);
    async function* rows(): AsyncGenerator<Record<string, string>> {
      for await (const product of products) yield { sku: product.sku, [column]: valueOf(product) };
    }
    return { columns: VALUE_COLUMNS[column] as readonly string[], rows: rows() };
  }

  private async schedule(
    kindWith: (record: Recorder) => ImportKind,
    source: RecordSource,
    options: ImportOptions,
    isRate: boolean,
  ): Promise<ImportReport> {
    let scheduled: ScheduleSummary | undefined;
    const kind = kindWith(async ({ transactionInProgress }, made) => {
      await this.schedules.record(transactionInProgress, made, options.actor, isRate, options.fileName);
      scheduled = made;
    });
    const report = await this.importer.run(kind, source, options);
    if (!scheduled) return report;
    const text = this.schedules.describe(scheduled, isRate ? 'GST rate' : 'price');
    const more = { json: { scheduled }, text: report.more?.text ?? '' };
    return { ...report, more, scheduled: { change: scheduled.change, text } };
  }

  /** Schedules a base price or a GST rate, with the same checks as for an immediate change. */
  async scheduleOne(
    sku: string,
    change: ProductChange,
    dates: ScheduleDates,
    options: ImportOptions,
  ): Promise<PriceScheduled> {
    const period = await this.schedules.periodOf(dates);
    const column = Object.keys(change).join();
    if (!period || (column !== 'base_price' && column !== 'gst_rate'))
      throw new DomainError('invalid_value', 'Only a base price or a GST rate can have dates.');
    const isRate = column === 'gst_rate';
    if (isRate && (period.to || change[column] === '')) throw NEEDS_DATE;
    const { warnings } = await this.products.preview(sku, change, options);
    const refuse = (fault: string) => {
      throw new DomainError('invalid_value', `${column} ${fault}.`);
    };
    const value = PRODUCT_FIELDS[column].read(withDecimalPoint(change[column]!), refuse, this.settings)!;
    return this.database.transaction(async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const product = await transaction.manager.findOneOrFail(Product, { where: { sku }, lock });
      const price = { productId: product.id, isRate, value, period, actor: options.actor };
      const scheduled = await this.schedules.add(transaction, price);
      const old = isRate ? (product.gstRate ?? '') : product.basePrice;
      return { ...scheduled, sku, column, old, new: value, warnings };
    });
  }

  ofProduct(sku: string): Promise<PlanPriceRow[]> {
    return this.prices.ofProduct(sku);
  }

  async ofPlan(sku: string, code: string): Promise<PlanPriceRow> {
    const match = (await this.ofProduct(sku)).find(({ plan }) => plan === code);
    if (!match) throw planNotFound(code);
    return match;
  }

  /** Sets one price, as a file does. If the price differs from `was`, nothing is written. */
  async set(
    price: Pick<PriceRow, 'plan' | 'sku' | 'wholesale_price' | 'was'>,
    options: ImportOptions,
  ): ReturnType<typeof importRow> {
    const { sku, plan, wholesale_price: text } = price;
    const before = (await this.ofProduct(sku)).find((one) => one.plan === plan)?.fixed ?? null;
    const done = await importRow(this, price, options, 'The price');
    const details = { plan, price: text === '' ? null : text, price_before: before };
    const entry = { action: 'price.changed', subject: `product ${sku}`, details } as const;
    if (!options.dryRun && !options.from)
      await this.audit.record({ ...entry, actor: options.actor, clientId: null });
    return done;
  }

  /** Only fixed prices. Discounted prices are not stored. */
  export(): AsyncGenerator<PriceRow> {
    return this.prices.fixed();
  }
}

const refusedField = (field: string, message: string) =>
  validationFailed([{ field, code: 'invalid_value', message }]);

interface BulkChange {
  column: ScheduledColumn;
  /** The name of the file. */
  nameFor: (products: string) => string;
  valueOf: (product: PriceOfSku) => string;
}

function changeOfPrices(percent: string): BulkChange {
  const parsed = parsePercent(percent, true);
  if ('fault' in parsed) throw refusedField('percent', parsed.fault);
  const changed = (base: string) =>
    numericFromMinor(planPrice(minorFromNumeric(base), -parsed.hundredths, null));
  return {
    column: 'base_price',
    nameFor: (products) => `${parsed.hundredths / 100} % on ${products}, rounded half up`,
    valueOf: ({ base_price: base }) => changed(base),
  };
}

function changeOfRate(typed: string, settings: Settings): BulkChange {
  const refuse = (fault: string) => {
    throw refusedField('gst_rate', fault);
  };
  const rate = PRODUCT_FIELDS.gst_rate.read(withDecimalPoint(typed), refuse, settings)!;
  return {
    column: 'gst_rate',
    nameFor: (products) => `GST rate ${rate} % of ${products}`,
    valueOf: () => rate,
  };
}
