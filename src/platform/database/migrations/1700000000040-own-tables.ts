import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers that read or write tables with the rights of whoever writes: these suffice. */
const FUNCTIONS = ['open_wallet()', 'check_wallet()', 'check_wallet_entry()', 'begin_history_on_truncate()'];

/**
 * No writer leads a trigger astray: a temporary table called `wallet_entries` would vouch for any balance. They find our tables first, and
 * only then a temporary one that somebody named like ours.
 */
export class OwnTables1700000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS)
      await runner.query(`ALTER FUNCTION ${name} SET search_path = public, pg_temp`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} RESET search_path`);
  }
}
