import { SchemaPart } from '../schema-part.js';

/** The prepaid money of each client, and the orders that it pays by itself. */
export class Wallet1795824000005 extends SchemaPart {
  protected override readonly statements = [WALLETS, BOOKS, RESERVED, AUTO_PAY];
}

/** One entry is a debit and a credit: `against` is the other account. So an imbalance cannot be written. */
const WALLETS = `
  CREATE TABLE wallets (
    client_id integer NOT NULL,
    balance numeric(16,2) NOT NULL DEFAULT 0,
    reserved numeric(16,2) NOT NULL DEFAULT 0,
    entries bigint NOT NULL DEFAULT 0,
    CONSTRAINT wallets_pk PRIMARY KEY (client_id),
    CONSTRAINT wallets_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT wallets_balance_not_negative CHECK (balance >= 0),
    CONSTRAINT wallets_reserved_within_balance CHECK (reserved BETWEEN 0 AND balance)
  );

  -- Every new client gets a wallet, so no posting has to ask for one.
  CREATE FUNCTION open_wallet() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO wallets (client_id) VALUES (NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER wallet AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION open_wallet();

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
    CONSTRAINT wallet_entries_wallet_fk FOREIGN KEY (client_id) REFERENCES wallets (client_id),
    CONSTRAINT wallet_entries_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT wallet_entries_payment_fk
      FOREIGN KEY (client_id, payment_id) REFERENCES payments (client_id, payment_id),
    CONSTRAINT wallet_entries_amount_not_zero CHECK (amount <> 0),
    CONSTRAINT wallet_entries_balance_not_negative CHECK (balance_after >= 0),
    CONSTRAINT wallet_entries_kind_known CHECK (
      kind IN ('top_up', 'order_payment', 'order_refund', 'payout', 'payout_failed', 'adjustment')),
    CONSTRAINT wallet_entries_against_known
      CHECK (against IN ('gateway', 'bank', 'tds', 'sales', 'in_transit', 'adjustments'))
  );
  CREATE UNIQUE INDEX wallet_entries_gateway_once ON wallet_entries (key)
    WHERE kind = 'top_up' AND against = 'gateway';
  CREATE INDEX wallet_entries_when ON wallet_entries (client_id, created_at);
  CREATE INDEX wallet_entries_rare ON wallet_entries (client_id, kind, entry) WHERE kind <> 'order_payment';
  -- The key comes behind the others, as that of orders does, and look-ups by it do not begin with the client.
  ALTER TABLE wallet_entries
    ADD CONSTRAINT wallet_entries_key_unique UNIQUE (key, client_id),
    ADD CONSTRAINT wallet_entries_pk PRIMARY KEY (client_id, entry);
  CREATE INDEX wallet_entries_order ON wallet_entries (order_number, client_id);
  CREATE INDEX wallet_entries_payment ON wallet_entries (payment_id, client_id) WHERE payment_id IS NOT NULL;
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

/**
 * The balance of a wallet is that of its last entry, and each entry continues the one before it, without a
 * gap. The search path counts: a temporary table that is called wallet_entries would vouch for any balance.
 */
const BOOKS = `
  CREATE FUNCTION check_wallet() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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

  CREATE FUNCTION check_wallet_entry() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  DECLARE
    -- A sum within the query would cost its index a trifle, and an empty table's plan another index.
    previous bigint := NEW.entry - 1;
  BEGIN
    IF NOT (NEW.entry = 1 AND NEW.balance_after = NEW.amount OR EXISTS (
      SELECT FROM wallet_entries
       WHERE client_id = NEW.client_id AND entry = previous
         AND balance_after = NEW.balance_after - NEW.amount))
       OR NOT EXISTS (SELECT FROM wallets WHERE client_id = NEW.client_id AND entries >= NEW.entry) THEN
      RAISE EXCEPTION 'entry % of the wallet of client % does not go on from the one before',
        NEW.entry, NEW.client_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER books AFTER INSERT ON wallet_entries FOR EACH ROW EXECUTE FUNCTION check_wallet_entry();`;

/**
 * While a payment is open, the wallet's part of its orders is reserved. The constraint of the wallet then
 * refuses every posting that would spend it. Only this function may change it, so it runs as the owner.
 */
const RESERVED = `
  CREATE FUNCTION reserve() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    before numeric := CASE WHEN TG_OP = 'UPDATE' AND OLD.status IN ('opening', 'open')
                           THEN OLD.from_wallet ELSE 0 END;
    after numeric := CASE WHEN NEW.status IN ('opening', 'open') THEN NEW.from_wallet ELSE 0 END;
  BEGIN
    IF before <> after THEN
      UPDATE wallets SET reserved = reserved + after - before WHERE client_id = NEW.client_id;
    END IF;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION reserve FROM PUBLIC;
  CREATE TRIGGER reserve AFTER INSERT OR UPDATE OF status ON payments
    FOR EACH ROW EXECUTE FUNCTION reserve();`;

const AUTO_PAY = `
  CREATE TABLE auto_pay (
    client_id integer NOT NULL,
    enabled_at timestamptz,
    order_cap numeric(16,2),
    day_cap numeric(16,2),
    changed_by text NOT NULL,
    CONSTRAINT auto_pay_pk PRIMARY KEY (client_id),
    CONSTRAINT auto_pay_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT auto_pay_caps_positive CHECK (order_cap > 0 AND day_cap > 0)
  );`;
