// @ts-expect-error The script has no types.
import { wronglyNamed } from '../../scripts/check-tables.mjs';

const check = wronglyNamed as (files: [file: string, text: string][]) => string[];

const ENTITIES: [string, string][] = [
  ['src/modules/stock/stock-item.entity.ts', `@Entity('stock_items') export class StockItem {}`],
  ['src/modules/orders/entities/order.entity.ts', `@Entity('orders') export class Order {}`],
];

describe('The lint rule for table owners', () => {
  const found = (file: string, text: string) => check([...ENTITIES, [file, text]]).length;

  it.each([
    ['read', 'const A = `SELECT 1 FROM orders`;'],
    ['joined', 'const A = `SELECT 1 FROM ${STAGED} JOIN orders o USING (id)`;'],
    ['read after another', 'const A = `SELECT 1 FROM staged s, orders`;'],
    ['written', "const A = 'UPDATE orders SET status = 1';"],
    ['read by a part of a statement', 'const A = `EXISTS (${B} FROM orders)`;'],
    ['read by a query builder', `builder.from('orders', 'o')`],
    ['got as a repository', `manager.getRepository('orders')`],
  ])('finds a table that is %s in a lower layer', (_, text) => {
    expect(found('src/modules/stock/look-ups.ts', text)).toBe(1);
    expect(found('src/modules/orders/look-ups.ts', text)).toBe(0);
    expect(found('src/modules/payments/look-ups.ts', text)).toBe(0);
  });

  it.each([
    ['a message', `const A = 'Your orders are here.';`],
    ['text within SQL', `const A = "SELECT 1 AS a WHERE reason = 'of which orders hold'";`],
    ['a comment within SQL', 'const A = `SELECT 1 -- not the orders\n`;'],
    ['a column', 'const A = `SELECT change.orders FROM stock_items`;'],
  ])('and allows the name in %s', (_, text) => {
    expect(found('src/modules/stock/look-ups.ts', text)).toBe(0);
  });
});
