import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the wholesaler's people set of their own house. */
export class House1700000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Always one row.
      CREATE TABLE house (
        id smallint NOT NULL DEFAULT 1,
        bank_details text NOT NULL DEFAULT '',
        contact text NOT NULL DEFAULT '',
        CONSTRAINT house_pk PRIMARY KEY (id),
        CONSTRAINT house_only_one CHECK (id = 1)
      );
      INSERT INTO house DEFAULT VALUES;

      CREATE TRIGGER log_fact AFTER UPDATE ON house FOR EACH ROW
        EXECUTE FUNCTION log_fact('house', 'bank_details', 'contact');`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE house');
  }
}
