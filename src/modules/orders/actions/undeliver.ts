import type { OrderAction } from './order-action.js';
import { type UndoInput, undoOfParcel } from './undo-parcel.js';

export const undeliver: OrderAction<UndoInput> = {
  name: 'undeliver',
  sentence: 'Withdraws the delivery of a parcel that has not arrived.',
  role: 'packer',
  change: undoOfParcel('undeliver', {
    action: 'order.delivery_taken_back',
    was: ({ parcel, deliveredAt }) => [`parcel_${parcel}_delivered_at`, deliveredAt?.toISOString() ?? null],
    effects: ({ parcel }) => ({ undelivers: parcel }),
  }),
};
