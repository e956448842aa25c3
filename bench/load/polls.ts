import { orderBody } from '../../test/support/order-body.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import type { Load, LoadRequest } from './load.js';

/** Enough connections to keep one core busy, and as many as the back end of a store may open. */
const CONNECTIONS = 32;

/** For large bodies, of which a few are under way at any time. */
const LIST_CONNECTIONS = 8;

const SIZES = ['S', 'M', 'L'];

export function stockChecks({ products, store }: BenchDatabase, skus = spreadSkus(products, 1)): Load {
  return reads(
    store.headers,
    skus.map((sku) => `/api/products/${sku}/stock`),
  );
}

export function reads(headers: Record<string, string>, paths: string[], connections = CONNECTIONS): Load {
  return { requests: paths.map((path) => ({ path, headers })), connections };
}

export function compressedLists({ store }: BenchDatabase, connections = LIST_CONNECTIONS): Load {
  return reads({ ...store.headers, 'Accept-Encoding': 'gzip' }, ['/api/products'], connections);
}

/** Orders of two lines, each with another pair of products. */
export function orders(database: BenchDatabase, connections: number): Load {
  return { requests: pairs(database, 1_000).map((items) => orderOf(database, items)), connections };
}

/** Orders of the same product, as on the day of a sale. */
export function hotOrders(database: BenchDatabase, connections: number): Load {
  return { requests: [orderOf(database, [item(database, 0)])], connections };
}

function orderOf(database: BenchDatabase, items: ReturnType<typeof item>[]): LoadRequest {
  return { ...post(database, '/api/orders', orderBody(items, { store_order_id: '[<id>]' })), status: 201 };
}

/** Returns one unit of a product of the catalog, in alternating sizes. */
function item({ products }: BenchDatabase, index: number) {
  const skus = spreadSkus(products, 1_000);
  const variation = `Size:${SIZES[index % SIZES.length]}`;
  return { sku: skus[index % skus.length]!, quantity: 1, variation };
}

function pairs(database: BenchDatabase, count: number) {
  return Array.from({ length: count }, (_, index) => [item(database, index), item(database, index * 7 + 1)]);
}

function post({ store }: BenchDatabase, path: string, body: object): LoadRequest {
  const headers = { ...store.headers, 'Content-Type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}
