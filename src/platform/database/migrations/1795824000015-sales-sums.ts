import { SchemaPart } from '../schema-part.js';

/** Sums of finished days and longer spans: a report of a long period does not read a million orders. */
export class SalesSums1795824000015 extends SchemaPart {
  protected override readonly statements = [SALES_SUMS, REDONE];
}

const SALES_SUMS = `
  CREATE TABLE sales_sums (
    dimension text NOT NULL,
    span text NOT NULL,
    day date NOT NULL,
    client_id integer NOT NULL,
    key text NOT NULL,
    currency text NOT NULL,
    name text NOT NULL,
    orders integer NOT NULL,
    units bigint NOT NULL,
    goods numeric(24,2) NOT NULL,
    delivery numeric(24,2) NOT NULL,
    paid numeric(24,2) NOT NULL,
    refunded_units bigint NOT NULL,
    refunded numeric(24,2) NOT NULL,
    CONSTRAINT sales_sums_dimension_known CHECK (dimension IN ('client', 'product', 'state')),
    CONSTRAINT sales_sums_span_known CHECK (span IN ('day', 'month', 'year', 'all')),
    CONSTRAINT sales_sums_pk PRIMARY KEY (dimension, span, day, client_id, key, currency)
  );

  -- The days before "until" have their sums, in days of this zone.
  CREATE TABLE sales_sums_kept (
    dimension text NOT NULL,
    until date,
    time_zone text,
    CONSTRAINT sales_sums_kept_pk PRIMARY KEY (dimension)
  );
  INSERT INTO sales_sums_kept (dimension) VALUES ('client'), ('product'), ('state');`;

/**
 * The sales of a finished day change only if a paid order gets another state before it leaves. Then the
 * states of that day and later ones are added up again. The row is locked in any case, so that the job and
 * such a change wait for each other. A payment fires nothing: its day is not over. The demo writes its past
 * before any day is added up: then the job still begins at the first day.
 */
const REDONE = `
  CREATE FUNCTION redo_sales_sums() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE sales_sums_kept
       SET until = CASE WHEN until IS NOT NULL THEN
             least(until, ((NEW.paid_at - interval '1 hour') AT TIME ZONE time_zone)::date) END
     WHERE dimension = 'state';
    RETURN NULL;
  END $$;
  CREATE TRIGGER sales_moved AFTER UPDATE OF shipping_state ON orders FOR EACH ROW
    WHEN (NEW.paid_at IS NOT NULL AND NEW.shipping_state <> OLD.shipping_state)
    EXECUTE FUNCTION redo_sales_sums();`;
