import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The client whose pages a session of the desk may read. */
export class SeeingAsClient1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN seen_client_id integer,
        ADD COLUMN sees_until timestamptz,
        ADD CONSTRAINT sessions_seen_client_fk FOREIGN KEY (seen_client_id) REFERENCES clients (id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN seen_client_id, DROP COLUMN sees_until');
  }
}
