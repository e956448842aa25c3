import { Injectable } from '@nestjs/common';
import { CATALOG_COLUMNS } from '../catalog/files/catalog-columns.js';
import { CATALOG_IMPORT } from '../catalog/files/catalog-import.js';
import { formatVariations } from '../catalog/rules/variation-list.js';
import type { FileRecord, RecordSource } from '../imports/record-source.js';
import { Importer } from '../imports/importer.js';
import type { ImportOptions, ImportReport } from '../imports/import-report.js';
import { STOCK_COLUMNS } from '../stock/stock-columns.js';
import { STOCK_IMPORT } from '../stock/stock-import.js';
import type { DemoProduct } from './demo-product.js';
import { syntheticProducts } from './synthetic-catalog.js';

const BATCH = 5_000;

export interface RowCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** A catalog of any size, for trying and measuring: it goes the way of every file. */
@Injectable()
export class SyntheticLoad {
  constructor(private readonly importer: Importer) {}

  async load(count: number, options: ImportOptions): Promise<{ products: RowCounts; stock: RowCounts }> {
    const products = await this.importer.run(
      CATALOG_IMPORT,
      source(CATALOG_COLUMNS, count, productRows),
      options,
    );
    await products.close();
    const stock = await this.importer.run(STOCK_IMPORT, source(STOCK_COLUMNS, count, stockRows), options);
    await stock.close();
    return { products: countsOf(products), stock: countsOf(stock) };
  }
}

function countsOf({ created, updated, unchanged }: ImportReport): RowCounts {
  return { created, updated, unchanged };
}

function productRows({ variations, active, ...product }: DemoProduct): string[][] {
  const { sku, name, description, category, images, basePrice, deliveryCharge } = product;
  const texts = [sku, name, description, category, images.join(' '), basePrice, deliveryCharge];
  return [[...texts, String(active), formatVariations(variations)]];
}

function stockRows({ sku, stock }: DemoProduct): string[][] {
  return Object.entries(stock).map(([key, quantity]) => [sku, key, String(quantity)]);
}

function source(
  heading: readonly string[],
  count: number,
  rowsOf: (product: DemoProduct) => string[][],
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
