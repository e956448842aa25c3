import { Inject, Injectable } from '@nestjs/common';
import { onePage } from '../../platform/lists/one-page.js';
import { inPieces } from '../../platform/piecework/in-pieces.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { lookThrough } from '../../read-model/lists/picked-part.js';
import { findProduct } from '../../read-model/products/find-product.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import type { ProductChunk } from '../../read-model/products/product-chunk.js';
import type { ProductShelf } from '../../read-model/products/product-shelf.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import { SkuSuggestions } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { type PriceListRow, priceListRow } from './price-list.js';
import { atPrice, type ProductAtPrice } from './product-at-price.js';
import { matcherOf, type Sought } from './product-matcher.js';

/** How many products a page has. */
const PAGE = 50;

/** More categories than these nobody picks one from; they are found by searching. */
const MOST_CATEGORIES = 100;

/** How many chunks of a file are in memory at a time. */
const AT_A_TIME = 4;

export interface CatalogPage {
  products: ProductAtPrice[];
  /** How many match on all pages together, of how many there are. */
  matching: number;
  total: number;
  /** All there are, whatever was sought; none if they are too many to pick from. */
  categories: string[];
  /** The next ones are those after the product with this id, if there are any. */
  next: number | undefined;
}

/** What one chunk has for a page. */
interface Look {
  matching: ProductView[];
  categories: Set<string>;
}

/** The catalog for people: at a plan's prices, from memory. For however little is wanted all is looked through, in pieces. */
@Injectable()
export class CatalogBrowser {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page goes on after an id and not at a position, so that it stays good when products come and go. */
  async page(plan: PlanView, sought: Sought, after = 0): Promise<CatalogPage> {
    const { shelf } = this.snapshot.current();
    const looks = await inPieces(look(shelf, matcherOf(sought)));
    const matching = looks.flatMap((each) => each.matching);
    const rest = matching.filter(({ id }) => id > after);
    const { rows, last } = onePage(rest, PAGE);
    return {
      products: rows.map((product) => atPrice(product, plan)),
      matching: matching.length,
      total: shelf.count,
      categories: categoriesOf(looks),
      next: last?.id,
    };
  }

  product(plan: PlanView, sku: string): ProductAtPrice {
    return atPrice(findProduct(this.snapshot.current(), sku, this.suggestions), plan);
  }

  /** All of it, for a file: each product as it is when its row is written. */
  async *priceList(plan: PlanView): AsyncGenerator<PriceListRow> {
    const chunks = this.snapshot.current().shelf.chunks();
    for (let at = 0; at < chunks.length; at += AT_A_TIME) {
      yield* await inPieces(this.write(chunks.slice(at, at + AT_A_TIME), plan));
    }
  }

  private *write(chunks: readonly ProductChunk[], plan: PlanView): Generator<void, PriceListRow[]> {
    const rows: PriceListRow[] = [];
    for (const { products } of chunks) {
      rows.push(...products.map((product) => priceListRow(atPrice(product, plan), this.settings.currency)));
      yield;
    }
    return rows;
  }
}

function look(shelf: ProductShelf, matches: (product: ProductView) => boolean): Generator<void, Look[]> {
  return lookThrough(
    () => shelf.chunks(),
    ({ version }) => version,
    ({ products }) => ({
      matching: products.filter(matches),
      categories: new Set(products.map(({ category }) => category)),
    }),
  );
}

function categoriesOf(looks: readonly Look[]): string[] {
  const categories = new Set(looks.flatMap((each) => [...each.categories]));
  categories.delete('');
  return categories.size > MOST_CATEGORIES
    ? []
    : [...categories].toSorted((a, b) => a.localeCompare(b, 'en'));
}
