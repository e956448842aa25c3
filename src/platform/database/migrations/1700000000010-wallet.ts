import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each client has paid in and what was taken of it. The rules below hold whoever writes. */
export class Wallet1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(BOOKS);
    await runner.query(APPEND_ONLY);
    await runner.query(ONE_FOR_EACH_CLIENT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER wallet ON clients;
      DROP TABLE wallet_entries, wallets;
      DROP FUNCTION open_wallet, check_wallet, check_wallet_entry, refuse_change;`);
  }
}

/** One row is a debit and a credit: `against` is the other account. So an imbalance cannot be written. */
const TABLES = `
  CREATE TABLE wallets (
    client_id integer NOT NULL,
    balance numeric(16,2) NOT NULL DEFAULT 0,
    entries bigint NOT NULL DEFAULT 0,
    CONSTRAINT wallets_pk PRIMARY KEY (client_id),
    CONSTRAINT wallets_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT wallets_balance_not_negative CHECK (balance >= 0)
  );

  CREATE TABLE wallet_entries (
    client_id integer NOT NULL,
    entry bigint NOT NULL,
    kind text NOT NULL,
    against text NOT NULL,
    amount numeric(16,2) NOT NULL,
    balance_after numeric(16,2) NOT NULL,
    key text NOT NULL,
    order_number text,
    payment_id uuid,
    actor text NOT NULL,
    note text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT wallet_entries_pk PRIMARY KEY (client_id, entry),
    CONSTRAINT wallet_entries_key_unique UNIQUE (client_id, key),
    CONSTRAINT wallet_entries_wallet_fk FOREIGN KEY (client_id) REFERENCES wallets (client_id),
    CONSTRAINT wallet_entries_order_fk FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT wallet_entries_amount_not_zero CHECK (amount <> 0),
    CONSTRAINT wallet_entries_balance_not_negative CHECK (balance_after >= 0),
    CONSTRAINT wallet_entries_kind_known CHECK (
      kind IN ('top_up', 'order_payment', 'order_refund', 'payout', 'payout_failed', 'adjustment')),
    CONSTRAINT wallet_entries_against_known CHECK (against IN ('gateway', 'bank', 'sales', 'in_transit', 'adjustments'))
  );
  CREATE INDEX wallet_entries_order ON wallet_entries (client_id, order_number);`;

/** A balance says what its last entry says, and each entry goes on from the one before it, without a gap. */
const BOOKS = `
  CREATE FUNCTION check_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (NEW.entries, NEW.balance) IS DISTINCT FROM (0::bigint, 0::numeric) AND NOT EXISTS (
      SELECT FROM wallet_entries
       WHERE client_id = NEW.client_id AND entry = NEW.entries AND balance_after = NEW.balance) THEN
      RAISE EXCEPTION 'the wallet of client % does not say what its last entry says', NEW.client_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER books AFTER INSERT OR UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION check_wallet();

  CREATE FUNCTION check_wallet_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT (NEW.entry = 1 AND NEW.balance_after = NEW.amount OR EXISTS (
      SELECT FROM wallet_entries
       WHERE client_id = NEW.client_id AND entry = NEW.entry - 1 AND balance_after = NEW.balance_after - NEW.amount))
       OR NOT EXISTS (SELECT FROM wallets WHERE client_id = NEW.client_id AND entries >= NEW.entry) THEN
      RAISE EXCEPTION 'entry % of the wallet of client % does not go on from the one before', NEW.entry, NEW.client_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER books AFTER INSERT ON wallet_entries FOR EACH ROW EXECUTE FUNCTION check_wallet_entry();`;

const APPEND_ONLY = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is written once and never changed', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE wallet_entries ENABLE ALWAYS TRIGGER append_only;`;

/** However a client comes to be, it has a wallet: no posting has to ask whether there is one. */
const ONE_FOR_EACH_CLIENT = `
  CREATE FUNCTION open_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO wallets (client_id) VALUES (NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER wallet AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION open_wallet();
  INSERT INTO wallets (client_id) SELECT id FROM clients;`;
