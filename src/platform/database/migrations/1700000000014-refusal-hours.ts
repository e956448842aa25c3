import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many refusals of a client were kept in an hour, and how many more there were. */
export class RefusalHours1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refusal_hours (
        client_id integer NOT NULL,
        hour timestamptz NOT NULL,
        kept integer NOT NULL DEFAULT 0,
        kept_bytes integer NOT NULL DEFAULT 0,
        left_out bigint NOT NULL DEFAULT 0,
        left_out_at timestamptz,
        CONSTRAINT refusal_hours_pk PRIMARY KEY (client_id, hour),
        CONSTRAINT refusal_hours_client_fk FOREIGN KEY (client_id) REFERENCES clients (id)
      );
      CREATE INDEX refusal_hours_hour ON refusal_hours (hour);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refusal_hours;');
  }
}
