import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import type { Load } from './load.js';

/** Enough to keep one core busy, and as many as a store's back end may open. */
const CONNECTIONS = 32;

/** Large bodies: a few are on their way at any time. */
const LIST_CONNECTIONS = 8;

export function stockChecks({ products, store }: BenchDatabase, skus = spreadSkus(products, 1)): Load {
  return {
    requests: skus.map((sku) => ({ path: `/api/products/${sku}/stock`, headers: store.headers })),
    connections: CONNECTIONS,
    status: 200,
  };
}

export function compressedLists({ store }: BenchDatabase): Load {
  const headers = { ...store.headers, 'Accept-Encoding': 'gzip' };
  return { requests: [{ path: '/api/products', headers }], connections: LIST_CONNECTIONS, status: 200 };
}
