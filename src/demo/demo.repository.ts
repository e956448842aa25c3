import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import type { DedicatedConnection } from '../platform/database/dedicated-connection.js';
import { STORE } from './demo-store.js';

/** An arbitrary number, the same on all nodes. */
const DEMO_LOCK = 7_214_003;

export interface RealThings {
  clients: number;
  products: number;
  orders: number;
}

/**
 * The rows of `products p` that are samples: those of the demo's file, given as two lists, and synthetic
 * ones. A sample with a changed name belongs to the wholesaler.
 */
const IS_MADE_UP = `(
  (p.sku, p.name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  OR p.sku ~ '^SYN-[0-9]{7,8}$' AND p.name = 'Sample product ' || substr(p.sku, 5)::int)`;

// SQL: a sample catalog may have millions of products, and `IS_MADE_UP` is SQL.

const COUNT_REAL = {
  name: 'demo-count-real',
  text: `
    SELECT (SELECT count(*)::int FROM clients WHERE email <> $3) AS clients,
           (SELECT count(*)::int FROM products p WHERE NOT ${IS_MADE_UP}) AS products,
           (SELECT count(*)::int FROM orders o JOIN clients c ON c.id = o.client_id
             WHERE c.email <> $3) AS orders`,
};

const WITHDRAW = {
  name: 'demo-withdraw',
  text: `
    WITH withdrawn AS (UPDATE products p SET active = false WHERE p.active AND ${IS_MADE_UP} RETURNING 1)
    SELECT count(*)::int AS deactivated FROM withdrawn`,
};

/** SKUs and names of the demo's products. */
type Samples = [skus: string[], names: string[]];

/** Tells the samples of the demo from real data. */
@Injectable()
export class DemoRepository {
  constructor(private readonly database: Database) {}

  async countReal(samples: Samples): Promise<RealThings> {
    const values = [...samples, STORE.email];
    const [found] = await this.database.query<RealThings & Record<string, number>>(COUNT_REAL, values);
    return found!;
  }

  /** Returns how many products were on sale. */
  async withdraw(samples: Samples): Promise<number> {
    const [products] = await this.database.query<{ deactivated: number }>(WITHDRAW, samples);
    return products!.deactivated;
  }
}

/** Nodes that start together take turns. The lock ends with a node that is killed. */
export async function waitForTurn({ client }: DedicatedConnection): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [DEMO_LOCK]);
}
