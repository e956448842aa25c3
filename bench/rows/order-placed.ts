import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import { hotOrders, orders } from '../load/polls.js';
import type { Row } from '../row.js';

/** The aims: shares of the rate of eight statements. A single client never waits for another. */
const MEASURED = [
  { work: 'order of two lines placed, 1 client', connections: 1, tables: 'same', aim: 0.75 },
  { work: 'order of two lines placed, 8 clients', connections: 8, tables: 'plain', aim: 0.6 },
  { work: 'order of two lines placed, 32 clients', connections: 32, tables: 'plain', aim: 1 },
  { work: 'order of one SKU that all want, 128 clients', connections: 128, tables: 'plain', aim: 3 },
];

/**
 * The tables that the statements write, with their keys alone. On the service's own tables they also pay for its
 * triggers and indexes, and all orders of a client wait for the row of its unpaid total.
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

export const orderPlaced: Row = {
  id: 'order',
  async measure(bench) {
    const database = await bench.database(10_000);
    await database.pool.query(PLAIN_TABLES);
    const findings: Finding[] = [];
    for (const { work, connections, tables, aim } of MEASURED) {
      const load = (connections === 128 ? hotOrders : orders)(database, connections);
      const path = tables === 'plain' ? '?options=-c%20search_path%3Dplain,public' : '';
      const comparison = await compare(
        bench,
        { server: await bench.service(database), load },
        { server: await bench.reference('order-by-statements', { DATABASE_URL: database.url + path }), load },
      );
      await bench.stopServers();
      const reference = { name: `eight plain statements on ${tables} tables`, aim };
      findings.push(...against(work, comparison, [reference], 'rate'));
    }
    await database.pool.query('DROP SCHEMA plain CASCADE');
    return findings;
  },
};
