import { Inject, Injectable } from '@nestjs/common';
import { OwnAddress } from '../../platform/http/own-address.js';
import { onePage } from '../../platform/lists/bounded-lists.js';
import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { searchChunks } from '../../read-model/synced-lists/picked-part.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import type { ProductChunk } from '../../read-model/products/product-chunk.js';
import type { ProductIndex } from '../../read-model/products/product-index.js';
import { type ProductView, variationStocks } from '../../read-model/products/product-view.js';
import { SkuSuggestions, findProduct } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { absolutePictures } from '../pictures/picture-paths.js';
import { createMatcher, escapePattern, type ProductFilter } from './product-matcher.js';
import { formatVariations } from './rules/variations-cell.js';

const PAGE_SIZE = 50;

/** A longer list is of no use in a menu. */
const MAX_CATEGORIES = 100;

/** Each completion reads all products. */
const MAX_COMPLETED = 10;

/** Chunks of a file that are in memory at a time. */
const CHUNKS_AT_A_TIME = 4;

export interface CatalogPage {
  products: ProductAtPrice[];
  /** The number of matches on all pages. */
  matching: number;
  total: number;
  /** All categories, with any filter; empty if there are too many. */
  categories: string[];
  /** The next page begins after the product with this id. */
  next: number | undefined;
}

interface SkuCompletion {
  skus: string[];
  /** The text means this one product. An inactive product with exactly this SKU is another one. */
  isClear: boolean;
}

interface ChunkMatches {
  matching: ProductView[];
  categories: Set<string>;
}

/** The catalog at a plan's prices for the dashboard. A search reads all products in memory, in pieces. */
@Injectable()
export class CatalogBrowser {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
    private readonly own: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page starts after an id, not at a position: it stays correct when products come and go. */
  async page(plan: PlanView, filter: ProductFilter, after = 0): Promise<CatalogPage> {
    const { productIndex } = this.snapshot.current();
    const chunks = await runInSlices(findMatches(productIndex, createMatcher(filter)));
    const matching = chunks.flatMap((each) => each.matching);
    const rest = matching.filter(({ id }) => id > after);
    const { rows, last } = onePage(rest, PAGE_SIZE);
    return {
      products: rows.map((product) => atPrice(product, plan)),
      matching: matching.length,
      total: productIndex.count,
      categories: categoriesOf(chunks),
      next: last?.id,
    };
  }

  product(plan: PlanView, sku: string): ProductAtPrice {
    return atPrice(findProduct(this.snapshot.current(), sku, this.suggestions), plan);
  }

  /** For each text that is no SKU for sale: the products whose SKU or name begins with it. */
  async completeSkus(texts: readonly string[]): Promise<Map<string, SkuCompletion>> {
    const { productIndex } = this.snapshot.current();
    const unknown = new Set(texts.filter((text) => text !== '' && !productIndex.find(text)));
    const completed = new Map<string, SkuCompletion>();
    for (const text of [...unknown].slice(0, MAX_COMPLETED)) {
      const start = new RegExp(`^${escapePattern(text)}`, 'iu');
      const isMatch = ({ sku, name }: ProductView) => start.test(sku) || start.test(name);
      const chunks = await runInSlices(findMatches(productIndex, isMatch));
      const skus = chunks.flatMap(({ matching }) => matching.map(({ sku }) => sku));
      const same = skus.filter((sku) => sku.toLowerCase() === text.toLowerCase());
      const meant = same.length === 1 ? same : skus;
      const isTaken = productIndex.has(text) || (meant === skus && productIndex.has(text.toUpperCase()));
      completed.set(text, { skus: meant, isClear: meant.length === 1 && !isTaken });
    }
    return completed;
  }

  /** All products, for a file. Each row shows the product at the time of writing. */
  async *priceList(plan: PlanView): AsyncGenerator<PriceListRow> {
    const chunks = this.snapshot.current().productIndex.chunks();
    for (let at = 0; at < chunks.length; at += CHUNKS_AT_A_TIME) {
      yield* await runInSlices(this.write(chunks.slice(at, at + CHUNKS_AT_A_TIME), plan));
    }
  }

  private *write(chunks: readonly ProductChunk[], plan: PlanView): Generator<void, PriceListRow[]> {
    const rows: PriceListRow[] = [];
    for (const { products } of chunks) {
      rows.push(
        ...products.map((product) =>
          priceListRow(atPrice(product, plan), this.settings.currency, this.own.publicUrl),
        ),
      );
      yield;
    }
    return rows;
  }
}

function findMatches(
  index: ProductIndex,
  matches: (product: ProductView) => boolean,
): Generator<void, ChunkMatches[]> {
  return searchChunks(
    () => index.chunks(),
    (chunk) => chunk,
    ({ products }) => ({
      matching: products.filter(matches),
      categories: new Set(products.map(({ category }) => category)),
    }),
  );
}

function categoriesOf(chunks: readonly ChunkMatches[]): string[] {
  const categories = new Set(chunks.flatMap((each) => [...each.categories]));
  categories.delete('');
  return categories.size > MAX_CATEGORIES ? [] : [...categories].toSorted((a, b) => a.localeCompare(b, 'en'));
}

type CatalogField = 'sku' | 'name' | 'description' | 'category' | 'images' | 'deliveryCharge' | 'variations';

export interface ProductAtPrice extends Pick<ProductView, CatalogField> {
  price: Minor;
  /** For sale now: all variations together, and each by its key. */
  stock: number;
  variationStocks: Record<string, number>;
}

export function atPrice(product: ProductView, plan: PlanView): ProductAtPrice {
  const { sku, name, description, category, images, deliveryCharge, variations } = product;
  const [price, stock] = [plan.priceOf(product), product.quantity];
  const fields = { sku, name, description, category, images, deliveryCharge, variations };
  return { ...fields, price, stock, variationStocks: variationStocks(product) };
}

/** The columns of the client's price list. Shared columns have the same names as in the catalog file. */
export const PRICE_LIST_COLUMNS = [
  'sku',
  'name',
  'description',
  'category',
  'images',
  'variations',
  'wholesale_price',
  'delivery_charge',
  'currency',
  'stock_qty',
  'variation_stocks',
] as const;

export type PriceListRow = Record<(typeof PRICE_LIST_COLUMNS)[number], string | number>;

export function priceListRow(product: ProductAtPrice, currency: string, origin: string): PriceListRow {
  const { sku, name, description, category, images, variations } = product;
  return {
    sku,
    name,
    description,
    category,
    images: absolutePictures(images, origin).join(' '),
    variations: formatVariations(variations),
    wholesale_price: numericFromMinor(product.price),
    delivery_charge: numericFromMinor(product.deliveryCharge),
    currency,
    stock_qty: product.stock,
    variation_stocks: Object.entries(product.variationStocks)
      .map(([key, quantity]) => `${key}=${quantity}`)
      .join('; '),
  };
}
