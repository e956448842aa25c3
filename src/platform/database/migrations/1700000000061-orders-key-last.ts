import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The key of `orders` becomes its newest index. Five others begin with the client too, and on an empty table they cost the same: PostgreSQL
 * then takes the newest. Foreign keys and look-ups of single orders kept that plan, and read all orders of the client.
 */
export class OrdersKeyLast1700000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KEY_LAST);
  }

  /** The order of indexes is all that changed. */
  async down(): Promise<void> {}
}

const KEY_LAST = `
  DO $$
  DECLARE
    statement text;
    foreign_keys text[];
  BEGIN
    SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)))
      INTO foreign_keys
      FROM pg_constraint WHERE confrelid = 'orders'::regclass AND contype = 'f';
    ALTER TABLE orders DROP CONSTRAINT orders_pk CASCADE;
    ALTER TABLE orders ADD CONSTRAINT orders_pk PRIMARY KEY (client_id, order_number);
    FOREACH statement IN ARRAY foreign_keys LOOP
      EXECUTE statement;
    END LOOP;
  END $$;`;
