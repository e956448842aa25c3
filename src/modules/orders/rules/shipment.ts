import { DomainError } from '../../../platform/errors/domain-error.js';
import {
  addDays,
  dayAt,
  isMidnight,
  isoTime,
  startOfDay,
  type TimeZone,
} from '../../../platform/time/time.js';
import { isWebAddress, optionalLineFault } from '../../../platform/validation/texts.js';

/** Unknown details are null. A parcel without a time was shipped just now. */
export interface Shipment {
  courier: string;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: Date | null;
}

/** Other orders that may have the same tracking number. One parcel may hold the goods of two orders. */
export interface TrackingException {
  sharedWithOrders?: readonly string[] | 'any' | undefined;
}

/** The courier may be in another time zone, where the day began earlier. */
const MAX_AHEAD_MS = 86_400_000;

const MAX_URL_LENGTH = 2_000;

/** Faults that finish the sentence "The tracking number …". */
export function shipmentFaults({
  courier,
  trackingNumber,
  trackingUrl,
  shippedAt,
}: Shipment): [keyof Shipment, string][] {
  const faults: [keyof Shipment, string | undefined][] = [
    ['courier', courier === '' ? 'must not be empty' : optionalLineFault(courier, 100)],
    ['trackingNumber', trackingNumberFault(trackingNumber ?? '')],
    ['trackingUrl', trackingUrl === null ? undefined : urlFault(trackingUrl)],
    [
      'shippedAt',
      shippedAt && shippedAt.getTime() > Date.now() + MAX_AHEAD_MS ? 'must not be in the future' : undefined,
    ],
  ];
  return faults.filter((fault): fault is [keyof Shipment, string] => fault[1] !== undefined);
}

export function checkShipment(shipment: Shipment): void {
  refuse(shipmentFaults(shipment));
}

/** Checks only the given fields. */
export function checkCorrection(changes: Partial<Shipment>): void {
  const unchanged: Shipment = { courier: 'unsaid', trackingNumber: null, trackingUrl: null, shippedAt: null };
  refuse(shipmentFaults({ ...unchanged, ...changes }));
}

function refuse(found: [keyof Shipment, string][]): void {
  const faults = found.map(([field, fault]) => `The ${FIELD_LABELS[field]} ${fault}.`);
  if (faults.length > 0) throw new DomainError('invalid_value', faults.join(' '));
}

const FIELD_LABELS: Record<keyof Shipment, string> = {
  courier: 'courier',
  trackingNumber: 'tracking number',
  trackingUrl: 'tracking address',
  shippedAt: 'time of shipping',
};

/** A long number rounded by a spreadsheet. Its lost digits cannot be restored. */
const ROUNDED = /^\d([.,]\d+)?E\+?\d+$/i;

/** Finishes the sentence "The tracking number …". */
export function trackingNumberFault(text: string): string | undefined {
  return ROUNDED.test(text.trim())
    ? 'was rounded by a spreadsheet: format the column as text and enter the number again'
    : optionalLineFault(text, 100);
}

function urlFault(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  return isWebAddress(text) ? undefined : 'must be an address that begins with http:// or https://';
}

export const BEFORE_PLACED = 'is before the order was placed';

/** The last moment that a time of shipping can mean. A bare date is kept as the beginning of its day. */
export function latestMoment(shippedAt: Date, timeZone: TimeZone): Date {
  if (!isMidnight(shippedAt, timeZone)) return shippedAt;
  const tomorrow = startOfDay(addDays(dayAt(shippedAt, timeZone), 1), timeZone);
  return new Date(tomorrow.getTime() - 1);
}

const BEFORE_INVOICED = 'is before its invoice was issued';

/** `invoicedAt`: the parcel was invoiced before it left. */
export function checkShippedAt(
  shippedAt: Date | null,
  placedAt: Date,
  timeZone: TimeZone,
  invoicedAt?: Date,
): void {
  const earliest = invoicedAt ?? placedAt;
  if (shippedAt !== null && latestMoment(shippedAt, timeZone) < earliest)
    throw new DomainError(
      'invalid_value',
      `The time of shipping ${invoicedAt ? BEFORE_INVOICED : BEFORE_PLACED}: ${isoTime(earliest, timeZone)}.`,
    );
}
