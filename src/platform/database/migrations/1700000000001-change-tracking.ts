import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that the snapshot reads, each with the columns by which a deleted row is remembered. */
const TRACKED = {
  plans: ['id'],
  clients: ['id'],
  tokens: ['id'],
  subscriptions: ['id'],
  products: ['id', 'sku', 'active', 'withdrawn'],
  stock_items: ['id', 'product_id'],
  plan_prices: ['plan_id', 'product_id'],
};

/** A change of these columns makes another thing of the row: what it was before is remembered like a deleted row. */
const RENAMED_BY = { products: ['sku'], stock_items: ['product_id'], plan_prices: ['plan_id', 'product_id'] };

/** Stamped like the others, but read per client and never deleted. */
const STAMPED_ONLY = ['orders'];

/**
 * Every row that a read depends on carries the id of the transaction that last changed it, set here and not by the writers:
 * whoever changes a row, by import or by hand, is seen by every node.
 *
 * The id is kept as bigint, not as xid8: the same 64 bits, but with max(), arithmetic and a type that TypeORM knows.
 */
export class ChangeTracking1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HISTORY);
    await runner.query(STAMP);
    await runner.query(TOMBSTONES);
    await runner.query(REPRICED);
    await runner.query(WITHDRAWN);
    for (const table of [...Object.keys(TRACKED), ...STAMPED_ONLY, 'tombstones']) {
      await runner.query(`
        CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION stamp_change();
        ALTER TABLE ${table} ENABLE ALWAYS TRIGGER stamp;`);
    }
    for (const [table, columns] of Object.entries(TRACKED)) {
      const remembered = columns.map((column) => `'${column}'`).join(', ');
      await runner.query(`
        CREATE INDEX ${table}_changed ON ${table} (changed);
        CREATE TRIGGER bury AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION bury(${remembered});
        ALTER TABLE ${table} ENABLE ALWAYS TRIGGER bury;
        CREATE TRIGGER emptied AFTER TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION begin_history_on_truncate();
        ALTER TABLE ${table} ENABLE ALWAYS TRIGGER emptied;`);
    }
    for (const [table, columns] of Object.entries(RENAMED_BY)) {
      const [first, second = first] = columns;
      const remembered = TRACKED[table as keyof typeof TRACKED].map((column) => `'${column}'`).join(', ');
      await runner.query(`
        CREATE TRIGGER renamed AFTER UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
          WHEN ((OLD.${first}, OLD.${second}) IS DISTINCT FROM (NEW.${first}, NEW.${second}))
          EXECUTE FUNCTION bury(${remembered});
        ALTER TABLE ${table} ENABLE ALWAYS TRIGGER renamed;`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...Object.keys(TRACKED), ...STAMPED_ONLY]) {
      await runner.query(`
        DROP TRIGGER stamp ON ${table};
        DROP TRIGGER IF EXISTS bury ON ${table};
        DROP TRIGGER IF EXISTS emptied ON ${table};`);
    }
    for (const table of Object.keys(TRACKED)) await runner.query(`DROP INDEX ${table}_changed`);
    for (const table of Object.keys(RENAMED_BY)) await runner.query(`DROP TRIGGER renamed ON ${table}`);
    await runner.query(`
      DROP TRIGGER repriced ON plans;
      DROP TRIGGER offered ON products;
      DROP TABLE tombstones, history;
      DROP FUNCTION stamp_change, stamp_repricing, stamp_withdrawal, bury, begin_history_on_truncate, begin_history, history_identity;`);
  }
}

/**
 * Stamps are only comparable within one history of one database. A dump that is restored gives the table another oid than
 * the one it remembers, another server has another system identifier, a recovery to a point in time another timeline.
 */
const HISTORY = `
  CREATE TABLE history (
    only_row boolean NOT NULL DEFAULT true,
    epoch uuid NOT NULL,
    table_oid bigint NOT NULL,
    CONSTRAINT history_pk PRIMARY KEY (only_row),
    CONSTRAINT history_has_one_row CHECK (only_row)
  );
  INSERT INTO history (epoch, table_oid) VALUES (gen_random_uuid(), 'history'::regclass::oid::bigint);

  CREATE FUNCTION history_identity() RETURNS TABLE (identity text, is_foreign boolean) LANGUAGE sql STABLE AS $$
    SELECT md5(concat_ws('/', epoch, system_identifier, timeline_id)), table_oid <> 'history'::regclass::oid::bigint
      FROM history, pg_control_system(), pg_control_checkpoint()
  $$;`;

const STAMP = `
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

  -- stamps every row anew: what was restored carries ids of another history, which may lie in the future of this one
  CREATE FUNCTION begin_history() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
    tracked text;
  BEGIN
    LOCK TABLE history IN EXCLUSIVE MODE;
    FOREACH tracked IN ARRAY ARRAY[${[...Object.keys(TRACKED), ...STAMPED_ONLY].map((name) => `'${name}'`).join(', ')}] LOOP
      EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', tracked);
      EXECUTE format('UPDATE %I SET changed = $1', tracked) USING this_transaction;
    END LOOP;
    UPDATE plans SET repriced = this_transaction;
    UPDATE products SET withdrawn = this_transaction WHERE withdrawn IS NOT NULL;
    DELETE FROM tombstones;
    UPDATE history SET epoch = gen_random_uuid(), table_oid = 'history'::regclass::oid::bigint;
  END $$;

  CREATE FUNCTION begin_history_on_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE history SET epoch = gen_random_uuid();
    RETURN NULL;
  END $$;`;

const TOMBSTONES = `
  CREATE TABLE tombstones (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    relation text NOT NULL,
    key jsonb NOT NULL,
    buried_at timestamptz NOT NULL DEFAULT now(),
    changed bigint NOT NULL,
    CONSTRAINT tombstones_pk PRIMARY KEY (id)
  );
  CREATE INDEX tombstones_changed ON tombstones (changed);

  CREATE FUNCTION bury() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO tombstones (relation, key)
      SELECT TG_TABLE_NAME, jsonb_object_agg(name, to_jsonb(OLD) -> name) FROM unnest(TG_ARGV) AS name;
    -- what belongs to a product changes what is shown of it
    IF TG_TABLE_NAME IN ('stock_items', 'plan_prices') THEN
      UPDATE products SET changed = pg_current_xact_id()::text::bigint WHERE id = OLD.product_id;
    END IF;
    RETURN NULL;
  END $$;`;

/** What a plan's callers pay changes with its discount alone: another name is no change of any product. */
const REPRICED = `
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
  CREATE TRIGGER repriced BEFORE INSERT OR UPDATE ON plans FOR EACH ROW EXECUTE FUNCTION stamp_repricing();
  ALTER TABLE plans ENABLE ALWAYS TRIGGER repriced;`;

/**
 * When an inactive product stopped being offered under its SKU; NULL if it never was. Only what was offered may be named as
 * removed: a SKU that is being prepared is nobody's business yet.
 */
const WITHDRAWN = `
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
  END $$;
  CREATE TRIGGER offered BEFORE INSERT OR UPDATE ON products FOR EACH ROW EXECUTE FUNCTION stamp_withdrawal();
  ALTER TABLE products ENABLE ALWAYS TRIGGER offered;`;
