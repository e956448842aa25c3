import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people look for among a client's orders is found in an index, and what a page tells of all of them is read in small ones. Both extensions
 * come with PostgreSQL, and the owner of a database may add them: they are trusted ones.
 */
export class BrowsingOrders1700000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${SEARCH} ${STATES}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payments_underway, orders_delivered, orders_on_the_way, orders_due, orders_search;
      DROP FUNCTION order_search_text;`);
  }
}

/** What is to be sorted in waits in a list, which whoever fills it up has to empty: a short one, so that no order waits for long. */
const SEARCH = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;

  -- a function, so that index and queries mean the same; no phone number is written like the other
  CREATE FUNCTION order_search_text(order_number text, store_order_id text, name text, phone text, email text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower(order_number || ' ' || coalesce(store_order_id, '') || ' ' || name || ' ' || translate(phone, ' +-.()', '') || ' ' ||
                 coalesce(email, ''));

  CREATE INDEX orders_search ON orders USING gin
    (client_id, order_search_text(order_number, store_order_id, customer_name, customer_phone, customer_email) gin_trgm_ops)
    WITH (gin_pending_list_limit = 256);`;

const STATES = `
  CREATE INDEX orders_due ON orders (client_id, payment_due_at, order_number) WHERE status = 'awaiting_payment';
  CREATE INDEX orders_on_the_way ON orders (client_id, shipped_at) WHERE status = 'shipped';
  CREATE INDEX orders_delivered ON orders (client_id, delivered_at) WHERE delivered_at IS NOT NULL;
  CREATE INDEX payments_underway ON payments (client_id) WHERE status IN ('opening', 'open');`;
