import type { ImportKind } from '../../../shared/imports/import-kind.js';
import type { ImportSession } from '../../../shared/imports/import-session.js';
import {
  addFaults,
  addWarnings,
  createWork,
  DROP_FAULTY,
  FAULTS,
  GOOD,
  inBatch,
  STAGED,
  WORK,
} from '../../../shared/imports/import-tables.js';
import { LATE_NOTICE, LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { send } from '../../orders/actions/ship.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import type { KeyedChange } from '../../orders/lifecycle/order-lifecycle.service.js';
import { parseLineQuantities } from '../../orders/rules/order-units.js';
import { BEFORE_PLACED, type Shipment, type TrackingException } from '../../orders/rules/shipment.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { optionalLineFault } from '../../../platform/validation/texts.js';
import {
  type ApplyToOrders,
  dryRunOrders,
  ORDERS_AT_ONCE,
  readLineList,
  resolveOrders,
  writeOrders,
} from '../order-imports.js';
import {
  BOX_COLUMN,
  IS_EARLY,
  KEY,
  OPTIONAL_COLUMNS,
  PARCEL_IMPORT,
  readShipment,
  REFUSE_SHARED,
  SHIPMENT,
  SHIPMENT_STAGED,
  type ShipmentColumn,
  textOrNull,
} from './parcel-cells.js';

/** The lines of a parcel `p`, as rows have them: `1=2 2=1`. */
const PARCEL_LINES = `
  (SELECT string_agg(format('%s=%s', u.line, u.quantity), ' ' ORDER BY u.line) FROM parcel_items u
    WHERE (u.client_id, u.order_number, u.parcel) = (p.client_id, p.order_number, p.parcel))`;

/** A row with neither tracking number nor lines may be a new parcel, while goods are left. */
const IS_ALREADY_SHIPPED = `
  EXISTS (SELECT FROM parcels p
           WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
             AND (p.courier, p.tracking_number, p.tracking_url)
                 IS NOT DISTINCT FROM (g.courier, g.tracking_number, g.tracking_url)
             AND date_trunc('milliseconds', p.shipped_at)
                 = coalesce(g.shipped_at, date_trunc('milliseconds', p.shipped_at))
             AND CASE WHEN g.lines IS NOT NULL THEN g.lines = ${PARCEL_LINES}
                      ELSE g.tracking_number IS NOT NULL OR o.status <> 'pending' END)`;

/**
 * Skips parcels that were shipped before. Of the rows of an order without lines the first, `opener`, takes
 * everything that is left; the others are further boxes.
 */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until, g.lines, g.without_irn,
         opener.line AS opener,
         g.lines IS NULL AND (o.status <> 'pending' OR row_number() OVER (
           PARTITION BY g.order_number, g.lines IS NULL ORDER BY g.line) > 1) AS is_box
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number
    LEFT JOIN (SELECT order_number, min(line) AS line FROM ${STAGED} WHERE lines IS NULL
                GROUP BY order_number) AS opener
           ON opener.order_number = g.order_number AND opener.line < g.line AND g.lines IS NULL
   WHERE NOT ${IS_ALREADY_SHIPPED}`);

/** A further box of a shipped order follows a row that the order was shipped with. */
const CAN_SHIP = `
  (status = 'pending'
   OR status = 'shipped' AND is_box AND opener IS NOT NULL AND opener NOT IN (SELECT line FROM ${WORK}))`;

const REFUSE_UNSHIPPABLE = addFaults(`
  SELECT line, 'order_number', CASE
           WHEN opener IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning)
           THEN format('waits for row %s of the same order, which is refused', opener)
           WHEN status IN ('shipped', 'delivered')
           THEN 'was shipped already, with another courier, tracking or time: correct its shipment instead'
           ELSE format('names an order that is %s and cannot be shipped', replace(status, '_', ' ')) END
    FROM ${WORK}
   WHERE NOT ${CAN_SHIP} OR opener IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning)
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE ${CAN_SHIP} AND ${IS_EARLY}
  UNION ALL
  SELECT line, 'tracking_number', format('is on parcel %s of the order too', p.parcel)
    FROM ${WORK} w JOIN parcels p USING (client_id, order_number, tracking_number)
   WHERE is_box AND ${CAN_SHIP}`);

const ROW_ONLY = 'lines, is_box AS "isBox", without_irn AS "withoutIrn"';

const NEXT_SHIPPED = `
  SELECT ${SHIPMENT}, ${ROW_ONLY} FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

/** Further boxes have no goods. Their orders may be shipped in an earlier batch. */
const NEXT_DRY_RUN = `
  SELECT line AS at, ${SHIPMENT}, ${ROW_ONLY}
    FROM ${WORK} WHERE NOT is_box AND line > $1 ORDER BY line LIMIT $2`;

export type ShippedRow = { line: number; lines: string | null; isBox: boolean } & {
  withoutIrn: string | null;
} & OrderKey &
  Shipment;

/** The units of an order `w` that did not leave yet, for people. */
const LEFT_LINES = `
  (SELECT string_agg(format('%s of line %s', i.quantity - i.shipped - i.cancelled, i.line), ', '
                     ORDER BY i.line)
     FROM order_items i
    WHERE (i.client_id, i.order_number) = (w.client_id, w.order_number)
      AND i.quantity > i.shipped + i.cancelled)`;

/** "1=2 2=1" as "2 of line 1, 1 of line 2". */
const namedUnits = (lines: string) =>
  `regexp_replace(replace(${lines}, ' ', ', '), '(\\d+)=(\\d+)', '\\2 of line \\1', 'g')`;

/** The lines of a row `w`, or those of the parcel of its order whose invoice is issued. */
const CHOSEN_LINES = `
  coalesce(w.lines, (SELECT p.lines FROM prepared_parcels p
                      WHERE (p.client_id, p.order_number) = (w.client_id, w.order_number)))`;

/** Bounded by the columns of the file. */
const SHOW_SHIPMENTS = `
  SELECT w.line, w.is_new, w.order_number AS name, (
           SELECT jsonb_agg(jsonb_build_array(name, NULL, value) ORDER BY at)
             FROM (VALUES (1, 'courier', w.courier), (2, 'tracking_number', w.tracking_number),
                          (3, 'tracking_url', w.tracking_url), (4, 'shipped_at', w.shipped_at::text),
                          (5, 'lines', CASE WHEN w.is_box THEN 'none'
                                            ELSE coalesce(${namedUnits(CHOSEN_LINES)},
                                                          'all that is left (' || ${LEFT_LINES} || ')') END)
                   ) AS field (at, name, value)
            WHERE value IS NOT NULL) AS fields
    FROM ${WORK} w`;

const MONTH = `date_trunc('month', now() AT TIME ZONE '${LAW_TIME_ZONE}') AT TIME ZONE '${LAW_TIME_ZONE}'`;

/** Used only if parcels have invoices. */
export const WARN_OF_MONTH = addWarnings(`
  SELECT line, 'shipped_at',
         '${LATE_NOTICE} ' || to_char(shipped_at AT TIME ZONE '${LAW_TIME_ZONE}', 'YYYY-MM')
    FROM ${WORK} WHERE NOT is_box AND shipped_at < ${MONTH}`);

/** Parcels without a tracking number differ by their lines. */
export function shipmentImport(
  timeZone: TimeZone,
  applyShipments: ApplyToOrders<ShippedRow>,
): ImportKind<
  ShipmentColumn | 'lines' | 'without_irn',
  keyof typeof SHIPMENT_STAGED | 'lines' | 'without_irn' | 'box'
> {
  return {
    ...PARCEL_IMPORT,
    optional: [...OPTIONAL_COLUMNS, 'lines', 'without_irn'],
    staged: { ...SHIPMENT_STAGED, lines: 'text', without_irn: 'text', ...BOX_COLUMN },
    read: (cells, note) => {
      const shipment = readShipment(cells, note, timeZone);
      const lines = cells.lines === '' ? null : readLineList(cells.lines, note);
      const fault = optionalLineFault(cells.without_irn, 200);
      if (fault !== undefined) note('without_irn', fault);
      const without_irn = textOrNull(cells.without_irn);
      return { ...shipment, lines, without_irn, box: shipment.tracking_number ?? `lines ${lines ?? ''}` };
    },
    compare: [resolveOrders(KEY), FIND_WORK, REFUSE_SHARED, REFUSE_UNSHIPPABLE, DROP_FAULTY],
    changes: SHOW_SHIPMENTS,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<ShippedRow>(NEXT_SHIPPED, applyShipments),
  };
}

export async function dryRunShipments(
  session: ImportSession,
  applyShipments: ApplyToOrders<ShippedRow>,
  actor: string,
): Promise<void> {
  await dryRunOrders(session, NEXT_DRY_RUN, applyShipments, actor);
  await session.run(REFUSE_UNSHIPPABLE + DROP_FAULTY);
}

export function toShipmentChange(
  { clientId, orderNumber, line: _, lines, isBox, withoutIrn, ...shipment }: ShippedRow,
  { sharedWithOrders, oldSlip = false }: TrackingException & { oldSlip?: boolean },
): KeyedChange {
  const units = lines === null ? undefined : parseLineQuantities([lines]);
  return {
    key: { clientId, orderNumber },
    change: send({
      ...shipment,
      sharedWithOrders,
      oldSlip,
      lines: isBox ? [] : units,
      withoutIrn: withoutIrn ?? undefined,
    }),
  };
}
