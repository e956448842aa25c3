import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the sandbox, a payment gateway of our own, remembers. Nothing of the product refers to it. */
export class SandboxGateway1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNT);
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE sandbox_webhooks, sandbox_refunds, sandbox_payments, sandbox_orders, sandbox_account;',
    );
  }
}

/** With 122 random bits each, as gen_random_uuid draws them. */
const ACCOUNT = `
  CREATE TABLE sandbox_account (
    key_id text NOT NULL,
    key_secret text NOT NULL,
    webhook_secret text NOT NULL,
    CONSTRAINT sandbox_account_pk PRIMARY KEY (key_id)
  );
  INSERT INTO sandbox_account VALUES
    ('sandbox_' || gen_random_uuid(), 'sandbox_secret_' || gen_random_uuid(),
     'sandbox_webhook_' || gen_random_uuid());`;

const TABLES = `
  CREATE TABLE sandbox_orders (
    id text NOT NULL,
    amount numeric(16,2) NOT NULL,
    currency text NOT NULL,
    receipt text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_orders_pk PRIMARY KEY (id),
    CONSTRAINT sandbox_orders_amount_positive CHECK (amount > 0)
  );

  CREATE TABLE sandbox_payments (
    id text NOT NULL,
    order_id text NOT NULL,
    status text NOT NULL,
    refunds text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_payments_pk PRIMARY KEY (id),
    CONSTRAINT sandbox_payments_order_fk FOREIGN KEY (order_id) REFERENCES sandbox_orders (id),
    CONSTRAINT sandbox_payments_status_known CHECK (status IN ('created', 'captured', 'failed')),
    CONSTRAINT sandbox_payments_refunds_known CHECK (refunds IN ('processed', 'pending', 'failed'))
  );
  CREATE INDEX sandbox_payments_order ON sandbox_payments (order_id);

  CREATE TABLE sandbox_refunds (
    id text NOT NULL,
    payment_id text NOT NULL,
    amount numeric(16,2) NOT NULL,
    status text NOT NULL,
    idempotency_key text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_refunds_pk PRIMARY KEY (id),
    CONSTRAINT sandbox_refunds_payment_fk FOREIGN KEY (payment_id) REFERENCES sandbox_payments (id),
    CONSTRAINT sandbox_refunds_key_unique UNIQUE (idempotency_key),
    CONSTRAINT sandbox_refunds_amount_positive CHECK (amount > 0),
    CONSTRAINT sandbox_refunds_status_known CHECK (status IN ('processed', 'pending', 'failed'))
  );
  CREATE INDEX sandbox_refunds_payment ON sandbox_refunds (payment_id);

  CREATE TABLE sandbox_webhooks (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    event_id text NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_webhooks_pk PRIMARY KEY (id)
  );
  CREATE INDEX sandbox_webhooks_due ON sandbox_webhooks (due_at, id);`;
