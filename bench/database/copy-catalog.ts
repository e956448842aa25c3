import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { syntheticProducts } from '../../src/demo/synthetic-catalog.js';

const PRODUCTS = `
  COPY products (id, sku, name, description, category, images, base_price, delivery_charge, active, variations)
  FROM STDIN (FORMAT csv)`;
const STOCK = 'COPY stock_items (product_id, variation_key, on_hand) FROM STDIN (FORMAT csv)';

export async function copyProducts(client: ClientBase, count: number): Promise<void> {
  await copy(client, PRODUCTS, productRows(count));
  await client.query(`SELECT setval(pg_get_serial_sequence('products', 'id'), $1)`, [count]);
}

/** Ample stock: a bench must not run out of it. */
export async function copyStock(client: ClientBase, count: number, onHand?: number): Promise<void> {
  await copy(client, STOCK, stockRows(count, onHand));
}

async function copy(client: ClientBase, statement: string, rows: Iterable<unknown[]>): Promise<void> {
  await pipeline(Readable.from(rows), stringify(), client.query(copyFrom(statement)));
}

function* productRows(count: number): Generator<unknown[]> {
  let id = 0;
  for (const product of syntheticProducts(count)) {
    const { sku, name, description, category, images, basePrice, deliveryCharge, active, variations } =
      product;
    const pictures = `{${images.join(',')}}`;
    const json = JSON.stringify(variations);
    yield [++id, sku, name, description, category, pictures, basePrice, deliveryCharge, String(active), json];
  }
}

function* stockRows(count: number, onHand?: number): Generator<unknown[]> {
  let id = 0;
  for (const { stock } of syntheticProducts(count)) {
    id++;
    for (const [key, quantity] of Object.entries(stock)) yield [id, key, onHand ?? quantity];
  }
}
