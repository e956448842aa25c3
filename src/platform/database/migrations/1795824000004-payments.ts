import { SchemaPart } from '../schema-part.js';

/**
 * Money on its way: through the gateway, back through it, and by bank transfer. The wallets hold what has
 * arrived.
 */
export class Payments1795824000004 extends SchemaPart {
  protected override readonly statements = [PAYMENTS, EVENTS, REFUNDS, TRANSFERS];
}

/** Notices report a concern by its time. */
const STAMP = (table: string) => `
  CREATE TRIGGER concern_stamped BEFORE UPDATE OF concern ON ${table} FOR EACH ROW
    WHEN (NEW.concern IS NOT NULL AND NEW.concern IS DISTINCT FROM OLD.concern)
    EXECUTE FUNCTION stamp_concern();`;

/**
 * The trigger `meant` guards client and amount, and `append_only` the orders of a payment: these never
 * change.
 */
const PAYMENTS = `
  CREATE FUNCTION stamp_concern() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.concerned_at := now();
    RETURN NEW;
  END $$;

  CREATE TABLE payments (
    client_id integer NOT NULL,
    payment_id uuid NOT NULL,
    provider text NOT NULL,
    gateway_order_id text,
    amount numeric(16,2) NOT NULL,
    from_wallet numeric(16,2) NOT NULL DEFAULT 0,
    currency text NOT NULL,
    status text NOT NULL DEFAULT 'opening',
    actor text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    paid_at timestamptz,
    ended_at timestamptz,
    next_check_at timestamptz,
    checks integer NOT NULL DEFAULT 0,
    urgent boolean NOT NULL DEFAULT false,
    asked_at timestamptz,
    answered_at timestamptz,
    authorized boolean NOT NULL DEFAULT false,
    failure text,
    concern text,
    concerned_at timestamptz,
    resolved_concern text,
    resolution text,
    CONSTRAINT payments_pk PRIMARY KEY (client_id, payment_id),
    CONSTRAINT payments_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT payments_gateway_order_unique UNIQUE (provider, gateway_order_id),
    CONSTRAINT payments_amount_positive CHECK (amount > 0),
    CONSTRAINT payments_from_wallet_not_negative CHECK (from_wallet >= 0),
    CONSTRAINT payments_status_known CHECK (status IN ('opening', 'open', 'paid', 'given_up', 'failed')),
    CONSTRAINT payments_known_to_gateway
      CHECK (status NOT IN ('open', 'paid', 'given_up') OR gateway_order_id IS NOT NULL)
  );
${STAMP('payments')}
  CREATE INDEX payments_due ON payments (urgent, next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE INDEX payments_concerning ON payments (concern) WHERE concern IS NOT NULL;
  CREATE INDEX payments_newest ON payments (created_at);
  CREATE INDEX payments_ended ON payments (ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX payments_id ON payments (payment_id, client_id);
  CREATE INDEX payments_underway ON payments (client_id) WHERE status IN ('opening', 'open');
  CREATE INDEX payments_not_paid ON payments (client_id, created_at) WHERE status <> 'paid';
  CREATE TRIGGER meant
    BEFORE UPDATE OF client_id, payment_id, provider, amount, from_wallet, currency, actor,
      created_at OR DELETE OR TRUNCATE
    ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE TABLE payment_orders (
    client_id integer NOT NULL,
    payment_id uuid NOT NULL,
    order_number text NOT NULL,
    amount numeric(16,2) NOT NULL,
    CONSTRAINT payment_orders_pk PRIMARY KEY (client_id, payment_id, order_number),
    CONSTRAINT payment_orders_payment_fk
      FOREIGN KEY (client_id, payment_id) REFERENCES payments (client_id, payment_id),
    CONSTRAINT payment_orders_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number)
  );
  CREATE INDEX payment_orders_order ON payment_orders (order_number, client_id);
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_orders
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

const EVENTS = `
  CREATE TABLE gateway_events (
    provider text NOT NULL,
    event_id text NOT NULL,
    gateway_order_id text,
    gateway_refund_id text,
    body bytea NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz,
    CONSTRAINT gateway_events_pk PRIMARY KEY (provider, event_id)
  );
  CREATE INDEX gateway_events_waiting ON gateway_events (provider, gateway_order_id)
    WHERE processed_at IS NULL;
  CREATE INDEX gateway_events_received ON gateway_events (received_at);`;

const REFUNDS = `
  CREATE TABLE gateway_refunds (
    client_id integer NOT NULL,
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    gateway_payment_id text NOT NULL,
    gateway_refund_id text,
    amount numeric(16,2) NOT NULL,
    status text NOT NULL DEFAULT 'requested',
    actor text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    next_check_at timestamptz,
    checks integer NOT NULL DEFAULT 0,
    concern text,
    concerned_at timestamptz,
    CONSTRAINT gateway_refunds_pk PRIMARY KEY (client_id, refund_id),
    CONSTRAINT gateway_refunds_payment_fk
      FOREIGN KEY (client_id, payment_id) REFERENCES payments (client_id, payment_id),
    CONSTRAINT gateway_refunds_amount_positive CHECK (amount > 0),
    CONSTRAINT gateway_refunds_status_known CHECK (status IN ('requested', 'pending', 'processed', 'failed'))
  );
${STAMP('gateway_refunds')}
  CREATE INDEX gateway_refunds_payment ON gateway_refunds (payment_id, client_id);
  CREATE INDEX gateway_refunds_due ON gateway_refunds (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE TRIGGER meant
    BEFORE UPDATE OF client_id, refund_id, payment_id, gateway_payment_id, amount, actor, created_at
      OR DELETE OR TRUNCATE
    ON gateway_refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

const TRANSFERS = `
  CREATE TABLE bank_transfers (
    transfer_id integer GENERATED BY DEFAULT AS IDENTITY,
    client_id integer NOT NULL,
    amount numeric(16,2) NOT NULL,
    received numeric(16,2),
    tds numeric(16,2) NOT NULL DEFAULT 0,
    utr text NOT NULL,
    payer text,
    status text NOT NULL DEFAULT 'announced',
    announced_by text NOT NULL,
    announced_at timestamptz NOT NULL DEFAULT now(),
    decided_by text,
    decided_at timestamptz,
    reason text,
    received_from text,
    CONSTRAINT bank_transfers_pk PRIMARY KEY (transfer_id),
    CONSTRAINT bank_transfers_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT bank_transfers_amount_positive CHECK (amount > 0),
    CONSTRAINT bank_transfers_tds_is_a_share CHECK (
      tds BETWEEN 0 AND coalesce(received, amount) / 4),
    CONSTRAINT bank_transfers_received_differs CHECK (
      received IS NULL
      OR received > 0 AND received <> amount AND status = 'confirmed' AND reason IS NOT NULL),
    CONSTRAINT bank_transfers_status_known
      CHECK (status IN ('announced', 'confirmed', 'refused', 'withdrawn')),
    CONSTRAINT bank_transfers_decided CHECK ((status = 'announced') = (decided_at IS NULL))
  );
  CREATE UNIQUE INDEX bank_transfers_utr_once ON bank_transfers (utr) WHERE status = 'confirmed';
  CREATE UNIQUE INDEX bank_transfers_claimed_once ON bank_transfers (utr, client_id)
    WHERE status IN ('announced', 'confirmed');
  CREATE INDEX bank_transfers_announced ON bank_transfers (announced_at) WHERE status = 'announced';
  CREATE INDEX bank_transfers_newest_decided ON bank_transfers (decided_at) WHERE decided_at IS NOT NULL;
  CREATE INDEX bank_transfers_client ON bank_transfers (client_id);
  CREATE TRIGGER meant
    BEFORE UPDATE OF transfer_id, client_id, amount, utr, payer, announced_by, announced_at
      OR DELETE OR TRUNCATE
    ON bank_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;
