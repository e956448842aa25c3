import type { NoteFault, StagedValue } from '../../../shared/imports/import-kind.js';
import { addFaults, option, WORK } from '../../../shared/imports/import-tables.js';
import { Parcel } from '../../orders/entities/after-sale.entity.js';
import { trackingKey } from '../../orders/lifecycle/shared-tracking.repository.js';
import { latestMoment, shipmentFaults } from '../../orders/rules/shipment.js';
import { columnOf } from '../../../platform/database/columns-of.js';
import { parseTime, type TimeZone } from '../../../platform/time/time.js';
import { KNOWN_ORDERS, ORDER_STAGED, readOrderNumber } from '../order-imports.js';

/** Files have milliseconds, the database has microseconds. */
export const IS_EARLY = `shipped_until + interval '1 millisecond' <= placed_at`;

export const NO_SUCH_PARCEL = 'is not a parcel of the order';

/** The staged shipment of a row as fields of a `Shipment` with its order. */
export const SHIPMENT = `
  line, client_id AS "clientId", order_number AS "orderNumber", courier, tracking_number AS "trackingNumber",
  tracking_url AS "trackingUrl", shipped_at AS "shippedAt"`;

export const SHIPMENT_STAGED = {
  ...ORDER_STAGED,
  courier: 'text',
  tracking_number: 'text',
  tracking_url: 'text',
  shipped_at: 'timestamptz',
  shipped_until: 'timestamptz',
} as const;

export type ShipmentColumn = Exclude<keyof typeof SHIPMENT_STAGED, 'number_end' | 'shipped_until'>;

/** Headings in the reports of couriers. */
export const ALIASES = {
  order_number: ['Reference No', 'Reference Number', 'Ref No', 'Reference', 'Order No', 'Order ID', 'Order'],
  courier: ['Courier Name', 'Courier Company', 'Carrier', 'Service Provider'],
  tracking_number: [
    'AWB',
    'AWB No',
    'AWB Number',
    'Waybill',
    'Waybill No',
    'Tracking No',
    'Tracking ID',
    'Docket No',
    'Consignment No',
    'LR No',
  ],
  tracking_url: ['Tracking Link'],
  shipped_at: ['Pickup Date', 'Ship Date', 'Shipped Date', 'Dispatch Date', 'Booking Date'],
} as const satisfies Record<ShipmentColumn, readonly string[]>;

/** A parcel without its tracking number cannot be followed, so such a heading is not ignored. */
export const TRACKING_SYNONYMS = [
  ...ALIASES.tracking_number,
  'Docket',
  'Docket Number',
  'Consignment Number',
  'LR',
  'LR Number',
  'C/N No',
  'AWB Code',
];

/**
 * A tracking number of another order is probably a mistake: a label was used twice, or a row slipped. A
 * person can accept it. Of two rows with one number either may be wrong. SQL, because it compares the whole
 * file.
 */
export const REFUSE_SHARED = addFaults(`
  SELECT line, 'tracking_number',
         format('is on order %s too: if one parcel holds both, add --force', min(other))
    FROM (SELECT w.line, p.order_number AS other
            FROM ${WORK} w,
                 LATERAL (SELECT p.order_number FROM parcels p
                           WHERE ${trackingKey('p.tracking_number')} = ${trackingKey('w.tracking_number')}
                             AND (p.client_id, p.order_number) <> (w.client_id, w.order_number)
                           LIMIT 1) AS p
          UNION ALL
          SELECT w.line, CASE w.order_number WHEN rows.first THEN rows.last ELSE rows.first END
            FROM ${WORK} w
            JOIN (SELECT ${trackingKey('tracking_number')} AS key, min(order_number) AS first,
                         max(order_number) AS last
                    FROM ${WORK} GROUP BY 1 HAVING min(order_number) <> max(order_number)) AS rows
              ON rows.key = ${trackingKey('w.tracking_number')}) AS shared
   WHERE NOT ${option('force')}
   GROUP BY line`);

export function readShipment(
  cells: Record<ShipmentColumn, string>,
  note: NoteFault,
  timeZone: TimeZone,
): Record<keyof typeof SHIPMENT_STAGED, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const named = readOrderNumber(number, note);
  const shippedAt = shippedAtText === '' ? null : parseTime(shippedAtText, timeZone);
  if (shippedAtText !== '' && shippedAt === null)
    note('shipped_at', 'must be a date or time such as 31/01/2026 18:00 or 2026-01-31T18:00+05:30');
  const shipment = { courier, trackingNumber, trackingUrl: trackingUrl || null, shippedAt };
  for (const [field, fault] of shipmentFaults(shipment)) note(columnOf(Parcel, field), fault);
  return {
    ...named,
    courier: textOrNull(courier),
    tracking_number: textOrNull(trackingNumber),
    tracking_url: textOrNull(trackingUrl),
    shipped_at: shippedAt?.toISOString() ?? null,
    shipped_until: shippedAt && latestMoment(shippedAt, timeZone).toISOString(),
  };
}

export function textOrNull(text: string): string | null {
  return text === '' || text.includes('\0') ? null : text.toWellFormed();
}

export function readParcel(cell: string, note: NoteFault): number | null {
  if (cell === '') return null;
  if (/^[1-9]\d{0,5}$/.test(cell)) return Number(cell);
  note('parcel', 'must be the number of a parcel in its order, such as 2');
  return null;
}

/** A parcel may be in a file only once. */
export const BOX_COLUMN = { box: 'text' } as const;
export const KEY = ['order_number', 'box'] as const;

export const OPTIONAL_COLUMNS = ['tracking_number', 'tracking_url', 'shipped_at'] as const;

/** The common part of files of new and of corrected parcels. */
export const PARCEL_IMPORT = {
  name: 'shipments',
  columns: ['order_number', 'courier'],
  aliases: ALIASES,
  synonyms: { order_number: ['Ref'], tracking_number: TRACKING_SYNONYMS },
  known: { order_number: KNOWN_ORDERS },
  mustRead: ['tracking_number'],
  times: ['shipped_at'],
  key: KEY,
  keyColumn: 'order_number',
} as const;

export function boxKey(parcel: number | null, trackingNumber: StagedValue): string {
  return parcel === null ? `tracking ${String(trackingNumber ?? '')}` : `parcel ${parcel}`;
}
