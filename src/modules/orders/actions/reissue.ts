import type { OrderAction } from './order-action.js';
import { type UndoInput, undoOfParcel } from './undo-parcel.js';

export const reissue: OrderAction<UndoInput> = {
  name: 'reissue',
  sentence: 'Credits the invoice of a parcel in full and issues it again, with the current tax data.',
  role: 'staff',
  change: undoOfParcel('reissue', {
    action: 'order.invoice_issued_again',
    effects: ({ parcel, lines }, reason) => ({
      documents: () => ({ takenBack: { parcel, reason }, parcel: { parcel, units: [...lines] } }),
    }),
  }),
};
