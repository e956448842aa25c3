import pg from 'pg';
import { CatalogFiles } from '../../src/catalog/catalog-files.service.js';
import { CATALOG_COLUMNS } from '../../src/catalog/catalog-columns.js';
import { catalogRows, stockRows, syntheticProducts } from '../../src/demo/synthetic-load.service.js';
import { createApp } from '../../src/host/create-app.js';
import { csvRow } from '../../src/imports/csv-format.js';
import { csvSource } from '../../src/imports/csv-source.js';
import type { ImportOptions } from '../../src/imports/import-kind.js';
import type { ImportReport } from '../../src/imports/import-report.js';
import type { RecordSource } from '../../src/imports/record-source.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { STOCK_COLUMNS } from '../../src/stock/stock-import.js';
import { StockFiles } from '../../src/stock/stock-files.service.js';
import { copyCatalog } from '../database/copy-catalog.js';
import { judge } from '../finding.js';
import type { Row } from '../row.js';
import { processorMs } from '../servers/processor-time.js';

const AIM = 0.6;
const PIECE = 65_536;

interface Files {
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport>;
}

/** Files of new and of unchanged rows, beside COPY of the same products and stock rows into the same tables. */
export const imports: Row = {
  id: 'import',
  async measure({ postgres, options }) {
    const count = options.quick ? 2_000 : 50_000;
    const products = [...syntheticProducts(count)];
    const catalog = fileOf(CATALOG_COLUMNS, products.flatMap(catalogRows));
    const stock = fileOf(STOCK_COLUMNS, products.flatMap(stockRows));
    /** Processor time of this process and of PostgreSQL, which other work on the machine does not change. */
    const spent = async (work: () => Promise<void>) => {
      const [ours, theirs] = [process.cpuUsage(), processorMs(postgres.pid)];
      await work();
      const { user, system } = process.cpuUsage(ours);
      return (user + system) / 1_000 + processorMs(postgres.pid) - theirs;
    };
    const client = new pg.Client(await postgres.createDatabase('copied'));
    await client.connect();
    const copy = await spent(() => copyCatalog(client, count, 10));
    await client.end();
    const url = await postgres.createDatabase('imported');
    const app = await createApp(readSettings({ DATABASE_URL: url }), url, { logger: false });
    const run = (files: Files, file: Buffer) =>
      spent(async () => {
        const source = csvSource(piecesOf(file), file.length);
        const report = await files.import(source, { actor: 'bench' });
        if (report.failedCount > 0) throw new Error(`${report.failedCount} rows were refused.`);
        await report.close();
      });
    const [products_, counts] = [CatalogFiles, StockFiles].map((type) =>
      app.get<Files>(type, { strict: false }),
    );
    const times = {
      'catalog, new rows': await run(products_!, catalog),
      'counts of stock, changed rows': await run(counts!, stock),
      'catalog, unchanged rows': await run(products_!, catalog),
      'counts of stock, unchanged rows': await run(counts!, stock),
    };
    await app.close();
    return Object.entries(times).map(([work, ms]) => ({
      work: `import of ${count.toLocaleString('en')} products: ${work}`,
      measured: `${(ms / 1_000).toFixed(1)} s of processors`,
      against: `COPY of products and stock: ${(copy / 1_000).toFixed(1)} s`,
      ...judge(copy / ms, '≥', AIM),
    }));
  },
};

function fileOf(heading: readonly string[], rows: string[][]): Buffer {
  return Buffer.from([heading, ...rows].map((row) => csvRow(row)).join(''));
}

async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += PIECE) yield file.subarray(at, at + PIECE);
}
