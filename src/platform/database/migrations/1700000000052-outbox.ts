import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail that is written with what it tells of, and sent afterwards. */
export class Outbox1700000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        mail_id uuid NOT NULL,
        recipient text NOT NULL,
        subject text NOT NULL,
        body text,
        created_at timestamptz NOT NULL DEFAULT now(),
        useful_until timestamptz NOT NULL,
        next_try_at timestamptz DEFAULT now(),
        tries integer NOT NULL DEFAULT 0,
        fault text,
        sent_at timestamptz,
        given_up_at timestamptz,
        CONSTRAINT outbox_pk PRIMARY KEY (mail_id),
        CONSTRAINT outbox_has_one_fate
          CHECK (num_nonnulls(next_try_at, sent_at, given_up_at) = 1 AND (body IS NULL) = (next_try_at IS NULL))
      );
      CREATE INDEX outbox_due ON outbox (next_try_at) WHERE next_try_at IS NOT NULL;
      CREATE INDEX outbox_newest ON outbox (created_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
