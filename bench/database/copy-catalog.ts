import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { syntheticProducts } from '../../src/demo/synthetic-load.service.js';
import { csvRow } from '../../src/imports/csv-format.js';

type CsvRow = (string | number)[];

/** Large pieces, so that COPY waits only for the server. */
const PIECE = 65_536;

const COPY_PRODUCTS = `
  COPY products
    (id, sku, name, description, category, images, base_price, delivery_charge, active, variations)
  FROM STDIN (FORMAT csv)`;
const COPY_STOCK = 'COPY stock_items (product_id, variation_key, on_hand) FROM STDIN (FORMAT csv)';

/** Copies products with the same stock for every variation. */
export async function copyCatalog(client: ClientBase, count: number, onHand: number): Promise<void> {
  await copy(client, COPY_PRODUCTS, csvOf(productRows(count)));
  await client.query(`SELECT setval(pg_get_serial_sequence('products', 'id'), $1)`, [count]);
  await copy(client, COPY_STOCK, csvOf(stockRows(count, onHand)));
}

async function copy(client: ClientBase, statement: string, csv: Readable): Promise<void> {
  await pipeline(csv, client.query(copyFrom(statement)));
}

function csvOf(rows: Iterable<CsvRow>): Readable {
  return Readable.from(piecesOf(rows));
}

function* piecesOf(rows: Iterable<CsvRow>): Generator<string> {
  let piece = '';
  for (const row of rows) {
    piece += csvRow(row);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Rows in the order of COPY_PRODUCTS. */
function* productRows(count: number): Generator<CsvRow> {
  let id = 0;
  for (const product of syntheticProducts(count)) {
    const { sku, name, description, category, images, base_price, delivery_charge, active, variations } =
      product;
    const pictures = `{${images.join(',')}}`;
    const json = JSON.stringify(variations);
    yield [
      ++id,
      sku,
      name,
      description,
      category,
      pictures,
      base_price,
      delivery_charge,
      String(active),
      json,
    ];
  }
}

/** Rows in the order of COPY_STOCK. */
function* stockRows(count: number, onHand: number): Generator<CsvRow> {
  let id = 0;
  for (const { stock } of syntheticProducts(count)) {
    id++;
    for (const key of Object.keys(stock)) yield [id, key, onHand];
  }
}
