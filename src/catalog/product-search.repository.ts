import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { onePage } from '../platform/lists/one-page.js';

const PAGE = 50;

/** A count of more rows would read too many. */
const MOST_COUNTED = 1_000;

/** More words find nothing new. */
const MOST_WORDS = 8;

export interface SoughtProducts {
  /** All words must stand in the SKU, the name or the category. */
  text?: string;
  active?: boolean;
}

export interface FoundProduct {
  id: number;
  sku: string;
  name: string;
  category: string;
  /** Numeric text. */
  base_price: string;
  active: boolean;
  on_hand: number;
  held: number;
}

export interface FoundProducts {
  rows: FoundProduct[];
  /** The next page begins after the product with this id. */
  next: number | undefined;
  /** The number of matches, up to a limit. */
  count: number;
  isMore: boolean;
}

// SQL: an index on this expression answers, and QueryBuilder has no lateral join.
const SEARCHED = `lower(p.sku || ' ' || p.name || ' ' || p.category)`;

/** The index knows parts of three letters. For shorter words it would read all: 1.3 s instead of 5 ms. */
const WITHOUT_INDEX = `(${SEARCHED} || '')`;
const LEAST_LETTERS = 3;

const matching = (words: readonly string[]) =>
  [
    '($1::boolean IS NULL OR p.active = $1)',
    ...words.map(
      (word, at) => `${word.length < LEAST_LETTERS ? WITHOUT_INDEX : SEARCHED} LIKE lower($${at + 3})`,
    ),
  ].join(' AND ');

const find = (words: readonly string[]) => ({
  text: `
    SELECT p.id, p.sku, p.name, p.category, p.base_price, p.active, stock.on_hand, stock.held
      FROM (SELECT * FROM products p WHERE p.id > $2 AND ${matching(words)}
             ORDER BY p.id LIMIT ${PAGE + 1}) AS p
     CROSS JOIN LATERAL (
           SELECT coalesce(sum(i.on_hand), 0)::int AS on_hand, coalesce(sum(i.held), 0)::int AS held
             FROM stock_items i WHERE i.product_id = p.id) AS stock
     ORDER BY p.id`,
});

const count = (words: readonly string[]) => ({
  text: `
    SELECT count(*)::int AS count
      FROM (SELECT FROM products p
             WHERE p.id > $2 AND ${matching(words)} LIMIT ${MOST_COUNTED + 1}) AS found`,
});

/** All products, active or not, for the people who sell them. */
@Injectable()
export class ProductSearch {
  constructor(private readonly database: Database) {}

  /** A page starts after an id, not at a position: it stays correct when products come and go. */
  async find({ text = '', active }: SoughtProducts, after = 0): Promise<FoundProducts> {
    const words = text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    const values = (from: number) => [active ?? null, from, ...patterns];
    const [found, [counted]] = await Promise.all([
      this.database.query<FoundProduct & object>(find(words), values(after)),
      this.database.query<{ count: number }>(count(words), values(0)),
    ]);
    const { rows, last } = onePage(found, PAGE);
    const isMore = counted!.count > MOST_COUNTED;
    return { rows, next: last?.id, count: Math.min(counted!.count, MOST_COUNTED), isMore };
  }
}
