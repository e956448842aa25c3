import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CATALOG_COLUMNS, readCatalogRow } from '../modules/catalog/catalog-columns.js';
import { STOCK_COLUMNS } from '../modules/stock/stock-import.js';
import { csvSource } from '../shared/imports/csv-source.js';
import { foldSpelling, variationKeys } from '../read-model/products/variations.js';
import { SYNTHETIC_COLUMNS, syntheticProducts } from './synthetic-load.service.js';

interface Tables {
  products: string[][];
  stock: string[][];
}

/** The rows of a file, in the order of these columns. */
async function demoFile(name: string, columns: readonly string[]): Promise<string[][]> {
  const bytes = await readFile(new URL(`files/${name}.csv`, import.meta.url));
  const rows: string[][] = [];
  for await (const batch of csvSource(Readable.from([bytes]), bytes.length).batches())
    rows.push(...batch.records.map(({ cells }) => cells));
  const [heading, ...records] = rows;
  return records.map((cells) => columns.map((column) => cells[heading!.indexOf(column)] ?? ''));
}

function synthetic(): Tables {
  const products = [...syntheticProducts(200)];
  return {
    products: products.flatMap(({ catalog }) =>
      catalog.map((row) =>
        CATALOG_COLUMNS.map((column) => row[SYNTHETIC_COLUMNS.indexOf(column as 'sku')] ?? ''),
      ),
    ),
    stock: products.flatMap(({ stock }) => stock),
  };
}

/** The products and the faults that an import would find in the rows. */
function read({ products, stock }: Tables) {
  const faults: string[] = [];
  const records = products.map((cells) => {
    const row = Object.fromEntries(CATALOG_COLUMNS.map((column, index) => [column, cells[index] ?? '']));
    const product = readCatalogRow(
      row as never,
      (column, fault) => faults.push(`${column} ${fault}`),
      new Set(CATALOG_COLUMNS),
      // As the law wants of large sellers.
      { moreGstRates: [], hsnDigits: 6 },
    );
    const counts = stock.filter(([sku]) => sku === product.sku).map(([, key, count]) => [key, Number(count)]);
    return { ...product, stock: Object.fromEntries(counts) as Record<string, number> };
  });
  return { products: records, faults };
}

const demo = {
  products: await demoFile('catalog', CATALOG_COLUMNS),
  stock: await demoFile('stock', STOCK_COLUMNS),
};

describe.each([
  ['the demo catalog', demo],
  ['a synthetic catalog', synthetic()],
])('%s', (_, tables) => {
  const { products, faults } = read(tables);

  it('has each SKU once, fit for a path', () => {
    expect(new Set(products.map(({ sku }) => foldSpelling(sku!))).size).toBe(products.length);
    expect(products.filter(({ sku }) => !/^[A-Z0-9-]{1,64}$/.test(sku!))).toEqual([]);
  });

  it('has prices, texts, addresses and variations that an import accepts, and whole sentences', () => {
    expect(faults).toEqual([]);
    expect(products.filter(({ description }) => !description!.endsWith('.'))).toEqual([]);
  });

  it('counts stock for exactly the keys of each product', () => {
    for (const { stock, variations } of products) {
      expect(Object.keys(stock).toSorted()).toEqual(variationKeys(variations!).toSorted());
      expect(Object.values(stock).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    }
    expect(tables.stock).toHaveLength(products.flatMap(({ stock }) => Object.keys(stock)).length);
  });
});

describe('the demo catalog', () => {
  it('shows every kind of product', () => {
    const { products } = read(demo);
    expect(products.some(({ active }) => !active)).toBe(true);
    expect(products.some(({ variations }) => variations!.length === 0)).toBe(true);
    expect(products.some(({ variations }) => variations!.length === 2)).toBe(true);
    expect(products.some(({ stock }) => Object.values(stock).every((count) => count === 0))).toBe(true);
  });
});

describe('syntheticProducts', () => {
  it('makes the same products every time, in any number', () => {
    expect([...syntheticProducts(20)].slice(0, 10)).toEqual([...syntheticProducts(10)]);
  });
});
