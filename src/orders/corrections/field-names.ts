import type { Shipment } from '../lifecycle/order-change.js';
import type { Delivery } from './delivery-details.js';

/** What can be corrected, as the wholesaler's commands and files call it. */
export const FIELD_NAMES: Record<keyof Shipment | keyof Delivery, string> = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
  customerPhone: 'phone',
  shippingAddress: 'address',
  shippingCity: 'city',
  shippingState: 'state',
  shippingPincode: 'pincode',
  shippingCountry: 'country',
};

export function shownField(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}
