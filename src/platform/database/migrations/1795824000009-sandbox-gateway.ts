import { SchemaPart } from '../schema-part.js';

/** The state of the sandbox, a payment gateway for development. No other table refers to it. */
export class SandboxGateway1795824000009 extends SchemaPart {
  protected override readonly statements = [SANDBOX];
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
