import type { NoteFault, StagedValue } from '../../imports/import-kind.js';
import { Parcel } from '../../orders/entities/after-sale.entity.js';
import { latestMoment, shipmentFaults } from '../../orders/rules/shipment.js';
import { columnOf } from '../../platform/database/columns-of.js';
import { parseDayFirst, type TimeZone } from '../../platform/time/time.js';
import { readOrderNumber } from '../order-imports.js';

/** Files have milliseconds, the database has microseconds. */
export const IS_EARLY = `shipped_until + interval '1 millisecond' <= placed_at`;

export const NO_SUCH_PARCEL = 'is no parcel of the order';

/** The staged shipment of a row as fields of a `Shipment` with its order. */
export const SHIPMENT = `
  line, client_id AS "clientId", order_number AS "orderNumber", courier, tracking_number AS "trackingNumber",
  tracking_url AS "trackingUrl", shipped_at AS "shippedAt"`;

export const SHIPMENT_STAGED = {
  order_number: 'text',
  courier: 'text',
  tracking_number: 'text',
  tracking_url: 'text',
  shipped_at: 'timestamptz',
  shipped_until: 'timestamptz',
} as const;

export type ShipmentColumn = Exclude<keyof typeof SHIPMENT_STAGED, 'shipped_until'>;

/** As couriers name them in their reports. */
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

export function readShipment(
  cells: Record<ShipmentColumn, string>,
  note: NoteFault,
  timeZone: TimeZone,
): Record<keyof typeof SHIPMENT_STAGED, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const orderNumber = readOrderNumber(number, note);
  const shippedAt = shippedAtText === '' ? null : parseDayFirst(shippedAtText, timeZone);
  if (shippedAtText !== '' && shippedAt === null)
    note('shipped_at', 'must be a date or time such as 31/01/2026 18:00 or 2026-01-31T18:00+05:30');
  const shipment = { courier, trackingNumber, trackingUrl: trackingUrl || null, shippedAt };
  for (const [field, fault] of shipmentFaults(shipment)) note(columnOf(Parcel, field), fault);
  return {
    order_number: orderNumber,
    courier: orNull(courier),
    tracking_number: orNull(trackingNumber),
    tracking_url: orNull(trackingUrl),
    shipped_at: shippedAt?.toISOString() ?? null,
    shipped_until: shippedAt && latestMoment(shippedAt, timeZone).toISOString(),
  };
}

export function orNull(text: string): string | null {
  return text === '' || text.includes('\0') ? null : text.toWellFormed();
}

export function readParcel(cell: string, note: NoteFault): number | null {
  if (cell === '') return null;
  if (/^[1-9]\d{0,5}$/.test(cell)) return Number(cell);
  note('parcel', 'must be the number of a parcel in its order, such as 2');
  return null;
}

/** A parcel may be in a file only once. */
export const BOX = { box: 'text' } as const;
export const KEY = ['order_number', 'box'] as const;

export const OPTIONAL = ['tracking_number', 'tracking_url', 'shipped_at'] as const;

/** What files of new and of corrected parcels have in common. */
export const PARCEL_IMPORT = {
  name: 'shipments',
  columns: ['order_number', 'courier'],
  aliases: ALIASES,
  times: ['shipped_at'],
  key: KEY,
  keyColumn: 'order_number',
} as const;

export function boxOf(parcel: number | null, trackingNumber: StagedValue): string {
  return parcel === null ? `tracking ${String(trackingNumber ?? '')}` : `parcel ${parcel}`;
}
