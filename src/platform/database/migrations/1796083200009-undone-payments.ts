import { SchemaPart } from '../schema-part.js';

/** A payment that a person recorded by mistake can be undone. The order then waits for payment again. */
export class UndonePayments1796083200009 extends SchemaPart {
  protected override readonly statements = [HAPPENED, NEXT_PAYMENT, SUMS];
}

/** Written once, when it happens: as in 1.0.0, but an undone payment is counted and leaves no trace here. */
const WRITTEN_ONCE = ['paid_at', 'payment_method', 'payment_reference', 'cancelled_at', 'cancel_reason'];
const PAYMENT = WRITTEN_ONCE.slice(0, 3);

const UNDONE = `
  (OLD.status, NEW.status) = ('pending', 'awaiting_payment')
  AND NEW.payments_undone = OLD.payments_undone + 1
  AND (${PAYMENT.map((column) => `NEW.${column}`).join(', ')}) IS NULL`;

/** A delivery can be taken back; the timeline and the corrections keep it. */
const TAKEN_BACK = `(OLD.status, NEW.status) = ('delivered', 'shipped') AND NEW.delivered_at IS NULL`;

/** Only the trigger that adds up refunds lowers the sum, when one of them is taken back. */
const LOWERED = 'NEW.refunded_amount < OLD.refunded_amount AND pg_trigger_depth() = 0';

const rewritten = (column: string) =>
  `OLD.${column} IS NOT NULL AND OLD.${column} IS DISTINCT FROM NEW.${column}`;

const unless = (column: string) => {
  if (column === 'delivered_at') return ` AND NOT (${TAKEN_BACK})`;
  return PAYMENT.includes(column) ? ` AND NOT (${UNDONE})` : '';
};

const HAPPENED = `
  ALTER TABLE orders ADD COLUMN payments_undone integer NOT NULL DEFAULT 0;
  DROP TRIGGER happened ON orders;
  CREATE TRIGGER happened
    BEFORE UPDATE OF ${WRITTEN_ONCE.join(', ')}, delivered_at, refunded_amount, payments_undone ON orders
    FOR EACH ROW WHEN (
      ${[...WRITTEN_ONCE, 'delivered_at'].map((column) => rewritten(column) + unless(column)).join(' OR ')}
      OR ${LOWERED} OR NEW.payments_undone <> OLD.payments_undone AND NOT (${UNDONE}))
    EXECUTE FUNCTION refuse_rewriting('what has happened is never told otherwise');`;

/**
 * A node of 1.0.0 pays with the key of the first payment, which an undone one keeps. The next release drops
 * this.
 */
const NEXT_PAYMENT = `
  CREATE FUNCTION key_next_payment() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  DECLARE
    undone CONSTANT integer := (SELECT payments_undone FROM orders
                                 WHERE client_id = NEW.client_id AND order_number = NEW.order_number);
  BEGIN
    IF undone > 0 THEN
      NEW.key := NEW.key || ':' || undone + 1;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER next_payment BEFORE INSERT ON wallet_entries FOR EACH ROW
    WHEN (NEW.key IN ('order:' || NEW.order_number, 'for:' || NEW.order_number))
    EXECUTE FUNCTION key_next_payment();`;

/**
 * The day of an undone payment and later ones are added up again. The rows are locked in one order, and in
 * any case, so that the job and such a change wait for each other.
 */
const SUMS = `
  CREATE FUNCTION redo_sales_sums_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE sales_sums_kept kept
       SET until = CASE WHEN kept.until IS NOT NULL THEN
             least(kept.until, ((OLD.paid_at - interval '1 hour') AT TIME ZONE kept.time_zone)::date) END
      FROM (SELECT dimension FROM sales_sums_kept ORDER BY dimension FOR UPDATE) AS locked
     WHERE kept.dimension = locked.dimension;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payment_undone AFTER UPDATE OF paid_at ON orders FOR EACH ROW
    WHEN (OLD.paid_at IS NOT NULL AND NEW.paid_at IS NULL) EXECUTE FUNCTION redo_sales_sums_of_payment();`;
