import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens in the hands of their owners: they have names, may end by themselves, and are made for domains that the wholesaler has allowed. */
export class OwnersTokens1700000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tokens
        ADD COLUMN name text NOT NULL DEFAULT 'Store',
        ADD COLUMN ends_at timestamptz,
        ADD COLUMN request_key text,
        ADD CONSTRAINT tokens_request_once UNIQUE (client_id, request_key);
      CREATE TABLE client_domains (
        client_id integer NOT NULL,
        domain text NOT NULL,
        allowed_at timestamptz NOT NULL DEFAULT now(),
        allowed_by text NOT NULL,
        CONSTRAINT client_domains_pk PRIMARY KEY (client_id, domain),
        CONSTRAINT client_domains_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
      );
      CREATE INDEX client_domains_domain ON client_domains (domain);
      INSERT INTO client_domains (client_id, domain, allowed_by)
      SELECT DISTINCT client_id, domain, 'migration' FROM tokens WHERE revoked_at IS NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE client_domains;
      ALTER TABLE tokens DROP COLUMN name, DROP COLUMN ends_at, DROP COLUMN request_key;`);
  }
}
