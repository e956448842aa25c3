import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much a client may leave unpaid, where that is not what the settings say for all. */
export class UnpaidLimits1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients
        ADD unpaid_value_limit numeric(16,2),
        ADD unpaid_orders_limit integer,
        ADD CONSTRAINT clients_unpaid_limits_not_negative CHECK (unpaid_value_limit >= 0 AND unpaid_orders_limit >= 0);
      CREATE INDEX orders_unpaid ON orders (client_id) INCLUDE (total) WHERE status = 'awaiting_payment';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX orders_unpaid;
      ALTER TABLE clients DROP unpaid_value_limit, DROP unpaid_orders_limit;`);
  }
}
