import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Written once, by whoever it may be: what was ordered, what became of it, and how stock moved. */
const APPEND_ONLY = ['store_order_ids', 'order_items', 'order_timeline', 'stock_movements'];

/** What store and wholesaler agreed on when the order was placed. */
const AGREED = [
  'client_id',
  'order_number',
  'store_order_id',
  'plan_code',
  'currency',
  'subtotal',
  'delivery',
  'total',
  'items_count',
  'customer_name',
  'customer_email',
  'notes',
  'content_hash',
  'placed_at',
  'payment_due_at',
];

/** Where the parcel goes may be mended while it is here. */
const DESTINATION = [
  'customer_phone',
  'shipping_address',
  'shipping_city',
  'shipping_state',
  'shipping_pincode',
  'shipping_country',
];

/** Told when it happens, and never told otherwise. (What a parcel is known by is not among them: couriers mistype too.) */
const HAPPENED = [
  'paid_at',
  'payment_method',
  'payment_reference',
  'delivered_at',
  'cancelled_at',
  'cancel_reason',
];

/**
 * What was agreed and what has happened stays as it is, whoever writes: the service, a command, the owner's own SQL. Past these rules
 * leads only what is meant to: a superuser's `session_replication_role = replica`, as when a server takes over another one's data. So
 * the rule of the wallet's entries is of the same kind now.
 */
export class WhatWasAgreed1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of APPEND_ONLY) {
      await runner.query(`
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`);
    }
    await runner.query(`
      ALTER TABLE wallet_entries ENABLE TRIGGER append_only;
      ${ORDERS}
      ${MOVEMENTS_STAY}
      ${AS_THE_OWNER}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of APPEND_ONLY) await runner.query(`DROP TRIGGER append_only ON ${table}`);
    await runner.query(`
      ALTER TABLE wallet_entries ENABLE ALWAYS TRIGGER append_only;
      DROP TRIGGER kept ON orders;
      DROP TRIGGER agreed ON orders;
      DROP TRIGGER destination ON orders;
      DROP TRIGGER happened ON orders;
      DROP FUNCTION refuse_rewriting;
      ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_product_fk,
        ADD CONSTRAINT stock_movements_product_fk FOREIGN KEY (product_id) REFERENCES products (id) ON DELETE CASCADE;
      ALTER FUNCTION bury() SECURITY INVOKER RESET search_path;
      ALTER FUNCTION begin_history() SECURITY INVOKER RESET search_path;
      GRANT EXECUTE ON FUNCTION bury(), begin_history() TO PUBLIC;`);
  }
}

const values = (row: 'OLD' | 'NEW', columns: string[]) =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
const differ = (columns: string[]) => `${values('OLD', columns)} IS DISTINCT FROM ${values('NEW', columns)}`;
const rewritten = (column: string) => `OLD.${column} IS NOT NULL AND ${differ([column])}`;

const refusal = (name: string, columns: string[], when: string, why: string) => `
  CREATE TRIGGER ${name} BEFORE UPDATE OF ${columns.join(', ')} ON orders FOR EACH ROW
    WHEN (${when}) EXECUTE FUNCTION refuse_rewriting('${why}');`;

/** The conditions stand in the triggers: an order that only moves on calls no function. */
const ORDERS = `
  CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'order %: %', OLD.order_number, TG_ARGV[0] USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ${refusal('agreed', AGREED, differ(AGREED), 'what was agreed is never changed')}
  ${refusal(
    'destination',
    DESTINATION,
    `OLD.status NOT IN ('awaiting_payment', 'pending') AND ${differ(DESTINATION)}`,
    'where it goes is settled when it has left or was cancelled',
  )}
  ${refusal('happened', HAPPENED, HAPPENED.map(rewritten).join(' OR '), 'what has happened is never told otherwise')}`;

/**
 * A product of which stock was ever moved stays, as one that was ever ordered does: it is withdrawn instead, by `active`. With the
 * product its SKU would be gone too, and the movements would tell of nothing. One that was entered by mistake can be deleted.
 */
const MOVEMENTS_STAY = `
  ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_product_fk,
    ADD CONSTRAINT stock_movements_product_fk FOREIGN KEY (product_id) REFERENCES products (id);`;

/**
 * What the database does by itself needs no rights of whoever causes it: nobody but these may write tombstones, stamp a row anew or
 * renew the epoch. Temporary tables come last, or one named like ours would be written in its place.
 */
const AS_THE_OWNER = ['bury()', 'begin_history()']
  .map(
    (name) => `
  ALTER FUNCTION ${name} SECURITY DEFINER SET search_path = public, pg_temp;
  REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC;`,
  )
  .join('');
