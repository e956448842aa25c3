import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients whose new orders are paid from the wallet at once. */
export class AutoPay1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auto_pay (
        client_id integer NOT NULL,
        enabled_at timestamptz,
        order_cap numeric(16,2),
        day_cap numeric(16,2),
        changed_by text NOT NULL,
        CONSTRAINT auto_pay_pk PRIMARY KEY (client_id),
        CONSTRAINT auto_pay_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
        CONSTRAINT auto_pay_caps_positive CHECK (order_cap > 0 AND day_cap > 0)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auto_pay;');
  }
}
