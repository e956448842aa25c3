import type { ImportKind } from '../../../shared/imports/import-kind.js';
import type { ImportSession } from '../../../shared/imports/import-session.js';
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  GOOD,
  inBatch,
  WORK,
} from '../../../shared/imports/import-tables.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import { correctShipment } from '../../orders/actions/correct-shipment.js';
import type { KeyedChange } from '../../orders/lifecycle/order-lifecycle.service.js';
import { BEFORE_PLACED, type Shipment, type TrackingException } from '../../orders/rules/shipment.js';
import type { TimeZone } from '../../../platform/time/time.js';
import {
  type ApplyToOrders,
  dryRunOrders,
  ORDERS_AT_ONCE,
  resolveOrders,
  writeOrders,
} from '../order-imports.js';
import {
  BOX_COLUMN,
  boxKey,
  IS_EARLY,
  KEY,
  OPTIONAL_COLUMNS,
  PARCEL_IMPORT,
  NO_SUCH_PARCEL,
  readParcel,
  readShipment,
  REFUSE_SHARED,
  SHIPMENT,
  SHIPMENT_STAGED,
  type ShipmentColumn,
} from './parcel-cells.js';

/**
 * The parcel of a row: the one with its number, or with its tracking number, or the newest. An empty cell
 * keeps the stored value.
 */
const FIND_CORRECTIONS = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until,
         g.parcel AS wanted, p.parcel
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number
    LEFT JOIN LATERAL (
           SELECT * FROM parcels p
            WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
              AND p.parcel = coalesce(g.parcel, p.parcel)
            ORDER BY p.tracking_number IS NOT DISTINCT FROM g.tracking_number DESC, p.parcel DESC
            LIMIT 1) AS p ON true
   WHERE p.parcel IS NULL
      OR p.courier <> g.courier
      OR p.tracking_number IS DISTINCT FROM coalesce(g.tracking_number, p.tracking_number)
      OR p.tracking_url IS DISTINCT FROM coalesce(g.tracking_url, p.tracking_url)
      OR date_trunc('milliseconds', p.shipped_at) <> g.shipped_at`);

const REFUSE_UNSHIPPED = addFaults(`
  SELECT line, 'order_number', format('names an order that is %s and was not shipped',
                                      replace(status, '_', ' '))
    FROM ${WORK} WHERE parcel IS NULL AND wanted IS NULL
  UNION ALL
  SELECT line, 'parcel', '${NO_SUCH_PARCEL}' FROM ${WORK} WHERE parcel IS NULL AND wanted IS NOT NULL
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE parcel IS NOT NULL AND ${IS_EARLY}`);

/** Bounded by the columns of the file. */
const SHOW_CORRECTIONS = `
  SELECT w.line, w.is_new, format('%s, parcel %s', w.order_number, w.parcel) AS name, (
           SELECT jsonb_agg(jsonb_build_array(name, old, new) ORDER BY at)
             FROM (VALUES (1, 'courier', p.courier, w.courier),
                          (2, 'tracking_number', p.tracking_number, w.tracking_number),
                          (3, 'tracking_url', p.tracking_url, w.tracking_url),
                          (4, 'shipped_at', date_trunc('milliseconds', p.shipped_at)::text,
                           w.shipped_at::text)) AS field (at, name, old, new)
            WHERE old IS DISTINCT FROM coalesce(new, old)) AS fields
    FROM ${WORK} w JOIN parcels p USING (client_id, order_number, parcel)`;

const NEXT_CORRECTED = `SELECT ${SHIPMENT}, parcel FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

const NEXT_DRY_RUN = `
  SELECT line AS at, ${SHIPMENT}, parcel FROM ${WORK} WHERE line > $1 ORDER BY line LIMIT $2`;

export type CorrectedRow = { line: number; parcel: number } & OrderKey & Shipment;

export function correctionImport(
  timeZone: TimeZone,
  applyCorrections: ApplyToOrders<CorrectedRow>,
): ImportKind<ShipmentColumn | 'parcel', keyof typeof SHIPMENT_STAGED | 'parcel' | 'box'> {
  return {
    ...PARCEL_IMPORT,
    optional: [...OPTIONAL_COLUMNS, 'parcel'],
    staged: { ...SHIPMENT_STAGED, parcel: 'integer', ...BOX_COLUMN },
    read: (cells, note) => {
      const shipment = readShipment(cells, note, timeZone);
      const parcel = readParcel(cells.parcel, note);
      return { ...shipment, parcel, box: boxKey(parcel, shipment.tracking_number) };
    },
    compare: [resolveOrders(KEY), FIND_CORRECTIONS, REFUSE_SHARED, REFUSE_UNSHIPPED, DROP_FAULTY],
    changes: SHOW_CORRECTIONS,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<CorrectedRow>(NEXT_CORRECTED, applyCorrections),
  };
}

export const dryRunCorrections = (
  session: ImportSession,
  applyCorrections: ApplyToOrders<CorrectedRow>,
  actor: string,
) => dryRunOrders(session, NEXT_DRY_RUN, applyCorrections, actor);

/** An empty cell keeps the stored value. */
export function toCorrection(
  { clientId, orderNumber, parcel, courier, trackingNumber, trackingUrl, shippedAt }: CorrectedRow,
  accepted: TrackingException,
): KeyedChange {
  const change = correctShipment.change({
    parcel,
    courier,
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    ...(shippedAt !== null && { shippedAt }),
    ...accepted,
  });
  return { key: { clientId, orderNumber }, change };
}
