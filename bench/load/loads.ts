import { orderBody } from '../../test/support/order-body.js';
import type { BenchDatabase } from '../database/bench-database.js';

/** The requests that a generator repeats. Plain data, because another process receives it. */
export interface Load {
  requests: LoadRequest[];
  connections: number;
}

export interface LoadRequest {
  path: string;
  headers: Record<string, string>;
  /** Of a POST. Each request replaces `[<id>]` with another text. */
  body?: string;
}

/** 32 connections keep one core busy, and the back end of a store may open as many. */
export function reads(headers: Record<string, string>, paths: string[], connections = 32): Load {
  return { requests: paths.map((path) => ({ path, headers })), connections };
}

export function stockChecks(database: BenchDatabase, count = 1): Load {
  return productReads(database, count, '/stock');
}

export function productReads({ products, store }: BenchDatabase, count: number, part = ''): Load {
  const skus = Array.from({ length: count }, (_, index) => skuOf(products, index / count));
  return reads(
    store.headers,
    skus.map((sku) => `/api/products/${sku}${part}`),
  );
}

/** The same requests with the tag of the server's answer. */
export async function unchanged(
  { requests: [request], connections }: Load,
  { url }: { url: string },
): Promise<Load> {
  const { path, headers } = request!;
  const { headers: answered } = await fetch(url + path, { headers });
  return reads({ ...headers, 'If-None-Match': answered.get('ETag')! }, [path], connections);
}

/** The whole list, of which a few are under way at any time. */
export function wholeLists({ store }: BenchDatabase, encoding = 'gzip', connections = 8): Load {
  return reads({ ...store.headers, 'Accept-Encoding': encoding }, ['/api/products'], connections);
}

/** Polls of all stores for the changes since one moment: a body of less than 64 KB. */
export async function changePolls({ pool, store }: BenchDatabase, server: { url: string }): Promise<Load> {
  const whole = await fetch(`${server.url}/api/products`, { headers: store.headers });
  const { sync_token: token } = (await whole.json()) as { sync_token: string };
  const changed = `UPDATE products SET name = name || ' (new)' WHERE id IN (SELECT id FROM products LIMIT 100)`;
  await pool.query(changed);
  const path = `/api/products?since=${encodeURIComponent(token)}`;
  for (let count = 0; count < 100;) {
    const changes = await fetch(server.url + path, { headers: store.headers });
    count = ((await changes.json()) as { data: unknown[] }).data.length;
  }
  return reads({ ...store.headers, 'Accept-Encoding': 'gzip' }, [path], 8);
}

/** Polls of the status of a thousand orders of the store. */
export async function statusPolls({ pool, store }: BenchDatabase): Promise<Load> {
  const { rows } = await pool.query<{ path: string }>(
    `SELECT '/api/orders/' || order_number || '/status' AS path FROM orders WHERE client_id = $1
      ORDER BY hashtext(order_number) LIMIT 1000`,
    [store.clientId],
  );
  return reads(
    store.headers,
    rows.map(({ path }) => path),
  );
}

/** Orders of two lines, each with another pair of products. */
export function orders(database: BenchDatabase, connections: number): Load {
  const requests = Array.from({ length: 1_000 }, (_, n) => orderOf(database, [n, n * 7 + 1]));
  return { requests, connections };
}

/** Orders of the same product, as on the day of a sale. */
export function hotOrders(database: BenchDatabase, connections: number): Load {
  return { requests: [orderOf(database, [0])], connections };
}

/** One unit of each of these products, in alternating sizes. */
function orderOf({ products, store }: BenchDatabase, indexes: number[]): LoadRequest {
  const items = indexes.map((index) => ({
    sku: skuOf(products, (index % 1_000) / 1_000),
    quantity: 1,
    variation: `Size:${'SML'[index % 3]}`,
  }));
  const body = JSON.stringify(orderBody(items, { store_order_id: '[<id>]' }));
  return { path: '/api/orders', headers: { ...store.headers, 'Content-Type': 'application/json' }, body };
}

/** Returns the SKU of the product at this part of the catalog. */
function skuOf(products: number, part: number): string {
  return `SYN-${String(1 + Math.floor(part * products)).padStart(7, '0')}`;
}
