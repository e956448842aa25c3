import { formatParcel } from '../rules/undo-steps.js';
import type { OrderAction } from './order-action.js';
import { type UndoInput, undoOfParcel } from './undo-parcel.js';

export const withdraw: OrderAction<UndoInput> = {
  name: 'withdraw',
  sentence:
    'Undoes the shipment of a parcel that never left. Its goods wait to be shipped; its invoice is credited.',
  role: 'packer',
  change: undoOfParcel('withdraw', {
    action: 'order.parcel_withdrawn',
    was: (parcel) => [`parcel_${parcel.parcel}`, formatParcel(parcel)],
    effects: ({ parcel, isPrepared }, reason) => ({
      removes: isPrepared ? 'prepared parcel' : 'newest parcel',
      documents: () => ({ takenBack: { parcel, reason } }),
    }),
  }),
};
