import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail that is not sent any more, because its link has ended before it left. */
export class WithdrawnMail1700000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox
        ADD withdrawn_at timestamptz,
        DROP CONSTRAINT outbox_has_one_fate;
      ALTER TABLE outbox ADD CONSTRAINT outbox_has_one_fate CHECK (
        num_nonnulls(next_try_at, sent_at, given_up_at, withdrawn_at) = 1 AND (body IS NULL) = (next_try_at IS NULL));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM outbox WHERE withdrawn_at IS NOT NULL;
      ALTER TABLE outbox DROP CONSTRAINT outbox_has_one_fate, DROP withdrawn_at;
      ALTER TABLE outbox ADD CONSTRAINT outbox_has_one_fate
        CHECK (num_nonnulls(next_try_at, sent_at, given_up_at) = 1 AND (body IS NULL) = (next_try_at IS NULL));`);
  }
}
