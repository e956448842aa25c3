import { SchemaPart } from '../schema-part.js';

/** Parcels, refunds and returns of orders. */
export class AfterSale1795824000011 extends SchemaPart {
  protected override readonly statements = [PARCELS, RETURNS, REFUNDS, COUNTED, STAMPED];
}

/** Nothing but the function `withdraw_parcel` deletes parcels. */
const UNLESS_WITHDRAWN = "WHEN (current_setting('wholesale.withdraws', true) IS DISTINCT FROM 'yes')";

const PARCELS = `
  CREATE TABLE parcels (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    parcel integer NOT NULL,
    courier text NOT NULL,
    tracking_number text,
    tracking_url text,
    shipped_at timestamptz NOT NULL,
    delivered_at timestamptz,
    exception text,
    recorded_at timestamptz NOT NULL,
    actor text NOT NULL,
    no_invoice text,
    without_irn text,
    CONSTRAINT parcels_exception_known CHECK (exception IN ('returning', 'returned', 'lost')),
    CONSTRAINT parcels_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT parcels_pk PRIMARY KEY (client_id, order_number, parcel)
  );
  CREATE UNIQUE INDEX parcels_tracking_unique ON parcels (client_id, order_number, tracking_number)
    WHERE tracking_number IS NOT NULL;
  CREATE INDEX parcels_tracking_key ON parcels (upper(replace(tracking_number, ' ', '')))
    WHERE tracking_number IS NOT NULL;
  CREATE INDEX parcels_exceptions ON parcels (shipped_at) WHERE exception IN ('returning', 'lost');
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON parcels
    FOR EACH STATEMENT ${UNLESS_WITHDRAWN} EXECUTE FUNCTION refuse_change();

  CREATE TABLE parcel_items (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    parcel integer NOT NULL,
    line integer NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT parcel_items_parcel_fk
      FOREIGN KEY (client_id, order_number, parcel) REFERENCES parcels (client_id, order_number, parcel),
    CONSTRAINT parcel_items_line_fk
      FOREIGN KEY (client_id, order_number, line) REFERENCES order_items (client_id, order_number, line),
    CONSTRAINT parcel_items_quantity_positive CHECK (quantity > 0),
    CONSTRAINT parcel_items_pk PRIMARY KEY (client_id, order_number, parcel, line)
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON parcel_items
    FOR EACH STATEMENT ${UNLESS_WITHDRAWN} EXECUTE FUNCTION refuse_change();

  -- The next parcel of an order, whose invoice is issued before its goods leave.
  CREATE TABLE prepared_parcels (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    parcel integer NOT NULL,
    lines text NOT NULL,
    prepared_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    CONSTRAINT prepared_parcels_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT prepared_parcels_pk PRIMARY KEY (client_id, order_number)
  );

  -- A parcel that never left. So no list, sum or feed of parcels needs to leave it out.
  CREATE FUNCTION withdraw_parcel(of_client integer, of_order text, number integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    PERFORM set_config('wholesale.withdraws', 'yes', true);
    DELETE FROM parcel_items WHERE (client_id, order_number, parcel) = (of_client, of_order, number);
    DELETE FROM parcels WHERE (client_id, order_number, parcel) = (of_client, of_order, number);
    PERFORM set_config('wholesale.withdraws', 'no', true);
  END $$;
  REVOKE EXECUTE ON FUNCTION withdraw_parcel FROM PUBLIC;`;

const RETURNS = `
  CREATE TABLE order_returns (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    return_number text NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    reason text NOT NULL,
    note text,
    key text NOT NULL,
    store_return_id text,
    actor text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    accepted_at timestamptz,
    accepted_by text,
    send_to text,
    send_by date,
    decided_at timestamptz,
    decided_by text,
    decision text,
    refund_open boolean NOT NULL DEFAULT false,
    CONSTRAINT order_returns_number_unique UNIQUE (return_number),
    CONSTRAINT order_returns_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT order_returns_state_known
      CHECK (state IN ('requested', 'received', 'partly_received', 'refused')),
    CONSTRAINT order_returns_decided CHECK ((state = 'requested') = (decided_at IS NULL)),
    CONSTRAINT order_returns_accepted CHECK (num_nulls(accepted_at, accepted_by, send_to, send_by) IN (0, 4)),
    CONSTRAINT order_returns_pk PRIMARY KEY (client_id, order_number, return_number)
  );
  -- The condition, here and for refunds, only keeps look-ups by the primary key away.
  CREATE UNIQUE INDEX order_returns_key_unique ON order_returns (client_id, order_number, key)
    WHERE key IS NOT NULL;
  CREATE INDEX order_returns_newest ON order_returns (state, requested_at, return_number);
  CREATE INDEX order_returns_accepted_at ON order_returns (accepted_at) WHERE accepted_at IS NOT NULL;
  CREATE INDEX order_returns_decided_at ON order_returns (decided_at) WHERE decided_at IS NOT NULL;
  CREATE INDEX order_returns_to_refund ON order_returns (decided_at) WHERE refund_open;
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON order_returns
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE TABLE order_return_items (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    return_number text NOT NULL,
    line integer NOT NULL,
    quantity integer NOT NULL,
    received integer,
    restocked integer NOT NULL DEFAULT 0,
    CONSTRAINT order_return_items_return_fk FOREIGN KEY (client_id, order_number, return_number)
      REFERENCES order_returns (client_id, order_number, return_number),
    CONSTRAINT order_return_items_line_fk
      FOREIGN KEY (client_id, order_number, line) REFERENCES order_items (client_id, order_number, line),
    CONSTRAINT order_return_items_quantity_positive CHECK (quantity > 0),
    CONSTRAINT order_return_items_received_range CHECK (received BETWEEN 0 AND quantity),
    CONSTRAINT order_return_items_restocked_range CHECK (restocked BETWEEN 0 AND coalesce(received, 0)),
    CONSTRAINT order_return_items_pk PRIMARY KEY (client_id, order_number, return_number, line)
  );
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON order_return_items
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

const REFUNDS = `
  CREATE TABLE order_refunds (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    refund integer NOT NULL,
    kind text NOT NULL,
    amount numeric(16,2) NOT NULL,
    reason text NOT NULL,
    key text NOT NULL,
    return_number text,
    takes_back integer,
    reason_code text,
    is_commercial boolean NOT NULL DEFAULT false,
    actor text NOT NULL,
    refunded_at timestamptz NOT NULL,
    CONSTRAINT order_refunds_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT order_refunds_return_fk FOREIGN KEY (client_id, order_number, return_number)
      REFERENCES order_returns (client_id, order_number, return_number),
    CONSTRAINT order_refunds_kind_known
      CHECK (kind IN ('cancelled', 'lines', 'delivery', 'amount', 'returned', 'taken_back')),
    CONSTRAINT order_refunds_taken_back CHECK (
      (kind = 'taken_back') = (takes_back IS NOT NULL) AND (kind = 'taken_back') = (amount < 0)),
    CONSTRAINT order_refunds_pk PRIMARY KEY (client_id, order_number, refund),
    CONSTRAINT order_refunds_taken_back_fk FOREIGN KEY (client_id, order_number, takes_back)
      REFERENCES order_refunds (client_id, order_number, refund)
  );
  CREATE UNIQUE INDEX order_refunds_key_unique ON order_refunds (client_id, order_number, key)
    WHERE key IS NOT NULL;
  CREATE UNIQUE INDEX order_refunds_delivery_once ON order_refunds (client_id, order_number)
    WHERE kind = 'delivery';
  CREATE INDEX order_refunds_when ON order_refunds (refunded_at);
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_refunds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE TABLE order_refund_items (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    refund integer NOT NULL,
    line integer NOT NULL,
    refunded integer NOT NULL,
    cancelled integer NOT NULL DEFAULT 0,
    written_off integer NOT NULL DEFAULT 0,
    amount numeric(16,2) NOT NULL,
    CONSTRAINT order_refund_items_written_off CHECK (written_off >= 0),
    CONSTRAINT order_refund_items_refund_fk FOREIGN KEY (client_id, order_number, refund)
      REFERENCES order_refunds (client_id, order_number, refund),
    CONSTRAINT order_refund_items_line_fk
      FOREIGN KEY (client_id, order_number, line) REFERENCES order_items (client_id, order_number, line),
    CONSTRAINT order_refund_items_one_direction CHECK (
      refunded >= 0 AND cancelled >= 0 AND amount >= 0
      OR refunded <= 0 AND cancelled = 0 AND amount <= 0),
    CONSTRAINT order_refund_items_pk PRIMARY KEY (client_id, order_number, refund, line)
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_refund_items
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

/** The search path keeps a temporary table of the same name from taking the place of ours. */
const AS_THE_OWNER = 'SECURITY DEFINER SET search_path = public, pg_temp';

const counting = (name: string, event: string, table: string, tables: string, statement: string) => `
  CREATE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  BEGIN
    ${statement};
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION count_${name} FROM PUBLIC;
  CREATE TRIGGER ${name}_${event.toLowerCase()} AFTER ${event} ON ${table} REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION count_${name}();`;

const unitsOf = (sums: string, source: string, changes: string) => `
    UPDATE order_items i SET ${changes}
      FROM (SELECT client_id, order_number, line, ${sums} FROM ${source}
             GROUP BY client_id, order_number, line) AS unit
     WHERE (i.client_id, i.order_number, i.line) = (unit.client_id, unit.order_number, unit.line)`;

/** A return needs no refund of its own when all units of its lines that came back are refunded. */
const REFUND_DONE = `;
    UPDATE order_returns r SET refund_open = false
     WHERE refund_open AND (client_id, order_number) IN (SELECT client_id, order_number FROM after)
       AND NOT EXISTS (
             SELECT FROM order_return_items l JOIN order_items i USING (client_id, order_number, line)
              WHERE (l.client_id, l.order_number, l.return_number)
                    = (r.client_id, r.order_number, r.return_number)
                AND l.received > 0 AND i.refunded - i.cancelled < i.returned)`;

/**
 * Lines and orders keep the sums of these rows, so that constraints refuse to ship, cancel, refund or take
 * back more than there is. Triggers alone write the sums.
 */
const COUNTED = [
  counting(
    'units_shipped',
    'INSERT',
    'parcel_items',
    'NEW TABLE AS after',
    unitsOf('sum(quantity)::int AS shipped', 'after', 'shipped = i.shipped + unit.shipped'),
  ),
  counting(
    'units_withdrawn',
    'DELETE',
    'parcel_items',
    'OLD TABLE AS before',
    unitsOf('sum(quantity)::int AS shipped', 'before', 'shipped = i.shipped - unit.shipped'),
  ),
  counting(
    'units_refunded',
    'INSERT',
    'order_refund_items',
    'NEW TABLE AS after',
    unitsOf(
      'sum(refunded)::int AS refunded, sum(cancelled)::int AS cancelled',
      'after',
      'refunded = i.refunded + unit.refunded, cancelled = i.cancelled + unit.cancelled',
    ) + REFUND_DONE,
  ),
  counting(
    'refunds',
    'INSERT',
    'order_refunds',
    'NEW TABLE AS after',
    `UPDATE orders o SET refunded_amount = o.refunded_amount + refund.amount,
                         payment_status = CASE WHEN refund.amount < 0 THEN 'paid' ELSE o.payment_status END
      FROM (SELECT client_id, order_number, sum(amount) AS amount FROM after
             GROUP BY client_id, order_number) AS refund
     WHERE (o.client_id, o.order_number) = (refund.client_id, refund.order_number);
    IF EXISTS (
      SELECT FROM after a JOIN order_refunds r ON (r.client_id, r.order_number, r.refund)
                                                  = (a.client_id, a.order_number, a.takes_back)
       WHERE r.amount + (SELECT sum(b.amount) FROM order_refunds b
                          WHERE (b.client_id, b.order_number, b.takes_back)
                                = (r.client_id, r.order_number, r.refund)) < 0) THEN
      RAISE EXCEPTION 'more of a refund is taken back than it paid' USING ERRCODE = 'check_violation';
    END IF`,
  ),
  // A return counts while it is open; afterwards the units that came back count.
  counting(
    'units_returned',
    'INSERT',
    'order_return_items',
    'NEW TABLE AS after',
    unitsOf(
      'sum(coalesce(received, quantity))::int AS returned',
      'after',
      'returned = i.returned + unit.returned',
    ),
  ),
  counting(
    'units_received',
    'UPDATE',
    'order_return_items',
    'OLD TABLE AS before NEW TABLE AS after',
    unitsOf(
      'sum(units)::int AS returned',
      `(SELECT client_id, order_number, line, coalesce(received, quantity) AS units FROM after
        UNION ALL
        SELECT client_id, order_number, line, - coalesce(received, quantity) FROM before) AS change`,
      'returned = i.returned + unit.returned',
    ),
  ),
].join('');

/** An order's lines and the first entry of its timeline are written with the order. */
const stamping = (table: string, event = 'INSERT OR UPDATE', when = '') => `
  CREATE TRIGGER stamp_order AFTER ${event} ON ${table} FOR EACH ROW ${when} EXECUTE FUNCTION stamp_order();
  ALTER TABLE ${table} ENABLE ALWAYS TRIGGER stamp_order;`;

/**
 * Every change of an order's status form sets the change version of the order, so the stores' list of
 * changes has it. The order is looked up first, because an update without rows runs the triggers of orders
 * too.
 */
const STAMPED = `
  CREATE FUNCTION stamp_order() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
  BEGIN
    IF this_transaction <> (SELECT changed FROM orders
                             WHERE client_id = NEW.client_id AND order_number = NEW.order_number) THEN
      UPDATE orders SET changed = this_transaction
       WHERE client_id = NEW.client_id AND order_number = NEW.order_number;
    END IF;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION stamp_order FROM PUBLIC;
  ${stamping('order_items', 'UPDATE')}
  ${stamping('order_timeline', 'INSERT', 'WHEN (NEW.entry > 1)')}
  ${['parcels', 'parcel_items', 'order_returns', 'order_return_items', 'order_refunds', 'order_refund_items']
    .map((table) => stamping(table))
    .join('')}`;
