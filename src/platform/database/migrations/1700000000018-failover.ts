import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sync tokens go on after a failover or a recovery to a point in time. Both begin a new timeline, and may
 * have lost the last transactions. Nodes write `seen_below` every few seconds: all transactions with lower
 * ids had ended. WAL keeps its order, so a server that has this row has all of them. A store
 * that knows nothing later can go on.
 */
export class Failover1700000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The control file learns of a new timeline minutes later, the name of the current WAL file at once.
      CREATE FUNCTION this_server() RETURNS text LANGUAGE sql STABLE AS $$
        SELECT concat_ws('/', system_identifier,
                 ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer)
          FROM pg_control_system()
      $$;

      ALTER TABLE history
        ADD COLUMN server text NOT NULL DEFAULT this_server(),
        ADD COLUMN seen_below bigint NOT NULL DEFAULT 0;
      ALTER TABLE history ALTER COLUMN server DROP DEFAULT;

      -- The histories that the one with this epoch continues.
      CREATE TABLE past_histories (
        identity text NOT NULL,
        epoch uuid NOT NULL,
        seen_below bigint NOT NULL,
        CONSTRAINT past_histories_pk PRIMARY KEY (identity)
      );

      CREATE OR REPLACE FUNCTION history_identity() RETURNS TABLE (identity text, is_foreign boolean)
        LANGUAGE sql STABLE AS $$
        SELECT md5(concat_ws('/', epoch, this_server())), table_oid <> 'history'::regclass::oid::bigint
          FROM history
      $$;

      -- As before, except for orders. They get a new column with a constant, which writes no row. An UPDATE
      -- of a million orders took three minutes and 4 GB of WAL.
      CREATE OR REPLACE FUNCTION begin_history() RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
        tracked text;
      BEGIN
        LOCK TABLE history IN EXCLUSIVE MODE;
        FOREACH tracked IN ARRAY ARRAY['plans', 'clients', 'tokens', 'subscriptions', 'products',
                                       'stock_items', 'plan_prices'] LOOP
          EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', tracked);
          EXECUTE format('UPDATE %I SET changed = $1', tracked) USING this_transaction;
        END LOOP;
        ALTER TABLE orders DROP COLUMN changed;
        EXECUTE format('ALTER TABLE orders ADD COLUMN changed bigint NOT NULL DEFAULT %s', this_transaction);
        ALTER TABLE orders ALTER COLUMN changed DROP DEFAULT;
        CREATE INDEX orders_changed ON orders (client_id, changed) WHERE changed > 0;
        UPDATE plans SET repriced = this_transaction;
        UPDATE products SET withdrawn = this_transaction WHERE withdrawn IS NOT NULL;
        DELETE FROM tombstones;
        UPDATE history SET epoch = gen_random_uuid(), table_oid = 'history'::regclass::oid::bigint;
      END $$;

      -- In another system the ids of transactions have another meaning, so nothing goes on there.
      CREATE FUNCTION continue_history() RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        past history;
        next_epoch CONSTANT uuid := gen_random_uuid();
        is_same_system boolean;
      BEGIN
        SELECT * INTO past FROM history WHERE server <> this_server() FOR UPDATE;
        IF NOT FOUND THEN
          RETURN;
        END IF;
        is_same_system := split_part(past.server, '/', 1) = split_part(this_server(), '/', 1);
        IF is_same_system THEN
          UPDATE past_histories SET epoch = next_epoch WHERE epoch = past.epoch;
          INSERT INTO past_histories
            VALUES (md5(concat_ws('/', past.epoch, past.server)), next_epoch, past.seen_below);
        END IF;
        UPDATE history
           SET epoch = next_epoch, server = this_server(),
               seen_below = CASE WHEN is_same_system THEN past.seen_below ELSE 0 END;
      END $$;
      REVOKE EXECUTE ON FUNCTION continue_history() FROM PUBLIC;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION history_identity() RETURNS TABLE (identity text, is_foreign boolean)
        LANGUAGE sql STABLE AS $$
        SELECT md5(concat_ws('/', epoch, system_identifier, timeline_id)),
               table_oid <> 'history'::regclass::oid::bigint
          FROM history, pg_control_system(), pg_control_checkpoint()
      $$;
      DROP FUNCTION continue_history;
      DROP TABLE past_histories;
      ALTER TABLE history DROP COLUMN server, DROP COLUMN seen_below;
      DROP FUNCTION this_server;`);
  }
}
