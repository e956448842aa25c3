import { Injectable } from '@nestjs/common';
import { CATALOG_COLUMNS } from '../catalog/files/catalog-columns.js';
import { CatalogFiles } from '../catalog/files/catalog-files.js';
import type { FileRecord, RecordSource } from '../imports/record-source.js';
import type { ImportOptions, ImportReport } from '../imports/import-report.js';
import { StockFiles } from '../stock/files/stock-files.js';
import { STOCK_COLUMNS } from '../stock/files/stock-columns.js';
import { catalogRows, stockRows, type SyntheticProduct, syntheticProducts } from './synthetic-catalog.js';

const BATCH = 5_000;

export interface RowCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** A catalog of any size, for trying and measuring: it goes the way of every file. */
@Injectable()
export class SyntheticLoad {
  constructor(
    private readonly catalog: CatalogFiles,
    private readonly stock: StockFiles,
  ) {}

  async load(count: number, options: ImportOptions): Promise<{ products: RowCounts; stock: RowCounts }> {
    const products = await this.catalog.import(sourceOf(CATALOG_COLUMNS, count, catalogRows), options);
    await products.close();
    const stock = await this.stock.import(sourceOf(STOCK_COLUMNS, count, stockRows), options);
    await stock.close();
    return { products: countsOf(products), stock: countsOf(stock) };
  }
}

function countsOf({ created, updated, unchanged }: ImportReport): RowCounts {
  return { created, updated, unchanged };
}

function sourceOf(
  heading: readonly string[],
  count: number,
  rowsOf: (product: SyntheticProduct) => string[][],
): RecordSource {
  return {
    async *batches() {
      let line = 1;
      let products = 0;
      let records: FileRecord[] = [{ line, cells: [...heading] }];
      for (const product of syntheticProducts(count)) {
        products++;
        for (const cells of rowsOf(product)) records.push({ line: ++line, cells });
        if (records.length < BATCH) continue;
        yield { records, progress: products / count };
        records = [];
      }
      yield { records, progress: 1 };
    },
  };
}
