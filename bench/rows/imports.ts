import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import { SYNTHETIC_COLUMNS, syntheticProducts } from '../../src/demo/synthetic-load.service.js';
import { createApp } from '../../src/server/create-app.js';
import { csvRow } from '../../src/shared/imports/csv-format.js';
import { csvSource } from '../../src/shared/imports/csv-source.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { StockFiles } from '../../src/modules/stock/stock-files.service.js';
import { STOCK_COLUMNS } from '../../src/modules/stock/stock-import.js';
import { compareToAim, type Row } from '../finding.js';
import { processorMs } from '../processes.js';

const AIM = 0.6;

/** Files of new and of unchanged rows, beside COPY of the same products and stock into the same tables. */
export const imports: Row = {
  id: 'import',
  async measure({ postgres, options }) {
    const count = options.quick ? 2_000 : 50_000;
    const products = [...syntheticProducts(count)];
    const url = await postgres.createDatabase('imported');
    const app = await createApp(readSettings({ DATABASE_URL: url }), url, { logger: false });
    /** Processor time of this process and of PostgreSQL, which other work on the machine does not change. */
    const spent = async (work: () => Promise<void>) => {
      const [ours, theirs] = [process.cpuUsage(), processorMs(postgres.pid)];
      await work();
      const { user, system } = process.cpuUsage(ours);
      return (user + system) / 1_000 + processorMs(postgres.pid) - theirs;
    };
    const run = (type: typeof CatalogFiles | typeof StockFiles, file: Buffer) =>
      spent(async () => {
        const report = await app
          .get(type, { strict: false })
          .import(csvSource(Readable.from(chunksOf(file)), file.length), { actor: 'bench' });
        if (report.failedCount > 0) throw new Error(`${report.failedCount} rows were refused.`);
        await report.close();
      });
    const catalog = fileOf(
      SYNTHETIC_COLUMNS,
      products.flatMap(({ catalog: rows }) => rows),
    );
    const stock = fileOf(
      STOCK_COLUMNS,
      products.flatMap(({ stock: rows }) => rows),
    );
    const times = {
      'catalog, new rows': await run(CatalogFiles, catalog),
      'counts of stock, changed rows': await run(StockFiles, stock),
      'catalog, unchanged rows': await run(CatalogFiles, catalog),
      'counts of stock, unchanged rows': await run(StockFiles, stock),
    };
    await app.close();
    const [source, target] = [url, await postgres.createDatabase('copied')].map(
      (each) => new pg.Client(each),
    );
    await Promise.all([source!.connect(), target!.connect()]);
    let copy = 0;
    for (const table of ['products', 'stock_items']) {
      const rows = await buffer(source!.query(copyTo(`COPY ${table} TO STDOUT`)));
      const into = copyFrom(`COPY ${table} FROM STDIN`);
      copy += await spent(() => pipeline(Readable.from(chunksOf(rows)), target!.query(into)));
    }
    await Promise.all([source!.end(), target!.end()]);
    return Object.entries(times).map(([work, ms]) => ({
      work: `import of ${count.toLocaleString('en')} products: ${work}`,
      measured: `${(ms / 1_000).toFixed(1)} s of processors`,
      against: `COPY of products and stock: ${(copy / 1_000).toFixed(1)} s`,
      ...compareToAim(copy / ms, AIM),
    }));
  },
};

function fileOf(heading: readonly string[], rows: string[][]): Buffer {
  return Buffer.from([heading, ...rows].map((row) => csvRow(row)).join(''));
}

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
}
