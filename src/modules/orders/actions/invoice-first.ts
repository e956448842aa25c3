import { DomainError } from '../../../platform/errors/domain-error.js';
import { formatLineQuantities, type LineQuantity } from '../rules/order-units.js';
import { prepareStep } from '../rules/prepared-parcel.js';
import type { OrderAction } from './order-action.js';

export interface InvoiceFirstInput {
  /** Everything that is left by default. */
  lines?: LineQuantity[] | undefined;
}

/** Stock and status stay, so stores see only the document. */
export const invoiceFirst: OrderAction<InvoiceFirstInput> = {
  name: 'invoice-first',
  sentence: 'Issues the invoice of the next parcel, which stays until it has its IRN.',
  role: 'staff',
  change: ({ lines }) => ({
    needs: ['lines', 'prepared', 'invoices'],
    decide: (order) => {
      const step = prepareStep(order, order.lines, lines, order.prepared);
      if ('refused' in step) return step;
      if (!order.hasInvoices)
        throw new DomainError('conflict', 'There are no invoices here: the seller is not set.');
      const { units = [] } = step;
      return {
        ...step,
        keepsOrder: true,
        prepares: units,
        audit: { action: 'order.invoiced_first', details: { lines: formatLineQuantities(units) } },
        documents: ({ parcel }) => ({ parcel: { parcel, units } }),
      };
    },
  }),
};
