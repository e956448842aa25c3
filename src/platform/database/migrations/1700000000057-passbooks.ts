import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What clients read of their own money, however much of it there was; and a transfer that was announced by mistake can be withdrawn. */
export class Passbooks1700000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEXES);
    await runner.query(statuses(['announced', 'confirmed', 'refused', 'withdrawn']));
    await runner.query(utrOnce(`status NOT IN ('refused', 'withdrawn')`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE bank_transfers SET status = 'refused' WHERE status = 'withdrawn';
      DROP INDEX wallet_entries_when, wallet_entries_rare, payments_not_paid`);
    await runner.query(statuses(['announced', 'confirmed', 'refused']));
    await runner.query(utrOnce(`status <> 'refused'`));
  }
}

const INDEXES = `
  CREATE INDEX wallet_entries_when ON wallet_entries (client_id, created_at);
  CREATE INDEX wallet_entries_rare ON wallet_entries (client_id, kind, entry) WHERE kind <> 'order_payment';
  CREATE INDEX payments_not_paid ON payments (client_id, created_at) WHERE status <> 'paid';`;

function statuses(known: string[]): string {
  return `
    ALTER TABLE bank_transfers DROP CONSTRAINT bank_transfers_status_known,
      ADD CONSTRAINT bank_transfers_status_known CHECK (status IN ('${known.join(`', '`)}'))`;
}

function utrOnce(condition: string): string {
  return `
    DROP INDEX bank_transfers_utr_once;
    CREATE UNIQUE INDEX bank_transfers_utr_once ON bank_transfers (utr) WHERE ${condition}`;
}
