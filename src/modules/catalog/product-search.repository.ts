import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { type LengthLaw, missingTaxData } from '../tax/goods-law.js';
import type { Product } from './product.entity.js';
import { barcodeFault } from './rules/barcode.js';

/** More words find nothing new. */
const MAX_WORDS = 8;

export interface ProductSearchFilter {
  /** All words must stand in the SKU, the name or the category, or it is the barcode. */
  text?: string;
  active?: boolean;
  /** This one, in any case. */
  category?: string;
  /** Those that no invoice can have. No index knows them: it reads the products. */
  lacksTaxData?: boolean;
}

/** The products whose values are changed together. */
export interface BulkFilter extends ProductSearchFilter {
  /** The first digits of the HSN code. It has no index: only a change of many reads by it. */
  hsn?: string;
}

export interface ProductSearchRow extends Pick<
  Product,
  'id' | 'sku' | 'name' | 'category' | 'barcode' | 'shelf' | 'active'
> {
  /** Numeric text. */
  base_price: string;
  /** The first one. */
  picture: string | null;
  on_hand: number;
  held: number;
}

export type PriceOfSku = Pick<ProductSearchRow, 'sku' | 'base_price'>;

// SQL: an index on this expression answers, and QueryBuilder has no lateral join.
const SEARCHED = `lower(p.sku || ' ' || p.name || ' ' || p.category)`;

/** The index knows parts of three letters. For shorter words it would read all: 1.3 s instead of 5 ms. */
const WITHOUT_INDEX = `(${SEARCHED} || '')`;
const MIN_INDEXED_LETTERS = 3;

/** The rule of `missingTaxData` in SQL. */
export const lacksTaxData = ({ hsnDigits }: LengthLaw) =>
  `(char_length(p.hsn) < ${hsnDigits} OR p.gst_rate IS NULL)`;

/** `coded`: products with the barcode, which is the only word, match too. */
const matching = (words: readonly string[], firstWord: number, coded: readonly number[]) =>
  [
    '($1::boolean IS NULL OR p.active = $1)',
    ...words.map((word, at) => {
      const searched = word.length < MIN_INDEXED_LETTERS ? WITHOUT_INDEX : SEARCHED;
      const hasWord = `${searched} LIKE lower($${at + firstWord})`;
      return coded.length === 0 ? hasWord : `(${hasWord} OR p.id = ANY ($${at + firstWord + 1}::int[]))`;
    }),
  ].join(' AND ');

const find = (condition: string) => ({
  text: `
    SELECT p.id, p.sku, p.name, p.category, p.barcode, p.shelf, p.base_price, p.active,
           p.images[1] AS picture, stock.on_hand, stock.held
      FROM (SELECT * FROM products p WHERE p.id > $2 AND ${condition}
             ORDER BY p.id LIMIT $3) AS p
     CROSS JOIN LATERAL (
           SELECT coalesce(sum(i.on_hand), 0)::int AS on_hand, coalesce(sum(i.held), 0)::int AS held
             FROM stock_items i WHERE i.product_id = p.id) AS stock
     ORDER BY p.id`,
});

const count = (condition: string) => ({
  text: `
    SELECT count(*)::int AS count
      FROM (SELECT FROM products p WHERE ${condition} LIMIT ${MAX_COUNTED + 1}) AS found`,
});

/** Streamed, without stock: a change of prices may have all products. */
const prices = (condition: string) =>
  `SELECT p.sku, p.base_price FROM products p WHERE ${condition} ORDER BY p.id`;

/** The text also as a pattern: the index of the search finds SKUs in any case. */
const BY_CODE = {
  text: `
    SELECT p.sku FROM products p
     WHERE p.sku = $1 OR p.id = ANY ($3::int[]) OR (lower(p.sku) = lower($1) AND ${SEARCHED} LIKE lower($2))
     ORDER BY p.sku <> $1 LIMIT 2`,
};

/** All products, active or not, for the people who sell them. */
@Injectable()
export class ProductSearch {
  constructor(
    private readonly database: Database,
    private readonly snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page starts after an id, not at a position: it stays correct when products come and go. */
  async find(filter: ProductSearchFilter, after = 0, limit: number): Promise<ProductSearchRow[]> {
    const { condition, values } = await this.read(filter, [after, limit]);
    return this.database.query<ProductSearchRow & object>(find(condition), values);
  }

  async count(filter: BulkFilter): Promise<BoundedCount> {
    const { condition, values } = await this.read(filter);
    const [counted] = await this.database.query<{ count: number }>(count(condition), values);
    return toBoundedCount(counted!.count);
  }

  /** From memory: the database would read all products, at each view of Today. */
  async countUntaxed(): Promise<number> {
    const isUntaxed = ({ active, hsn, gstRate: rate }: ProductView) =>
      active && missingTaxData({ hsn, rate }, this.settings) !== undefined;
    return (await runInSlices(this.snapshot.current().productIndex.idsOf(isUntaxed))).length;
  }

  async *basePrices(filter: BulkFilter): AsyncGenerator<PriceOfSku> {
    const { condition, values } = await this.read(filter);
    yield* this.database.stream<PriceOfSku>(prices(condition), values);
  }

  /** The SKU of the product with this SKU, or else of the only one with it in any case or as barcode. */
  async skuOf(code: string): Promise<string | undefined> {
    const values = [code, ...likePatterns([code]), await this.idsOfBarcode([code])];
    const [first, second] = await this.database.query<{ sku: string }>(BY_CODE, values);
    return first && (first.sku === code || !second) ? first.sku : undefined;
  }

  /** The condition and its values. `others` are the values $2, $3 and so on. */
  private async read(filter: BulkFilter, others: readonly unknown[] = []) {
    const { active = null, category, hsn, lacksTaxData: isUntaxed = false } = filter;
    const words = splitWords(filter.text);
    const coded = await this.idsOfBarcode(words);
    const values = withIds([active, ...others, ...likePatterns(words)], coded);
    const conditions = [matching(words, others.length + 2, coded)];
    if (isUntaxed) conditions.push(lacksTaxData(this.settings));
    if (category !== undefined) {
      const searched = category.length < MIN_INDEXED_LETTERS ? WITHOUT_INDEX : SEARCHED;
      const [pattern, text] = [values.push(...likePatterns([category])), values.push(category)];
      conditions.push(`${searched} LIKE lower($${pattern}) AND lower(p.category) = lower($${text})`);
    }
    if (hsn !== undefined) conditions.push(`p.hsn LIKE $${values.push(`${hsn}%`)}`);
    return { condition: conditions.join(' AND '), values };
  }

  /** From memory: the database has no index for barcodes. */
  private async idsOfBarcode([barcode, ...others]: readonly string[]): Promise<number[]> {
    if (barcode === undefined || others.length > 0 || barcodeFault(barcode) !== undefined) return [];
    return runInSlices(this.snapshot.current().productIndex.idsOf((product) => product.barcode === barcode));
  }
}

const splitWords = (text = '') => text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

const withIds = (values: unknown[], ids: readonly number[]) => (ids.length === 0 ? values : [...values, ids]);

const likePatterns = (words: readonly string[]) =>
  words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
