import { referenceAt } from '../bench.js';
import { finding, type Finding, type Row } from '../finding.js';
import { compare } from '../load/compare.js';
import { hotOrders, orders } from '../load/loads.js';

/** The aims: shares of the rate of eight statements. A single client never waits for another. */
const PLACED = [
  { work: 'order of two lines placed, 1 client', clients: 1, loadOf: orders, tables: 'same', aim: 0.75 },
  { work: 'order of two lines placed, 8 clients', clients: 8, loadOf: orders, tables: 'plain', aim: 0.6 },
  { work: 'order of two lines placed, 32 clients', clients: 32, loadOf: orders, tables: 'plain', aim: 1 },
  {
    work: 'order of one SKU that all want, 128 clients',
    clients: 128,
    loadOf: hotOrders,
    tables: 'plain',
    aim: 3,
  },
];

/** V8 has compiled the code of an order after some thousand. The rows of a new database show what is cold. */
const WARM_UP_SECONDS = 15;

/**
 * The tables that the statements write, with their keys alone. On the service's own tables they also pay for
 * its triggers and indexes, and all orders of a client wait for the row of its unpaid total.
 */
const PLAIN_TABLES = `
  CREATE SCHEMA plain;
  CREATE TABLE plain.store_order_ids
    (LIKE store_order_ids INCLUDING DEFAULTS, PRIMARY KEY (client_id, store_order_id));
  CREATE TABLE plain.orders (LIKE orders INCLUDING DEFAULTS, PRIMARY KEY (client_id, order_number));
  CREATE TABLE plain.order_items
    (LIKE order_items INCLUDING DEFAULTS, PRIMARY KEY (client_id, order_number, line),
     FOREIGN KEY (client_id, order_number) REFERENCES plain.orders);
  CREATE TABLE plain.order_timeline
    (LIKE order_timeline INCLUDING DEFAULTS, PRIMARY KEY (client_id, order_number, entry),
     FOREIGN KEY (client_id, order_number) REFERENCES plain.orders);
  CREATE TABLE plain.stock_items (LIKE stock_items INCLUDING DEFAULTS, PRIMARY KEY (id));
  INSERT INTO plain.stock_items SELECT * FROM stock_items;
  ALTER TABLE plain.orders ALTER COLUMN changed DROP NOT NULL;
  ANALYZE plain.stock_items`;

export const order: Row = {
  id: 'order',
  async measure(bench) {
    const database = await bench.database(10_000);
    await database.pool.query(PLAIN_TABLES);
    const findings: Finding[] = [];
    for (const { work, clients, loadOf, tables, aim } of PLACED) {
      const load = loadOf(database, clients);
      const server = await bench.service(database);
      const path = tables === 'plain' ? '?options=-c%20search_path%3Dplain,public' : '';
      const other = await bench.reference('order-by-statements', { DATABASE_URL: database.url + path });
      const contenders = [
        { server, load },
        { server: other, load },
      ] as const;
      const comparison = await compare(bench, ...contenders, WARM_UP_SECONDS);
      await bench.stopServers();
      findings.push(finding(work, comparison, `eight plain statements on ${tables} tables`, 'rate', aim));
    }
    await database.pool.query('DROP SCHEMA plain CASCADE');
    return findings;
  },
};

/** The gain of batches: the same service with a transaction per order. */
export const oneByOne: Row = {
  id: 'order-one-by-one',
  async measure(bench) {
    const database = await bench.database(10_000);
    const findings: Finding[] = [];
    for (const { work, clients, loadOf } of PLACED) {
      const load = loadOf(database, clients);
      const server = await bench.service(database);
      const other = await bench.service(database, {}, referenceAt('order-one-by-one'));
      const comparison = await compare(bench, { server, load }, { server: other, load });
      await bench.stopServers();
      findings.push(finding(`${work}, batches`, comparison, 'one transaction per order, same rules', 'rate'));
    }
    return findings;
  },
};
