import type { ImportKind } from '../../imports/import-kind.js';
import { addFaults, createWork, DROP_FAULTY, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import type { KeyedChange } from '../../orders/lifecycle/order-lifecycle.service.js';
import {
  type ActOnOrders,
  ORDERS_AT_ONCE,
  readOrderNumber,
  findOrders,
  writeOrders,
} from '../order-imports.js';
import { ALIASES, BOX, boxOf, KEY, NO_SUCH_PARCEL, orNull, readParcel } from './parcel-cells.js';

/** Skips parcels that were delivered already. A row that names no parcel means all parcels of its order. */
const FIND_DELIVERED = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, p.found, p.parcel,
         g.parcel AS wanted, g.tracking_number
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number,
         LATERAL (
           SELECT count(*) AS found, count(*) FILTER (WHERE p.delivered_at IS NULL) AS open,
                  CASE WHEN g.parcel IS NOT NULL OR g.tracking_number IS NOT NULL
                       THEN min(p.parcel) END AS parcel
             FROM parcels p
            WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
              AND (g.parcel IS NULL OR p.parcel = g.parcel)
              AND (g.tracking_number IS NULL OR p.tracking_number = g.tracking_number)) AS p
   WHERE p.found = 0 OR p.open > 0`);

const REFUSE_UNDELIVERABLE = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE found = 0 AND wanted IS NULL AND tracking_number IS NULL
  UNION ALL
  SELECT line, CASE WHEN wanted IS NULL THEN 'tracking_number' ELSE 'parcel' END, '${NO_SUCH_PARCEL}'
    FROM ${WORK} WHERE found = 0 AND (wanted IS NOT NULL OR tracking_number IS NOT NULL)`);

const SHOW_DELIVERIES = `
  SELECT w.line, w.is_new, w.order_number AS name, (
           SELECT jsonb_agg(jsonb_build_array('parcel', NULL,
                    concat_ws(' ', p.parcel, p.courier, p.tracking_number)) ORDER BY p.parcel)
             FROM parcels p
            WHERE (p.client_id, p.order_number) = (w.client_id, w.order_number)
              AND p.parcel = coalesce(w.parcel, p.parcel) AND p.delivered_at IS NULL) AS fields
    FROM ${WORK} w`;

const NEXT_DELIVERED = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", parcel
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type DeliveredRow = { line: number; parcel: number | null } & OrderKey;

type DeliveredColumn = 'order_number' | 'parcel' | 'tracking_number';

export function deliveryImport(
  act: ActOnOrders<DeliveredRow>,
): ImportKind<DeliveredColumn, DeliveredColumn | 'box'> {
  return {
    name: 'deliveries',
    columns: ['order_number'],
    optional: ['parcel', 'tracking_number'],
    aliases: { order_number: ALIASES.order_number, tracking_number: ALIASES.tracking_number },
    staged: { order_number: 'text', parcel: 'integer', tracking_number: 'text', ...BOX },
    key: KEY,
    keyColumn: 'order_number',
    read: (cells, note) => {
      const parcel = readParcel(cells.parcel, note);
      const trackingNumber = orNull(cells.tracking_number);
      return {
        order_number: readOrderNumber(cells.order_number, note),
        parcel,
        tracking_number: trackingNumber,
        box: boxOf(parcel, trackingNumber),
      };
    },
    compare: [findOrders(KEY), FIND_DELIVERED, REFUSE_UNDELIVERABLE, DROP_FAULTY],
    changes: SHOW_DELIVERIES,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders(NEXT_DELIVERED, act),
  };
}

export function toDelivered({ clientId, orderNumber, parcel }: DeliveredRow): KeyedChange {
  return { key: { clientId, orderNumber }, change: { action: 'deliver', parcel: parcel ?? undefined } };
}
