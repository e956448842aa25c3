import { deliverStep } from '../rules/order-steps.js';
import { parcelsToDeliver } from '../rules/parcel-exception.js';
import type { OrderAction } from './order-action.js';

export interface DeliverInput {
  /** All parcels that are on their way by default. */
  parcel?: number | undefined;
  /** Now by default. */
  deliveredAt?: Date | undefined;
}

export const deliver: OrderAction<DeliverInput> = {
  name: 'deliver',
  sentence: 'Records the delivery of an order, or of one of its parcels.',
  role: 'packer',
  change: ({ parcel, deliveredAt }) => ({
    needs: ['parcels'],
    decide: (order) => {
      const arrived = parcelsToDeliver(order.parcels, parcel).map((one) => one.parcel);
      const waiting = order.parcels.filter((one) => one.deliveredAt === null).length;
      const [delivered, open] = [arrived.length, waiting - arrived.length];
      const step = deliverStep(order, { parcel, delivered, open });
      if ('refused' in step) return step;
      return {
        ...step,
        keepsOrder: step.status === order.status,
        delivers: { parcels: arrived, at: deliveredAt ?? null },
        audit: delivered > 0 && {
          action: 'order.delivered',
          details: { ...(parcel !== undefined && { parcel }) },
        },
      };
    },
  }),
};
