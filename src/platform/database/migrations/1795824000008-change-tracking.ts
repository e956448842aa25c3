import { SchemaPart } from '../schema-part.js';

/** The tables that the snapshot reads, each with the columns that identify a deleted row. */
const TRACKED = {
  plans: ['id'],
  clients: ['id'],
  tokens: ['id'],
  subscriptions: ['id'],
  products: ['id', 'sku', 'active', 'withdrawn'],
  stock_items: ['id', 'product_id'],
  plan_prices: ['plan_id', 'product_id'],
};

/** A change of these columns makes it another row: the old one is recorded like a deleted row. */
const RENAMED_BY: Record<string, string[]> = {
  products: ['sku'],
  stock_items: ['product_id'],
  plan_prices: ['plan_id', 'product_id'],
};

/**
 * The column `changed` of a row holds the id of the transaction that last changed it. Triggers set it, so
 * that every node sees every change, by an import or by hand. Each trigger is always enabled: replicated
 * writes count too.
 *
 * The id is a bigint, not an xid8: the same 64 bits, but with max(), arithmetic and a type that TypeORM
 * knows.
 */
export class ChangeTracking1795824000008 extends SchemaPart {
  protected override readonly statements = [HISTORY, STATISTICS, TOMBSTONES, STAMPS, ...triggers()];
}

function* triggers(): Generator<string> {
  const trigger = (name: string, event: string, table: string, action: string) => `
    CREATE TRIGGER ${name} ${event} ON ${table} FOR EACH ${action};
    ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name};`;
  const written = 'BEFORE INSERT OR UPDATE';
  // Orders are read by client, and never deleted.
  for (const table of [...Object.keys(TRACKED), 'orders', 'tombstones'])
    yield trigger('stamp', written, table, 'ROW EXECUTE FUNCTION stamp_change()');
  yield trigger('repriced', written, 'plans', 'ROW EXECUTE FUNCTION stamp_repricing()');
  yield trigger('offered', written, 'products', 'ROW EXECUTE FUNCTION stamp_withdrawal()');
  for (const [table, key] of Object.entries(TRACKED)) {
    const bury = `EXECUTE FUNCTION bury(${quoted(key)})`;
    const emptied = 'STATEMENT EXECUTE FUNCTION begin_history_on_truncate()';
    yield trigger('bury', 'AFTER DELETE', table, `ROW ${bury}`);
    yield trigger('emptied', 'AFTER TRUNCATE', table, emptied);
    const name = RENAMED_BY[table];
    if (!name) continue;
    const row = (which: string) => `(${name.map((column) => `${which}.${column}`).join(', ')})`;
    const renamed = `ROW WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')}) ${bury}`;
    yield trigger('renamed', `AFTER UPDATE OF ${name.join(', ')}`, table, renamed);
  }
}

const quoted = (names: string[]) => names.map((name) => `'${name}'`).join(', ');

/**
 * Two versions compare only within one generation of one database. Each generation has its own identity:
 * a restored dump gives the table another oid than the stored one, a copy within the server is another
 * database, another server has another system identifier, and a failover or a recovery to a point in time
 * begins another timeline.
 *
 * Sync tokens go on after a new timeline, although it may have lost the last transactions. Nodes write
 * `seen_below` every few seconds: all transactions with lower ids had ended. WAL keeps its order, so a server
 * that has this row has all of them. A store that knows nothing later can go on.
 */
const HISTORY = `
  -- The control file learns of a new timeline minutes later, the name of the current WAL file at once.
  CREATE FUNCTION this_server() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('/', system_identifier,
             ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer, oid)
      FROM pg_control_system(), pg_database WHERE datname = current_database()
  $$;

  CREATE TABLE history (
    only_row boolean NOT NULL DEFAULT true,
    epoch uuid NOT NULL,
    table_oid bigint NOT NULL,
    server text NOT NULL,
    seen_below bigint NOT NULL DEFAULT 0,
    proven_at timestamptz NOT NULL DEFAULT now(),
    restored_at timestamptz,
    CONSTRAINT history_pk PRIMARY KEY (only_row),
    CONSTRAINT history_has_one_row CHECK (only_row)
  );
  INSERT INTO history (epoch, table_oid, server)
    VALUES (gen_random_uuid(), 'history'::regclass::oid::bigint, this_server());

  -- The histories that the one with this epoch continues.
  CREATE TABLE past_histories (
    identity text NOT NULL,
    epoch uuid NOT NULL,
    seen_below bigint NOT NULL,
    CONSTRAINT past_histories_pk PRIMARY KEY (identity)
  );

  CREATE FUNCTION history_identity() RETURNS TABLE (identity text, is_foreign boolean)
    LANGUAGE sql STABLE AS $$
    SELECT md5(concat_ws('/', epoch, here)),
           table_oid <> 'history'::regclass::oid::bigint
             OR split_part(server, '/', 3) <> split_part(here, '/', 3)
      FROM history, this_server() AS here
  $$;

  -- Stamps every row anew: restored rows carry ids of another history, perhaps of its future. Orders get a
  -- new column with a constant, which writes no row. An UPDATE of a million orders took three minutes and
  -- 4 GB of WAL.
  CREATE FUNCTION begin_history() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
    tracked text;
  BEGIN
    LOCK TABLE history IN EXCLUSIVE MODE;
    FOREACH tracked IN ARRAY ARRAY[${quoted(Object.keys(TRACKED))}] LOOP
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
    UPDATE history
       SET epoch = gen_random_uuid(), table_oid = 'history'::regclass::oid::bigint, server = this_server(),
           seen_below = 0, restored_at = now();
  END $$;
  REVOKE EXECUTE ON FUNCTION begin_history() FROM PUBLIC;

  -- In another system the ids of transactions have another meaning, so nothing goes on there. A new timeline
  -- is a failover, which loses nothing acknowledged, or a recovery to an earlier point in time. After a
  -- recovery no node has been seen for this long.
  CREATE FUNCTION continue_history(recovered_after interval) RETURNS void
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
           seen_below = CASE WHEN is_same_system THEN past.seen_below ELSE 0 END,
           restored_at = CASE WHEN past.proven_at < now() - recovered_after THEN now()
                         ELSE past.restored_at END;
  END $$;
  REVOKE EXECUTE ON FUNCTION continue_history(interval) FROM PUBLIC;

  CREATE FUNCTION begin_history_on_truncate() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    UPDATE history SET epoch = gen_random_uuid();
    RETURN NULL;
  END $$;`;

/**
 * By the rule of autovacuum, which may take a minute to come, or may be off. Beside many orders it also
 * analyses tables that have no statistics, which autovacuum never does to empty ones. PostgreSQL takes them
 * for ten pages.
 */
const STATISTICS = `
  CREATE FUNCTION analyse_grown(most_rows real DEFAULT 'Infinity') RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    grown regclass;
  BEGIN
    FOR grown IN
      SELECT relid FROM pg_stat_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
       WHERE s.schemaname = 'public' AND c.reltuples < most_rows
         -- Without statistics a large table, as after a restore, looks like a small one.
         AND pg_relation_size(c.oid) < 1024 * most_rows
         AND (s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
              OR c.reltuples < 0 AND pg_stat_get_live_tuples('orders'::regclass) > 50)
       ORDER BY relid
    LOOP
      EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
    END LOOP;
  END $$;
  REVOKE EXECUTE ON FUNCTION analyse_grown FROM PUBLIC;`;

/** The trigger writes as the owner, so that no other role can write tombstones. */
const TOMBSTONES = `
  CREATE TABLE tombstones (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    relation text NOT NULL,
    key jsonb NOT NULL,
    changed bigint NOT NULL,
    CONSTRAINT tombstones_pk PRIMARY KEY (id)
  );
  CREATE INDEX tombstones_changed ON tombstones (changed);

  CREATE FUNCTION bury() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO tombstones (relation, key)
      SELECT TG_TABLE_NAME, jsonb_object_agg(name, to_jsonb(OLD) -> name) FROM unnest(TG_ARGV) AS name;
    -- A part of a product changes the product's answers.
    IF TG_TABLE_NAME IN ('stock_items', 'plan_prices') THEN
      UPDATE products SET changed = pg_current_xact_id()::text::bigint WHERE id = OLD.product_id;
    END IF;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION bury() FROM PUBLIC;`;

const STAMPS = `
  CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
  BEGIN
    IF TG_OP = 'UPDATE' AND NEW.changed IS DISTINCT FROM this_transaction THEN
      NEW.changed := OLD.changed;
      IF NEW IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
      END IF;
    END IF;
    NEW.changed := this_transaction;
    RETURN NEW;
  END $$;

  -- Only the discount of a plan changes its prices. A new name changes no product.
  CREATE FUNCTION stamp_repricing() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
  BEGIN
    IF TG_OP = 'INSERT' OR NEW.discount <> OLD.discount THEN
      NEW.repriced := this_transaction;
    ELSIF NEW.repriced IS DISTINCT FROM this_transaction THEN
      NEW.repriced := OLD.repriced;
    END IF;
    RETURN NEW;
  END $$;

  -- When an offered product became inactive; NULL if it was never offered under its SKU. Stores hear of a
  -- removal only if the SKU was offered before.
  CREATE FUNCTION stamp_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
  BEGIN
    IF NEW.active OR TG_OP = 'INSERT' OR NEW.sku <> OLD.sku THEN
      NEW.withdrawn := NULL;
    ELSIF OLD.active THEN
      NEW.withdrawn := this_transaction;
    ELSIF NEW.withdrawn IS DISTINCT FROM this_transaction THEN
      NEW.withdrawn := OLD.withdrawn;
    END IF;
    RETURN NEW;
  END $$;`;
