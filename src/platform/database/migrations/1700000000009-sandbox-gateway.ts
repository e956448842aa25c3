import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of the sandbox, a payment gateway for development. No other table refers to it. */
export class SandboxGateway1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SANDBOX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandbox;');
  }
}

/**
 * One row for each order of the gateway, one for each key of a refund, and one for the credentials. Each of
 * these has 122 random bits.
 */
const SANDBOX = `
  CREATE TABLE sandbox (
    id text NOT NULL,
    state jsonb NOT NULL,
    CONSTRAINT sandbox_pk PRIMARY KEY (id)
  );
  INSERT INTO sandbox (id, state) VALUES ('keys', jsonb_build_object(
    'keyId', 'sandbox_' || gen_random_uuid(),
    'keySecret', 'sandbox_secret_' || gen_random_uuid(),
    'webhookSecret', 'sandbox_webhook_' || gen_random_uuid()));`;
