import { SchemaPart } from '../schema-part.js';

/** Orders keep what became of the goods that left, so that lists and counts need not read parcels. */
export class GoodsState1796083200005 extends SchemaPart {
  protected override readonly statements = [COLUMN, KEPT, INDEXES, FILLED, REPORTS];
}

const COLUMN = `
  ALTER TABLE orders ADD COLUMN goods_state text,
    ADD CONSTRAINT orders_goods_state_known CHECK (
      goods_state IN ('delivered', 'returned', 'returned_in_part', 'returning', 'returning_in_part', 'lost',
                      'lost_in_part'));`;

/** The search path keeps a temporary table of the same name from taking the place of ours. */
const AS_THE_OWNER = 'SECURITY DEFINER SET search_path = public, pg_temp';

/**
 * The trigger runs before `stamp_order`, by its name, and the change of the order stamps it. So a delivery
 * still writes the order once.
 */
const KEPT = `
  -- Null while a parcel is on its way to the customer, and before the first one leaves.
  CREATE FUNCTION goods_state(of_client integer, of_order text) RETURNS text LANGUAGE plpgsql STABLE AS $$
  DECLARE
    found record;
    suffix text;
  BEGIN
    IF EXISTS (SELECT FROM order_items i
                WHERE (i.client_id, i.order_number) = (of_client, of_order) AND i.returned > 0)
       AND NOT EXISTS (
         SELECT FROM order_items i
          WHERE (i.client_id, i.order_number) = (of_client, of_order)
            AND i.shipped <> i.returned - coalesce((
                  SELECT sum(l.quantity)
                    FROM order_returns r
                    JOIN order_return_items l USING (client_id, order_number, return_number)
                   WHERE (r.client_id, r.order_number, r.state) = (of_client, of_order, 'requested')
                     AND l.line = i.line), 0)) THEN
      RETURN 'returned';
    END IF;
    SELECT count(*) AS parcels,
           count(*) FILTER (WHERE delivered_at IS NULL AND exception IS NULL) AS arriving,
           count(*) FILTER (WHERE delivered_at IS NULL AND exception = 'lost') AS lost,
           count(*) FILTER (WHERE delivered_at IS NULL AND exception = 'returning') AS returning,
           count(*) FILTER (WHERE delivered_at IS NULL AND exception = 'returned') AS returned
      INTO found FROM parcels WHERE (client_id, order_number) = (of_client, of_order);
    IF found.parcels = 0 OR found.arriving > 0 THEN
      RETURN NULL;
    END IF;
    suffix := CASE WHEN found.parcels IN (found.lost, found.returning, found.returned) THEN ''
                   ELSE '_in_part' END;
    RETURN CASE WHEN found.lost > 0 THEN 'lost' || suffix
                WHEN found.returning > 0 THEN 'returning' || suffix
                WHEN found.returned > 0 THEN 'returned' || suffix
                ELSE 'delivered' END;
  END $$;

  CREATE FUNCTION keep_goods_state() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  DECLARE
    key record := coalesce(NEW, OLD);
    state CONSTANT text := goods_state(key.client_id, key.order_number);
  BEGIN
    UPDATE orders SET goods_state = state
     WHERE client_id = key.client_id AND order_number = key.order_number
       AND goods_state IS DISTINCT FROM state;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION goods_state, keep_goods_state FROM PUBLIC;
  CREATE TRIGGER goods_state AFTER INSERT OR DELETE OR UPDATE OF delivered_at, exception ON parcels
    FOR EACH ROW EXECUTE FUNCTION keep_goods_state();
  CREATE TRIGGER goods_state AFTER UPDATE OF shipped, returned ON order_items FOR EACH ROW
    WHEN (OLD.returned > 0 OR NEW.returned > 0) EXECUTE FUNCTION keep_goods_state();
  CREATE TRIGGER goods_state AFTER UPDATE OF state ON order_returns
    FOR EACH ROW EXECUTE FUNCTION keep_goods_state();`;

/** Few orders: those with RTO or a loss, with goods that came back, and those that are shipped in part. */
const FILLED = `
  UPDATE orders o SET goods_state = known.state
    FROM (SELECT client_id, order_number, goods_state(client_id, order_number) AS state
            FROM (SELECT client_id, order_number FROM parcels WHERE exception IS NOT NULL
                   UNION
                  SELECT client_id, order_number FROM order_returns
                   WHERE state IN ('received', 'partly_received')
                   UNION
                  SELECT client_id, order_number FROM orders
                   WHERE status = 'pending' AND shipped_at IS NOT NULL) AS possible) AS known
   WHERE (o.client_id, o.order_number) = (known.client_id, known.order_number)
     AND o.status IN ('pending', 'shipped') AND known.state IS NOT NULL;`;

const INDEXES = `
  CREATE INDEX orders_goods_under_way ON orders (client_id, shipped_at)
    WHERE status IN ('pending', 'shipped') AND shipped_at IS NOT NULL AND goods_state IS NULL;
  CREATE INDEX orders_goods_not_arriving ON orders (placed_at, order_number)
    WHERE status = 'shipped' AND goods_state IS NOT NULL;
  CREATE INDEX orders_goods_not_arriving_of_client ON orders (client_id, placed_at, order_number)
    WHERE status = 'shipped' AND goods_state IS NOT NULL;`;

/** The history of an order has what couriers report. Until now the audit log alone had it. */
const REPORTS = `
  INSERT INTO order_changes (client_id, order_number, changed_at, actor, before, after)
  SELECT o.client_id, o.order_number, a.happened_at, a.actor, jsonb_build_object(report.field, NULL),
         jsonb_build_object(report.field, a.details->>'exception')
    FROM audit_log a
    JOIN orders o ON o.order_number = substr(a.subject, 7) AND o.client_id = a.client_id,
         LATERAL (SELECT format('parcel_%s_reported', a.details->>'parcel') AS field) AS report
   WHERE a.action = 'order.parcel_exception'
   ORDER BY a.id;`;
