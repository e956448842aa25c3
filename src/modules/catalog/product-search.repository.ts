import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../platform/lists/bounded-lists.js';
import type { Product } from './product.entity.js';

/** More words find nothing new. */
const MAX_WORDS = 8;

export interface ProductSearchFilter {
  /** All words must stand in the SKU, the name or the category. */
  text?: string;
  active?: boolean;
}

export interface ProductSearchRow extends Pick<Product, 'id' | 'sku' | 'name' | 'category' | 'active'> {
  /** Numeric text. */
  base_price: string;
  /** The first one. */
  picture: string | null;
  on_hand: number;
  held: number;
}

// SQL: an index on this expression answers, and QueryBuilder has no lateral join.
const SEARCHED = `lower(p.sku || ' ' || p.name || ' ' || p.category)`;

/** The index knows parts of three letters. For shorter words it would read all: 1.3 s instead of 5 ms. */
const WITHOUT_INDEX = `(${SEARCHED} || '')`;
const MIN_INDEXED_LETTERS = 3;

const matching = (words: readonly string[], firstWord: number) =>
  [
    '($1::boolean IS NULL OR p.active = $1)',
    ...words.map(
      (word, at) =>
        `${word.length < MIN_INDEXED_LETTERS ? WITHOUT_INDEX : SEARCHED} LIKE lower($${at + firstWord})`,
    ),
  ].join(' AND ');

const find = (words: readonly string[]) => ({
  text: `
    SELECT p.id, p.sku, p.name, p.category, p.base_price, p.active, p.images[1] AS picture,
           stock.on_hand, stock.held
      FROM (SELECT * FROM products p WHERE p.id > $2 AND ${matching(words, 4)}
             ORDER BY p.id LIMIT $3) AS p
     CROSS JOIN LATERAL (
           SELECT coalesce(sum(i.on_hand), 0)::int AS on_hand, coalesce(sum(i.held), 0)::int AS held
             FROM stock_items i WHERE i.product_id = p.id) AS stock
     ORDER BY p.id`,
});

const count = (words: readonly string[]) => ({
  text: `
    SELECT count(*)::int AS count
      FROM (SELECT FROM products p WHERE ${matching(words, 2)} LIMIT ${MAX_COUNTED + 1}) AS found`,
});

/** All products, active or not, for the people who sell them. */
@Injectable()
export class ProductSearch {
  constructor(private readonly database: Database) {}

  /** A page starts after an id, not at a position: it stays correct when products come and go. */
  find({ text, active }: ProductSearchFilter, after = 0, limit: number): Promise<ProductSearchRow[]> {
    const words = splitWords(text);
    return this.database.query<ProductSearchRow & object>(find(words), [
      active ?? null,
      after,
      limit,
      ...likePatterns(words),
    ]);
  }

  async count({ text, active }: ProductSearchFilter): Promise<BoundedCount> {
    const words = splitWords(text);
    const values = [active ?? null, ...likePatterns(words)];
    const [counted] = await this.database.query<{ count: number }>(count(words), values);
    return toBoundedCount(counted!.count);
  }
}

const splitWords = (text = '') => text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

const likePatterns = (words: readonly string[]) =>
  words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
