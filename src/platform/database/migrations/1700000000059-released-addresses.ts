import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who was invited and never came gives the address back: somebody else may be invited by it. */
export class ReleasedAddresses1700000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE people
        ADD released_at timestamptz,
        ADD CONSTRAINT people_released_never_came CHECK (released_at IS NULL OR password_hash IS NULL),
        DROP CONSTRAINT people_email_unique;
      CREATE UNIQUE INDEX people_email_unique ON people (email) WHERE released_at IS NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX people_email_unique;
      ALTER TABLE people
        ADD CONSTRAINT people_email_unique UNIQUE (email),
        DROP released_at;`);
  }
}
