import { DomainError } from '../../platform/errors/domain-error.js';
import { isWebAddress, optionalLineFault } from '../../platform/validation/operator-text.js';
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
    ['trackingNumber', optionalLineFault(trackingNumber ?? '', 100)],
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
  const faults = shipmentFaults(shipment).map(([field, fault]) => `The ${NAMES[field]} ${fault}.`);
  if (faults.length > 0) throw new DomainError('invalid_value', faults.join(' '));
}

const NAMES: Record<keyof Shipment, string> = {
  courier: 'courier',
  trackingNumber: 'tracking number',
  trackingUrl: 'tracking address',
  shippedAt: 'time of shipping',
};

function addressFault(text: string): string | undefined {
  if (text.length > MAX_ADDRESS) return `must have at most ${MAX_ADDRESS} characters`;
  return isWebAddress(text) ? undefined : 'must be an address that begins with http:// or https://';
}
