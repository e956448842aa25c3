import type { ImportKind, NoteFault } from '../../../shared/imports/import-kind.js';
import type { ImportSession } from '../../../shared/imports/import-session.js';
import {
  addFaults,
  addWarnings,
  createWork,
  DROP_FAULTY,
  FAULTS,
  GOOD,
  inBatch,
  REPORTED,
  STAGED,
  TRACKED,
  WORK,
} from '../../../shared/imports/import-tables.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import { trackingKey } from '../../orders/lifecycle/shared-tracking.repository.js';
import { latestMoment, trackingNumberFault } from '../../orders/rules/shipment.js';
import { parseTime, type TimeZone } from '../../../platform/time/time.js';
import {
  type ApplyToOrders,
  KNOWN_ORDERS,
  ORDER_STAGED,
  ORDERS_AT_ONCE,
  readOrderNumber,
  resolveOrders,
  writeOrders,
} from '../order-imports.js';
import { type CourierMeaning, courierMeaning } from './courier-words.js';
import {
  ALIASES,
  BOX_COLUMN,
  boxKey,
  KEY,
  NO_SUCH_PARCEL,
  textOrNull,
  readParcel,
  TRACKING_SYNONYMS,
} from './parcel-cells.js';

const SAME_TRACKING = `${trackingKey('p.tracking_number')} = ${trackingKey('g.tracking_number')}`;

/** Finds the orders of rows that name none. Two parcels with one number are two candidates. */
const FIND_TRACKED = `
  CREATE TEMP TABLE ${TRACKED} AS
  SELECT g.line, found.*
    FROM ${GOOD} g,
         LATERAL (SELECT count(*) AS parcels, min(order_number) AS order_number, max(order_number) AS last
                    FROM (SELECT p.order_number FROM parcels p
                           WHERE ${SAME_TRACKING} LIMIT 2) AS two) AS found
   WHERE g.order_number IS NULL;
  ${addFaults(`
    SELECT line, 'tracking_number',
           CASE parcels WHEN 0 THEN 'is not the number of a parcel'
                ELSE format('is on parcels of %s: add the column order_number',
                            concat_ws(' and ', order_number, nullif(last, order_number))) END
      FROM ${TRACKED} WHERE parcels <> 1`)}
  UPDATE ${STAGED} s SET order_number = ${TRACKED}.order_number
    FROM ${TRACKED} WHERE ${TRACKED}.line = s.line AND parcels = 1;`;

/** The parcels of each row. A row that names no parcel means all parcels of its order. */
const FIND_PARCELS = `
  CREATE TEMP TABLE ${REPORTED} AS
  SELECT g.line, g.meaning, p.client_id, p.order_number, p.parcel, p.courier, p.tracking_number, p.shipped_at,
         p.delivered_at, p.exception,
         p.delivered_at IS NULL
           AND (g.meaning = 'delivered'
                OR p.exception IS DISTINCT FROM g.meaning
                   AND p.exception IS DISTINCT FROM 'returned') AS is_open,
         CASE g.meaning WHEN 'delivered' THEN coalesce(p.exception = 'returned', false)
                        ELSE p.delivered_at IS NOT NULL END AS is_contradiction
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number
    JOIN parcels p ON (p.client_id, p.order_number) = (o.client_id, o.order_number)
                  AND p.parcel = coalesce(g.parcel, p.parcel)
                  AND (g.tracking_number IS NULL OR ${SAME_TRACKING});
  CREATE INDEX ON ${REPORTED} (line);
  ANALYZE ${REPORTED};`;

/** Skips parcels on the way, and those that the courier reported in the same way before. */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status AS order_status, p.*,
         CASE WHEN g.parcel IS NOT NULL OR g.tracking_number IS NOT NULL THEN p.first END AS parcel,
         g.parcel AS wanted, g.tracking_number, g.status, g.meaning, g.delivered_at, g.delivered_until
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number,
         LATERAL (SELECT count(*) AS found, count(*) FILTER (WHERE is_open) AS open,
                         count(*) FILTER (WHERE is_contradiction) AS contradictions, min(r.parcel) AS first,
                         max(r.shipped_at) FILTER (WHERE is_open) AS shipped_at
                    FROM ${REPORTED} r WHERE r.line = g.line) AS p
   WHERE g.meaning <> 'onTheWay' AND (p.found = 0 OR p.open > 0 OR p.contradictions > 0)`);

const REFUSE_UNDELIVERABLE = addFaults(`
  SELECT line, 'order_number', format('names an order that is %s and was not shipped',
                                       replace(order_status, '_', ' '))
    FROM ${WORK} WHERE found = 0 AND wanted IS NULL AND tracking_number IS NULL
  UNION ALL
  SELECT line, CASE WHEN wanted IS NULL THEN 'tracking_number' ELSE 'parcel' END, '${NO_SUCH_PARCEL}'
    FROM ${WORK} WHERE found = 0 AND (wanted IS NOT NULL OR tracking_number IS NOT NULL)
  UNION ALL
  SELECT line, 'order_number',
         'has a parcel that came back by RTO: record the delivery on the page of the order'
    FROM ${WORK} WHERE meaning = 'delivered' AND contradictions > 0
  UNION ALL
  SELECT line, 'status', 'contradicts the delivery that is recorded: take that back first'
    FROM ${WORK} WHERE meaning <> 'delivered' AND open = 0 AND contradictions > 0
  UNION ALL
  SELECT line, 'status', 'is of a box without goods of its own: record the return on the page of the order'
    FROM ${WORK} w
   WHERE meaning = 'returned' AND parcel IS NOT NULL
     AND NOT EXISTS (SELECT FROM parcel_items i
                      WHERE (i.client_id, i.order_number, i.parcel)
                            = (w.client_id, w.order_number, w.parcel))
  UNION ALL
  SELECT line, 'delivered_at', 'is before the parcel was shipped'
    FROM ${WORK}
   WHERE meaning = 'delivered' AND delivered_until + interval '1 millisecond' <= shipped_at
  UNION ALL
  SELECT line, 'tracking_number', format('is of the same parcel as row %s', first_line)
    FROM (SELECT line, min(line) OVER (PARTITION BY client_id, order_number, parcel) AS first_line
            FROM ${WORK} WHERE parcel IS NOT NULL) AS of_parcel
   WHERE line > first_line
  UNION ALL
  SELECT w.line, 'order_number', format('contradicts row %s, which names one of its parcels', min(o.line))
    FROM ${WORK} w JOIN ${WORK} o USING (client_id, order_number)
   WHERE w.parcel IS NULL AND o.parcel IS NOT NULL AND o.meaning <> w.meaning
   GROUP BY w.line
  UNION ALL
  SELECT w.line, 'order_number', format('has its parcel in row %s, which names the whole order', o.line)
    FROM ${WORK} w JOIN ${WORK} o USING (client_id, order_number, meaning)
   WHERE w.parcel IS NOT NULL AND o.parcel IS NULL AND o.found > 0 AND o.line < w.line
     AND NOT EXISTS (SELECT FROM ${WORK} other
                      WHERE (other.client_id, other.order_number) = (w.client_id, w.order_number)
                        AND other.parcel IS NOT NULL AND other.meaning <> w.meaning)
  UNION ALL
  SELECT w.line, 'order_number', 'has no other parcels than earlier rows'
    FROM ${WORK} w JOIN ${WORK} o USING (client_id, order_number, meaning)
   WHERE w.parcel IS NULL AND w.found > 0 AND o.parcel IS NOT NULL AND o.line < w.line
   GROUP BY w.line, w.open HAVING count(DISTINCT o.parcel) >= w.open`);

/** Bounded by the parcels of an order. */
const SHOW_DELIVERIES = `
  SELECT w.line, w.is_new, w.order_number AS name, (
           SELECT jsonb_agg(jsonb_build_array(name, NULL, value) ORDER BY at, parcel)
             FROM (SELECT 1 AS at, r.parcel, 'parcel' AS name,
                          concat_ws(' ', r.parcel, r.courier, r.tracking_number) AS value
                     FROM ${REPORTED} r WHERE r.line = w.line AND r.is_open
                   UNION ALL
                   SELECT 2, 0, 'status', w.status
                   UNION ALL
                   SELECT 3, 0, 'delivered_at', w.delivered_at::text WHERE w.meaning = 'delivered'
                   UNION ALL
                   SELECT 4, 0, 'return', 'is opened' WHERE w.meaning = 'returned') AS field
            WHERE value IS NOT NULL) AS fields
    FROM ${WORK} w`;

/** The list for a person. It names parcels that an earlier file reported too. */
const WARN_OF_EXCEPTIONS = addWarnings(`
  SELECT line, 'status',
         format('needs a person: parcel %s of %s, %s, %s', parcel, order_number,
                concat_ws(' ', courier, tracking_number),
                CASE meaning WHEN 'returning' THEN 'comes back (RTO)'
                             WHEN 'returned' THEN 'came back (RTO), and waits in a return to be received'
                             ELSE 'is lost' END)
    FROM ${REPORTED}
   WHERE meaning IN ('returning', 'returned', 'lost') AND delivered_at IS NULL
     AND exception IS DISTINCT FROM 'returned'
     AND line NOT IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning)`);

const COUNT_MEANINGS = `
  SELECT count(*) FILTER (WHERE meaning = 'delivered')::int AS delivered,
         count(*) FILTER (WHERE meaning = 'onTheWay')::int AS on_the_way,
         count(*) FILTER (WHERE meaning IN ('returning', 'returned'))::int AS rto,
         count(*) FILTER (WHERE meaning = 'lost')::int AS lost, count(status)::int AS read
    FROM ${GOOD}`;

type MeaningCounts = Record<'delivered' | 'on_the_way' | 'rto' | 'lost' | 'read', number>;

async function countMeanings(session: ImportSession) {
  const [counts] = await session.query<MeaningCounts>(COUNT_MEANINGS);
  const { read, ...json } = counts!;
  const { delivered, on_the_way: onTheWay, rto, lost } = json;
  // All rows are refused.
  if (read + delivered === 0) return undefined;
  if (read === 0)
    return { json: {}, text: `No column is read as the status. Rows read as delivered: ${delivered}.\n` };
  const parts = [`${delivered} delivered`, `${onTheWay} on the way (skipped)`];
  const exceptions = [rto > 0 && `${rto} RTO`, lost > 0 && `${lost} lost`].filter((part) => part !== false);
  const need = exceptions.length > 0 ? ', which need a person' : '';
  return { json, text: `The courier reports: ${[...parts, ...exceptions].join(', ')}${need}.\n` };
}

const NEXT_REPORTED = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", parcel, meaning,
         delivered_at AS "deliveredAt"
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

export type ReportedRow = {
  line: number;
  /** Null for all parcels of the order. */
  parcel: number | null;
  meaning: Exclude<CourierMeaning, 'onTheWay'>;
  deliveredAt: Date | null;
} & OrderKey;

const STAGED_COLUMNS = {
  ...ORDER_STAGED,
  tracking_number: 'text',
  parcel: 'integer',
  status: 'text',
  meaning: 'text',
  delivered_at: 'timestamptz',
  delivered_until: 'timestamptz',
  ...BOX_COLUMN,
} as const;

type DeliveryColumn = 'order_number' | 'tracking_number' | 'parcel' | 'status' | 'delivered_at';

/** Headings in the reports of couriers. */
const DELIVERY_ALIASES = {
  order_number: ALIASES.order_number,
  tracking_number: ALIASES.tracking_number,
  status: [
    'Current Status',
    'Shipment Status',
    'Delivery Status',
    'Tracking Status',
    'Latest Status',
    'Last Status',
    'Parcel Status',
    'Courier Status',
    'Status Description',
    'Order Status',
  ],
  delivered_at: [
    'Delivered On',
    'Delivered Date',
    'Delivery Date',
    'Date of Delivery',
    'Delivered Date Time',
    'Delivery Date Time',
    'Delivered Time',
    'Delivery Time',
    'Order Delivered Date',
    'Actual Delivery Date',
  ],
} as const;

const UNKNOWN_STATUS =
  'is not a known status: write Delivered, In transit, RTO, RTO delivered or Lost, or remove the row';

const UNREAD_STATUS =
  'is a courier’s status, but the column is not read: name it status, or remove the column';

/** Without the column of statuses each row is a delivery. */
export function deliveryImport(
  timeZone: TimeZone,
  applyReports: ApplyToOrders<ReportedRow>,
): ImportKind<DeliveryColumn, keyof typeof STAGED_COLUMNS> {
  return {
    name: 'deliveries',
    columns: [],
    optional: ['order_number', 'tracking_number', 'parcel', 'status', 'delivered_at'],
    oneOf: ['order_number', 'tracking_number'],
    mustRead: ['status', 'delivered_at'],
    aliases: DELIVERY_ALIASES,
    synonyms: {
      order_number: ['Ref'],
      tracking_number: TRACKING_SYNONYMS,
      delivered_at: ['Date', 'Date Time', 'POD Date'],
    },
    known: { order_number: KNOWN_ORDERS },
    times: ['delivered_at'],
    staged: STAGED_COLUMNS,
    key: KEY,
    keyColumn: 'order_number',
    read: (cells, note, presentColumns) => {
      const parcel = readParcel(cells.parcel, note);
      const trackingNumber = textOrNull(cells.tracking_number);
      const trackingFault = trackingNumberFault(cells.tracking_number);
      if (trackingFault !== undefined) note('tracking_number', trackingFault);
      const isTracked = cells.order_number === '' && trackingNumber !== null;
      const meaning = presentColumns.has('status') ? readStatus(cells.status, note) : 'delivered';
      const deliveredAt =
        meaning === 'delivered' ? readDeliveredAt(cells.delivered_at, note, timeZone) : null;
      return {
        ...(isTracked ? { order_number: null, number_end: null } : readOrderNumber(cells.order_number, note)),
        tracking_number: trackingNumber,
        parcel,
        status: textOrNull(cells.status),
        meaning,
        delivered_at: deliveredAt?.toISOString() ?? null,
        delivered_until: deliveredAt && latestMoment(deliveredAt, timeZone).toISOString(),
        box: boxKey(parcel, trackingNumber),
      };
    },
    faultOfUnread: (cell, presentColumns) => {
      const isDelivered =
        presentColumns.has('status') || (courierMeaning(cell) ?? 'delivered') === 'delivered';
      return isDelivered ? undefined : UNREAD_STATUS;
    },
    compare: [FIND_TRACKED, resolveOrders(KEY), FIND_PARCELS, FIND_WORK, REFUSE_UNDELIVERABLE, DROP_FAULTY],
    changes: SHOW_DELIVERIES,
    warn: WARN_OF_EXCEPTIONS,
    more: countMeanings,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders(NEXT_REPORTED, applyReports),
  };
}

function readStatus(cell: string, note: NoteFault): CourierMeaning | null {
  const meaning = courierMeaning(cell);
  if (meaning === undefined) note('status', cell === '' ? 'must not be empty' : UNKNOWN_STATUS);
  return meaning ?? null;
}

function readDeliveredAt(cell: string, note: NoteFault, timeZone: TimeZone): Date | null {
  if (cell === '') return null;
  const deliveredAt = parseTime(cell, timeZone);
  if (deliveredAt === null)
    note('delivered_at', 'must be a date or time such as 31/01/2026 18:00 or 2026-01-31T18:00+05:30');
  else if (deliveredAt.getTime() > Date.now()) note('delivered_at', 'must not be in the future');
  return deliveredAt;
}
