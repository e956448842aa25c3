import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Day } from '../../../platform/time/time.js';
import type { Seller } from '../entities/tax-document.entity.js';
import type { EarlierInvoice } from '../invoices.repository.js';
import { eInvoiceFault } from '../rules/e-invoice.js';
import { draftInvoices } from './drafts.js';
import type { Bill } from './facts.js';
import { needsIrn, withLogo } from './rows.js';

export const WITHOUT_IRN = 'Or give a reason to ship without an IRN.';

/** An invoice without an IRN is none, so its parcel stays until the portal would accept it. */
export function refuseUnregistrable(bills: readonly Bill[], sellers: readonly Seller[], today: Day): void {
  for (const bill of bills) {
    const invoice = draftInvoices(bill, [], [], sellers, today).find(needsIrn);
    if (!invoice) continue;
    const taxed = invoice.items.filter(({ rate }) => rate > 0);
    const fault = eInvoiceFault(
      invoice.facts,
      taxed.map(({ hsn }) => hsn),
    );
    if (fault !== undefined) throw new DomainError('conflict', fault);
    if (bill.order.isLeaving)
      throw new DomainError(
        'conflict',
        'The invoice of this parcel needs an IRN before the goods leave. ' +
          `Invoice ${bill.order.orderNumber} first. ${WITHOUT_IRN}`,
      );
  }
}

/** An invoice is reissued only if its content changes. `own` are the invoices in force of the order. */
export function refuseUnchanged(
  bill: Bill,
  own: readonly EarlierInvoice[],
  sellers: readonly Seller[],
  today: Day,
): void {
  const { parcel } = bill.order.takenBack!;
  const before = own.filter((one) => one.parcel === parcel);
  const others = own.filter((one) => one.parcel !== parcel);
  const after = draftInvoices(bill, others, [], sellers, today);
  if (!isDeepStrictEqual(after.map(contentOf), before.map(contentOf))) return;
  throw new DomainError(
    'conflict',
    `The new invoice would be the same as ${before[0]!.number}. First correct the tax data of the ` +
      'client, of the products or of the seller.',
  );
}

/** What a correction may change. A document has the logo of its own day. */
function contentOf({ facts: { replaces: _, ...facts }, items }: Pick<EarlierInvoice, 'facts' | 'items'>) {
  const goods = items.map((item) => [item.line, item.description, item.sku, item.hsn, item.unit]);
  const amounts = items.map((item) => [item.quantity, item.unitPrice, item.rate, item.treatment, item.gross]);
  return [{ ...facts, seller: withLogo(facts.seller, null) }, goods, amounts];
}
