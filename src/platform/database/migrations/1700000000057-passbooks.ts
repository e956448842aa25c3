import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients read their own money page by page. */
export class Passbooks1700000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX wallet_entries_when ON wallet_entries (client_id, created_at);
      CREATE INDEX wallet_entries_rare ON wallet_entries (client_id, kind, entry) WHERE kind <> 'order_payment';
      CREATE INDEX payments_not_paid ON payments (client_id, created_at) WHERE status <> 'paid';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX wallet_entries_when, wallet_entries_rare, payments_not_paid');
  }
}
