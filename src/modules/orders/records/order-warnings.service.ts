import { Injectable } from '@nestjs/common';
import { EWayBillsService } from '../../invoices/e-way-bills.service.js';
import { NEEDS_E_WAY_BILL } from '../../invoices/rules/e-way-bill.js';
import { LATE_NOTICE, lateReturn } from '../../invoices/rules/law-time-zone.js';
import { UNBILLED_DELIVERY, unbilledDelivery } from '../../invoices/rules/no-invoice.js';
import { SellersService } from '../../invoices/sellers.service.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { OrderDeskService } from './order-desk.service.js';
import type { OrderOutput } from './order-for-file.js';

const PACKING_NOTICES: Partial<Record<OrderStatus, string>> = {
  awaiting_payment: 'loses the order: do not pack it',
  cancelled: 'still has the order: do not pack it',
  pending: 'has the order: print its slip again',
};

/** What packers must do, because a printed slip does not change with its order. The status is the new one. */
export function packingNotice(packingList: number | null, status: OrderStatus): string | undefined {
  const notice = PACKING_NOTICES[status];
  return packingList === null || notice === undefined ? undefined : `${packingList} ${notice}`;
}

/** For an order whose payment is undone. */
export const listOverdueWarnings = (dueAt: Date): string[] =>
  dueAt.getTime() > Date.now()
    ? []
    : ['The time to pay the order is over: it expires soon, unless the right payment is recorded at once.'];

/** For the newest parcel: the month of its invoice or, without one, the delivery charge. */
function findTaxNotice({ parcels, ...order }: OrderOutput): string | undefined {
  const { shipped_at: shippedAt, no_invoice: waiver, lines } = parcels.at(-1)!;
  if (lines.length === 0) return undefined;
  if (waiver === null) {
    const month = lateReturn(new Date(shippedAt));
    return month && `The time of shipping ${LATE_NOTICE} ${month}.`;
  }
  const unbilled = unbilledDelivery(
    order,
    parcels.map((one) => ({ ...one, noInvoice: one.no_invoice })),
  );
  return unbilled && UNBILLED_DELIVERY[unbilled];
}

/** The warnings of an action that is done. A person reads them. */
@Injectable()
export class OrderWarningsService {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly sellers: SellersService,
    private readonly eWayBills: EWayBillsService,
  ) {}

  async afterShipping(order: OrderOutput): Promise<string[]> {
    const taxNotice = findTaxNotice(order);
    const bills = await this.eWayBills.ofOrder(order.client_id, order.order_number);
    return [
      ...(taxNotice !== undefined && (await this.sellers.isTaxOn()) ? [taxNotice] : []),
      ...bills.filter(({ isMissing }) => isMissing).map(({ number }) => `${number} ${NEEDS_E_WAY_BILL}`),
    ];
  }

  /** For another time of shipping of this parcel, or of the newest one. */
  async afterCorrection({ order_number: number }: OrderOutput, parcel?: number): Promise<string[]> {
    const invoices = await this.orders.invoicesWithOtherRates(number, parcel);
    return invoices.map((invoice) => `${invoice} has the GST rate of another day: issue it again.`);
  }

  /** An unpaid order is on no packing list, so the list from before is needed. */
  afterUnpay(order: OrderOutput, packingList: number | null): string[] {
    return [
      ...this.ofPacking({ ...order, packing_list: packingList }),
      ...listOverdueWarnings(new Date(order.payment.due_at)),
    ];
  }

  /** For new lines or a new address. */
  ofPacking({ packing_list: list, status }: Pick<OrderOutput, 'packing_list' | 'status'>): string[] {
    const notice = packingNotice(list, status);
    return notice === undefined ? [] : [`Packing list ${notice}.`];
  }
}
