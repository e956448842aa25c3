import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { csvSource } from '../imports/csv-source.js';

/**
 * The rows of `products p` that are samples: those of the demo's file, given as two lists, and synthetic
 * ones. A sample with a changed name belongs to the wholesaler.
 */
export const IS_MADE_UP = `(
  (p.sku, p.name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  OR p.sku ~ '^SYN-[0-9]{7,8}$' AND p.name = 'Sample product ' || substr(p.sku, 5)::int)`;

export function demoFile(name: string): Promise<Buffer> {
  return readFile(new URL(`files/${name}.csv`, import.meta.url));
}

/** SKUs and names of the demo's file, as `IS_MADE_UP` takes them. */
export async function demoProducts(): Promise<[skus: string[], names: string[]]> {
  const bytes = await demoFile('catalog');
  const cells: string[][] = [];
  for await (const { records } of csvSource(Readable.from([bytes]), bytes.length).batches())
    for (const record of records) cells.push(record.cells);
  const products = cells.slice(1);
  return [products.map(([sku]) => sku ?? ''), products.map(([, name]) => name ?? '')];
}
