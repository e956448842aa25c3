import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders with their lines and their history. Keys begin with the client: no row exists without its owner, and
 * the tables can be partitioned by that column.
 */
export class Orders1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ORDERS);
    await runner.query(ORDER_INDEXES);
    await runner.query(NOT_REWRITTEN);
    await runner.query(LINES_AND_HISTORY);
    await runner.query(UNPAID);
    await runner.query(UNPAID_COUNTED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION count_placed, count_moved, count_deleted, open_unpaid_totals, lock_unpaid_totals CASCADE;
      DROP TABLE unpaid_totals, order_changes, order_timeline, order_items, orders, store_order_ids;
      DROP FUNCTION refuse_rewriting, order_search_text;`);
  }
}

const ORDERS = `
  -- A store's own order id belongs to one order forever. An order claims it first, and a refusal gives it up.
  CREATE TABLE store_order_ids (
    client_id integer NOT NULL,
    store_order_id text NOT NULL,
    order_number text NOT NULL,
    CONSTRAINT store_order_ids_pk PRIMARY KEY (client_id, store_order_id)
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON store_order_ids
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE TABLE orders (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    store_order_id text,
    status text NOT NULL,
    payment_status text NOT NULL,
    plan_code text NOT NULL,
    currency text NOT NULL,
    subtotal numeric(16,2) NOT NULL,
    delivery numeric(16,2) NOT NULL,
    total numeric(16,2) NOT NULL,
    items_count integer NOT NULL,
    customer_name text NOT NULL,
    customer_phone text NOT NULL,
    customer_email text,
    shipping_address text NOT NULL,
    shipping_city text NOT NULL,
    shipping_state text NOT NULL,
    shipping_pincode text NOT NULL,
    shipping_country text NOT NULL,
    notes text,
    content_hash bytea NOT NULL,
    placed_at timestamptz NOT NULL,
    payment_due_at timestamptz NOT NULL,
    paid_at timestamptz,
    payment_method text,
    payment_reference text,
    courier text,
    tracking_number text,
    tracking_url text,
    tracking_numbers text,
    shipped_at timestamptz,
    delivered_at timestamptz,
    cancelled_at timestamptz,
    cancel_reason text,
    refunded_amount numeric(16,2) NOT NULL DEFAULT 0,
    changed bigint NOT NULL,
    CONSTRAINT orders_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT orders_store_order_id_fk FOREIGN KEY (client_id, store_order_id)
      REFERENCES store_order_ids (client_id, store_order_id),
    CONSTRAINT orders_status_known
      CHECK (status IN ('awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled')),
    CONSTRAINT orders_payment_status_known CHECK (payment_status IN ('unpaid', 'paid', 'refunded')),
    CONSTRAINT orders_total_is_sum CHECK (total = subtotal + delivery AND subtotal >= 0 AND delivery >= 0),
    CONSTRAINT orders_cancelled_with_reason CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
    CONSTRAINT orders_shipped_with_tracking
      CHECK (status NOT IN ('shipped', 'delivered') OR (shipped_at IS NOT NULL AND courier IS NOT NULL)),
    CONSTRAINT orders_refunded_within_total CHECK (
      refunded_amount BETWEEN 0 AND total AND (refunded_amount = 0 OR paid_at IS NOT NULL)
      AND (payment_status <> 'refunded' OR refunded_amount = total))
  );`;

/**
 * Both extensions come with PostgreSQL. They are trusted, so the owner of a database may add them.
 *
 * New entries of a GIN index wait in a list, and the write that fills the list has to empty it. A short list
 * keeps that write short.
 *
 * The rule for indexes of tables that foreign keys refer to: an index that begins with the key's first column
 * has a condition that no look-up by key states, or contains the whole key. Without statistics PostgreSQL
 * takes a client for one row. It then prefers the lowest tree, and a connection keeps that plan while tables
 * grow.
 * Between trees of equal height it takes the newest, so the key comes last.
 *
 * Every `changed` is positive. The condition only keeps look-ups by key away; feed and search state it.
 */
const ORDER_INDEXES = `
  CREATE INDEX orders_number ON orders (order_number, client_id);
  CREATE INDEX orders_newest_of_status ON orders (status, placed_at DESC, order_number DESC);
  CREATE INDEX orders_newest ON orders (client_id, placed_at DESC, order_number DESC);
  CREATE INDEX orders_newest_by_status ON orders (client_id, status, placed_at DESC, order_number DESC);
  CREATE INDEX orders_changed ON orders (client_id, changed) WHERE changed > 0;
  CREATE INDEX orders_payment_due ON orders (payment_due_at) WHERE status = 'awaiting_payment';
  CREATE INDEX orders_newest_by_payment ON orders
    (client_id, payment_status, placed_at DESC, order_number DESC);

  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  -- The index and the queries share this text. Phone numbers lose their punctuation, because it varies.
  CREATE FUNCTION order_search_text(order_number text, store_order_id text, name text, phone text, email text,
                                    city text, tracking_numbers text)
    RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower(order_number || ' ' || coalesce(store_order_id, '') || ' ' || name || ' ' ||
                 translate(phone, ' +-.()', '') || ' ' || coalesce(email, '') || ' ' || city || ' ' ||
                 coalesce(tracking_numbers, ''));
  CREATE INDEX orders_search ON orders USING gin
    (client_id,
     order_search_text(order_number, store_order_id, customer_name, customer_phone, customer_email,
                       shipping_city, tracking_numbers)
       gin_trgm_ops)
    WITH (gin_pending_list_limit = 256) WHERE changed > 0;

  CREATE INDEX orders_due ON orders (client_id, payment_due_at, order_number)
    WHERE status = 'awaiting_payment';
  CREATE INDEX orders_paid ON orders (paid_at) WHERE paid_at IS NOT NULL;
  CREATE INDEX orders_expired ON orders (cancelled_at) WHERE cancel_reason = 'expired';
  CREATE INDEX orders_on_the_way ON orders (client_id, shipped_at) WHERE status = 'shipped';
  CREATE INDEX orders_delivered ON orders (client_id, delivered_at) WHERE delivered_at IS NOT NULL;

  ALTER TABLE orders ADD CONSTRAINT orders_pk PRIMARY KEY (client_id, order_number);`;

/** The store and the wholesaler agree on these when the order is placed. They never change. */
const AGREED = [
  'client_id',
  'order_number',
  'store_order_id',
  'plan_code',
  'currency',
  'subtotal',
  'delivery',
  'total',
  'items_count',
  'customer_email',
  'notes',
  'content_hash',
  'placed_at',
  'payment_due_at',
];

/** The columns of a line that were agreed. The others count what happened to its units. */
const LINE = [
  'client_id',
  'order_number',
  'line',
  'product_id',
  'sku',
  'name',
  'variation_key',
  'remark',
  'quantity',
  'unit_price',
  'line_total',
];

/** Can be corrected until the parcel leaves. */
const DESTINATION = [
  'customer_name',
  'customer_phone',
  'shipping_address',
  'shipping_city',
  'shipping_state',
  'shipping_pincode',
  'shipping_country',
];

/** Written once, when it happens. The tracking columns are not among them: couriers mistype too. */
const HAPPENED = ['paid_at', 'payment_method', 'payment_reference', 'cancelled_at', 'cancel_reason'];

const values = (row: 'OLD' | 'NEW', columns: string[]) =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
const differ = (columns: string[]) => `${values('OLD', columns)} IS DISTINCT FROM ${values('NEW', columns)}`;
const rewritten = (column: string) => `OLD.${column} IS NOT NULL AND ${differ([column])}`;

/** A delivery can be taken back; the timeline and the corrections keep it. */
const TAKEN_BACK = `(OLD.status, NEW.status) = ('delivered', 'shipped') AND NEW.delivered_at IS NULL`;

/** Only the trigger that adds up refunds lowers the sum, when one of them is taken back. */
const LOWERED = 'NEW.refunded_amount < OLD.refunded_amount AND pg_trigger_depth() = 0';

/** The condition stands in the trigger, so that an order that only moves on calls no function. */
const refusal = (name: string, columns: string[], when: string, why: string, table = 'orders') => `
  CREATE TRIGGER ${name} BEFORE UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
    WHEN (${when}) EXECUTE FUNCTION refuse_rewriting('${why}');`;

/** Like refuse_change, these stop the owner's own SQL too. */
const NOT_REWRITTEN = `
  CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'order %: %', OLD.order_number, TG_ARGV[0] USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ${refusal('agreed', AGREED, differ(AGREED), 'what was agreed is never changed')}
  ${refusal(
    'destination',
    DESTINATION,
    `OLD.status NOT IN ('awaiting_payment', 'pending') AND ${differ(DESTINATION)}`,
    'where it goes is settled when it has left or was cancelled',
  )}
  ${refusal(
    'happened',
    [...HAPPENED, 'delivered_at', 'refunded_amount'],
    [...HAPPENED.map(rewritten), `${rewritten('delivered_at')} AND NOT (${TAKEN_BACK})`, LOWERED].join(
      ' OR ',
    ),
    'what has happened is never told otherwise',
  )}`;

const LINES_AND_HISTORY = `
  CREATE TABLE order_items (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    line integer NOT NULL,
    product_id integer NOT NULL,
    sku text NOT NULL,
    name text NOT NULL,
    variation_key text NOT NULL DEFAULT '',
    remark text,
    quantity integer NOT NULL,
    unit_price numeric(12,2) NOT NULL,
    line_total numeric(16,2) NOT NULL,
    shipped integer NOT NULL DEFAULT 0,
    cancelled integer NOT NULL DEFAULT 0,
    refunded integer NOT NULL DEFAULT 0,
    returned integer NOT NULL DEFAULT 0,
    CONSTRAINT order_items_pk PRIMARY KEY (client_id, order_number, line),
    CONSTRAINT order_items_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT order_items_product_fk FOREIGN KEY (product_id) REFERENCES products (id),
    CONSTRAINT order_items_quantity_range CHECK (quantity >= 1 AND quantity <= 100000),
    CONSTRAINT order_items_line_total_is_product CHECK (line_total = unit_price * quantity),
    CONSTRAINT order_items_units CHECK (
      shipped >= 0 AND cancelled >= 0 AND shipped + cancelled <= quantity
      AND refunded BETWEEN 0 AND quantity AND returned BETWEEN 0 AND shipped)
  );
  CREATE INDEX order_items_product ON order_items (product_id);
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON order_items
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ${refusal('agreed', LINE, differ(LINE), 'what was agreed is never changed', 'order_items')}

  CREATE TABLE order_timeline (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    entry integer NOT NULL,
    status text NOT NULL,
    changed_at timestamptz NOT NULL,
    actor text NOT NULL,
    note text,
    CONSTRAINT order_timeline_pk PRIMARY KEY (client_id, order_number, entry),
    CONSTRAINT order_timeline_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number)
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_timeline
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- Corrections by people.
  CREATE TABLE order_changes (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    client_id integer NOT NULL,
    order_number text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    reason text,
    CONSTRAINT order_changes_pk PRIMARY KEY (id),
    CONSTRAINT order_changes_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number)
  );
  CREATE INDEX order_changes_order ON order_changes (client_id, order_number);
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

/**
 * These functions do what the service itself has no right to. The search path keeps a temporary table of the
 * same name from taking the place of ours.
 */
const AS_THE_OWNER = 'SECURITY DEFINER SET search_path = public, pg_temp';

/**
 * The unpaid total of each client is kept, not counted: a client with thousands of unpaid orders would have
 * them all read with every order and every quote. Triggers alone write it. It is not in clients, because the
 * snapshot reads a client anew whenever its row changes.
 *
 * To lock a row takes the right to change it, which the service has not; lock_unpaid_totals locks for it.
 */
const UNPAID = `
  CREATE TABLE unpaid_totals (
    client_id integer NOT NULL,
    unpaid_orders integer NOT NULL DEFAULT 0,
    unpaid_value numeric(24,2) NOT NULL DEFAULT 0,
    CONSTRAINT unpaid_totals_pk PRIMARY KEY (client_id),
    CONSTRAINT unpaid_totals_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT unpaid_totals_not_negative CHECK (unpaid_orders >= 0 AND unpaid_value >= 0)
  );

  CREATE FUNCTION open_unpaid_totals() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  BEGIN
    INSERT INTO unpaid_totals (client_id) VALUES (NEW.id);
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION open_unpaid_totals FROM PUBLIC;
  CREATE TRIGGER unpaid_totals AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION open_unpaid_totals();

  CREATE FUNCTION lock_unpaid_totals(clients integer[]) RETURNS SETOF unpaid_totals
    LANGUAGE sql ${AS_THE_OWNER} AS $$
    SELECT * FROM unpaid_totals WHERE client_id = ANY (clients) ORDER BY client_id FOR UPDATE
  $$;
  REVOKE EXECUTE ON FUNCTION lock_unpaid_totals FROM PUBLIC;`;

const unpaidOf = (rows: 'before' | 'after', sign: '+' | '-') =>
  `SELECT client_id, ${sign} 1 AS orders, ${sign} total AS value
     FROM ${rows} WHERE status = 'awaiting_payment'`;

/**
 * Runs once for each statement, and sums up by client. A client whose sum stays the same is not touched. The
 * rows are locked in the order of their ids, so that two transactions never wait for each other.
 */
const counting = (name: string, event: string, tables: string, changes: string) => `
  CREATE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  BEGIN
    UPDATE unpaid_totals s
       SET unpaid_orders = s.unpaid_orders + locked.orders, unpaid_value = s.unpaid_value + locked.value
      FROM (SELECT client_id, change.orders, change.value
              FROM unpaid_totals
              JOIN (SELECT client_id, sum(orders) AS orders, sum(value) AS value
                      FROM (${changes}) AS each
                     GROUP BY client_id HAVING sum(orders) <> 0 OR sum(value) <> 0) AS change
             USING (client_id)
             ORDER BY client_id
               FOR UPDATE OF unpaid_totals) AS locked
     WHERE s.client_id = locked.client_id;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION count_${name} FROM PUBLIC;
  CREATE TRIGGER ${name}_counted AFTER ${event} ON orders REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION count_${name}();`;

const UNPAID_COUNTED = [
  counting('placed', 'INSERT', 'NEW TABLE AS after', unpaidOf('after', '+')),
  counting(
    'moved',
    'UPDATE',
    'OLD TABLE AS before NEW TABLE AS after',
    `${unpaidOf('after', '+')} UNION ALL ${unpaidOf('before', '-')}`,
  ),
  counting('deleted', 'DELETE', 'OLD TABLE AS before', unpaidOf('before', '-')),
].join('');
