import type { Order } from '../entities/order.entity.js';

/** What a parcel is known by; what is not known is null. A parcel without a time was shipped just now. */
export type Shipment = { courier: string } & Pick<Order, 'trackingNumber' | 'trackingUrl' | 'shippedAt'>;

/** What is done to an order, with what is to be known about it. */
export type OrderChange =
  | ({ action: 'pay' } & Partial<Pick<Order, 'paymentMethod' | 'paymentReference'>>)
  | ({ action: 'ship' } & Shipment)
  | { action: 'deliver' }
  | { action: 'cancel' | 'expire'; cancelReason: string };
