import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the triggers that read or write tables find first: ours, and only then a temporary one that somebody named like ours. */
const OURS = 'SET search_path = public, pg_temp';

/** They decide with the rights of whoever writes: these suffice. */
const AS_THE_WRITER = [
  'open_wallet()',
  'check_wallet()',
  'check_wallet_entry()',
  'begin_history_on_truncate()',
];

/**
 * No writer leads a trigger astray: `CREATE TEMP TABLE changes` would take what the log is to keep, and one called `wallet_entries` would
 * vouch for any balance. The log is written as the owner, so that nobody else needs the right to.
 */
export class OwnTables1700000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of AS_THE_WRITER) await runner.query(`ALTER FUNCTION ${name} ${OURS}`);
    await runner.query(`
      ${logChange('session_user')}
      ALTER FUNCTION log_change() SECURITY DEFINER ${OURS};
      REVOKE EXECUTE ON FUNCTION log_change() FROM PUBLIC;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Replaced, a function has neither the rights nor the settings that it had.
    await runner.query(`
      ${logChange('current_user')}
      GRANT EXECUTE ON FUNCTION log_change() TO PUBLIC;`);
    for (const name of AS_THE_WRITER) await runner.query(`ALTER FUNCTION ${name} RESET search_path`);
  }
}

/** As before, but for whom it names where nobody said who acts: as the owner's function, `current_user` is the owner. */
const logChange = (whoever: 'session_user' | 'current_user') => `
  CREATE OR REPLACE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    is_now jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    either jsonb := coalesce(is_now, was);
    plan text := (SELECT code FROM plans WHERE id = (either->>'plan_id')::int);
    product text := (SELECT sku FROM products WHERE id = (either->>'product_id')::int);
  BEGIN
    INSERT INTO changes (actor, subject, name, before, after)
    VALUES (
      coalesce(nullif(current_setting('wholesale.actor', true), ''), 'sql:' || ${whoever}),
      TG_ARGV[0],
      CASE TG_TABLE_NAME
        WHEN 'products' THEN either->>'sku'
        WHEN 'plans' THEN either->>'code'
        WHEN 'plan_prices' THEN concat_ws(' ', plan, coalesce(product, 'product ' || (either->>'product_id')))
        ELSE concat('client ', either->>'client_id', ' plan ', plan) END,
      (SELECT jsonb_object_agg(told, was->told) FROM unnest(TG_ARGV[1:]) AS told WHERE was IS NOT NULL),
      (SELECT jsonb_object_agg(told, is_now->told) FROM unnest(TG_ARGV[1:]) AS told WHERE is_now IS NOT NULL));
    RETURN NULL;
  END $$;`;
