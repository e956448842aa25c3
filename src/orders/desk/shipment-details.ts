import { DomainError } from '../../platform/errors/domain-error.js';
import { isWebAddress, optionalLineFault } from '../../platform/validation/texts.js';
import type { Shipment } from '../lifecycle/order-change.js';

/** Bare dates mean UTC: east of it, today's date may begin hours ahead. */
const LATEST_AHEAD_MS = 86_400_000;

const MAX_ADDRESS = 2_000;

/** Every fault of the shipment, each to finish the sentence "the tracking number …". */
export function shipmentFaults({
  courier,
  trackingNumber,
  trackingUrl,
  shippedAt,
}: Shipment): [keyof Shipment, string][] {
  const faults: [keyof Shipment, string | undefined][] = [
    ['courier', courier === '' ? 'must not be empty' : optionalLineFault(courier, 100)],
    ['trackingNumber', trackingNumberFault(trackingNumber ?? '')],
    ['trackingUrl', trackingUrl === null ? undefined : addressFault(trackingUrl)],
    [
      'shippedAt',
      shippedAt && shippedAt.getTime() > Date.now() + LATEST_AHEAD_MS
        ? 'must not be in the future'
        : undefined,
    ],
  ];
  return faults.filter((fault): fault is [keyof Shipment, string] => fault[1] !== undefined);
}

export function checkShipment(shipment: Shipment): void {
  refuse(shipmentFaults(shipment));
}

/** Of a correction only what is given can be at fault. */
export function checkCorrection(given: Partial<Shipment>): void {
  const unsaid: Shipment = { courier: 'unsaid', trackingNumber: null, trackingUrl: null, shippedAt: null };
  refuse(shipmentFaults({ ...unsaid, ...given }));
}

function refuse(found: [keyof Shipment, string][]): void {
  const faults = found.map(([field, fault]) => `The ${NAMES[field]} ${fault}.`);
  if (faults.length > 0) throw new DomainError('invalid_value', faults.join(' '));
}

const NAMES: Record<keyof Shipment, string> = {
  courier: 'courier',
  trackingNumber: 'tracking number',
  trackingUrl: 'tracking address',
  shippedAt: 'time of shipping',
};

/** What a spreadsheet makes of a long number: the digits that it leaves out cannot be had back from it. */
const ROUNDED = /^\d([.,]\d+)?E\+?\d+$/i;

function trackingNumberFault(text: string): string | undefined {
  return ROUNDED.test(text.trim())
    ? 'was rounded by a spreadsheet, which takes a long number for an amount: format the column as text and enter the number again'
    : optionalLineFault(text, 100);
}

function addressFault(text: string): string | undefined {
  if (text.length > MAX_ADDRESS) return `must have at most ${MAX_ADDRESS} characters`;
  return isWebAddress(text) ? undefined : 'must be an address that begins with http:// or https://';
}
