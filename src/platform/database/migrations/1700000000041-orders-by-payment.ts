import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A list of a client's orders by `payment_status` reads those it shows, and not all there are. */
export class OrdersByPayment1700000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX orders_newest_by_payment ON orders (client_id, payment_status, placed_at DESC, order_number DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_newest_by_payment');
  }
}
