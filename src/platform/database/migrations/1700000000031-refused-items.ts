import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a refused order asked for. */
export class RefusedItems1700000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE refused_orders ADD COLUMN asked jsonb NOT NULL DEFAULT '[]';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refused_orders DROP COLUMN asked;');
  }
}
