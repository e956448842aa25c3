import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { CATALOG_COLUMNS } from '../../src/catalog/catalog-columns.js';
import {
  catalogRows,
  type SyntheticProduct,
  stockRows as countRows,
  syntheticProducts,
} from '../../src/demo/synthetic-load.service.js';
import { STOCK_COLUMNS } from '../../src/stock/stock-import.js';
import type { Bench } from '../bench.js';
import {
  type CsvRow,
  copy,
  COPY_PRODUCTS,
  COPY_STOCK,
  csvOf,
  productRows,
  stockRows,
} from '../database/copy-catalog.js';
import { type Finding, judge } from '../finding.js';
import { perSecond } from '../figures.js';
import type { Row } from '../row.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

function* fileOf(
  heading: readonly string[],
  count: number,
  rowsOf: (product: SyntheticProduct) => string[][],
): Generator<CsvRow> {
  yield [...heading];
  for (const product of syntheticProducts(count)) yield* rowsOf(product);
}

/** Runs the commands as the wholesaler does, including their start. */
async function secondsOfImports(bench: Bench, count: number): Promise<{ catalog: number; stock: number }> {
  const url = await bench.postgres.createDatabase('import_by_command');
  const importFile = async (kind: string, rows: Iterable<CsvRow>): Promise<number> => {
    const file = join(bench.directory, `${kind}.csv`);
    await pipeline(csvOf(rows), createWriteStream(file));
    const environment = { PATH: process.env.PATH, DATABASE_URL: url };
    return seconds(() => run(process.execPath, [CLI, kind, 'import', file, '--json'], { env: environment }));
  };
  return {
    catalog: await importFile('catalog', fileOf(CATALOG_COLUMNS, count, catalogRows)),
    stock: await importFile('stock', fileOf(STOCK_COLUMNS, count, countRows)),
  };
}

/** Copies the same rows into the same tables, with indexes, constraints and triggers. */
async function secondsOfCopies(bench: Bench, count: number): Promise<{ products: number; stock: number }> {
  const client = new pg.Client(await bench.postgres.createDatabase('import_by_copy'));
  await client.connect();
  const copyFile = async (name: string, statement: string, rows: Iterable<CsvRow>): Promise<number> => {
    const file = join(bench.directory, `copy-${name}.csv`);
    await pipeline(csvOf(rows), createWriteStream(file));
    return seconds(() => copy(client, statement, createReadStream(file)));
  };
  try {
    return {
      products: await copyFile('products', COPY_PRODUCTS, productRows(count)),
      stock: await copyFile('stock', COPY_STOCK, stockRows(count)),
    };
  } finally {
    await client.end();
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return (performance.now() - beganAt) / 1_000;
}

function compared(work: string, rows: number, ours: number, against: string, copied: number): Finding {
  return {
    work,
    measured: perSecond(rows / ours, 'rows'),
    against: `${against}: ${perSecond(rows / copied, 'rows')}`,
    ...judge(copied / ours, '≥', 0.5),
  };
}

export const imports: Row = {
  id: 'imports',
  async measure(bench) {
    const count = bench.options.quick ? 10_000 : 50_000;
    const ours = await secondsOfImports(bench, count);
    const copies = await secondsOfCopies(bench, count);
    const written = copies.products + copies.stock;
    return [
      compared(
        'catalog import, three variations each',
        count,
        ours.catalog,
        'COPY of products and stock rows',
        written,
      ),
      compared('stock import', count * 3, ours.stock, 'COPY of stock rows', copies.stock),
    ];
  },
};
