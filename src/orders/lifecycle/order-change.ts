import type { Order, OrderKey } from '../entities/order.entity.js';

/** What a parcel is known by; what is not known is null. A parcel without a time was shipped just now. */
export type Shipment = { courier: string } & Pick<Order, 'trackingNumber' | 'trackingUrl' | 'shippedAt'>;

/** A shipment, and what is in it. */
export interface Parcel {
  key: OrderKey;
  shipment: Shipment;
}

/**
 * What is done to an order, with what is to be known about it. It is always the wallet that pays; money that came elsewhere is put into
 * it first.
 */
export type OrderChange =
  | ({ action: 'pay'; from: 'wallet' | 'elsewhere' } & Partial<
      Pick<Order, 'paymentMethod' | 'paymentReference'>
    >)
  | ({ action: 'ship' } & Shipment)
  | { action: 'deliver' }
  | { action: 'cancel' | 'expire'; cancelReason: string };
