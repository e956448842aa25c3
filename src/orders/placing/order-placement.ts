import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../read-model/access/caller.js';
import { SkuSuggestions } from '../../read-model/products/sku-suggestions.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type LockedStock, type StockChange, StockHoldings } from '../../stock/stock-holdings.js';
import type { CreateOrderRequest } from './create-order.request.js';
import { duplicateOrder } from '../order-errors.js';
import { CurrentRights } from './current-rights.js';
import { checkExpectedTotal } from '../rules/expected-total.js';
import { OffersRepository } from './offers.repository.js';
import { contentHash } from '../rules/order-content.js';
import { type Offer, type OrderLine, readOrderLines, skusOf } from '../rules/order-lines.js';
import { newOrderNumber } from '../rules/order-number.js';
import { demandOf, stockFaults, stockId } from '../rules/order-stock.js';
import { orderTotals, type OrderTotals } from '../rules/order-totals.js';
import { type NewOrder, OrdersRepository } from './orders.repository.js';
import { StandingRepository } from './standing.repository.js';
import { UnpaidLimit } from './unpaid-limit.js';

export interface PlacedOrder {
  orderNumber: string;
  totals: OrderTotals;
  itemsCount: number;
  paymentDueAt: Date;
}

/**
 * Places an order in one transaction of a fixed handful of statements: claim, read, lock, hold, write. Those that need nothing
 * of one another are sent together; PostgreSQL runs them in the order in which they are sent.
 */
@Injectable()
export class OrderPlacement {
  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
    private readonly orders: OrdersRepository,
    private readonly stock: StockHoldings,
    private readonly suggestions: SkuSuggestions,
    private readonly standing: StandingRepository,
    private readonly unpaidLimit: UnpaidLimit,
    private readonly rights: CurrentRights,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  place(caller: Caller, request: CreateOrderRequest): Promise<PlacedOrder> {
    return this.rights.keep(caller, (current) => this.placeIn(current, request));
  }

  private placeIn(caller: Caller, request: CreateOrderRequest): Promise<PlacedOrder> {
    const clientId = caller.client.id;
    const orderNumber = newOrderNumber(new Date());
    const hash = contentHash(request);
    return this.database.transaction(async (transaction) => {
      const [, offers] = await Promise.all([
        this.claim(caller, transaction, request, orderNumber, hash),
        this.offers.find(transaction, caller.plan.id, skusOf(request.items)),
      ]);
      const [{ lines, holds }, standings] = await Promise.all([
        this.lockLines(transaction, request, offers),
        this.standing.lock(transaction, [clientId]),
      ]);
      const totals = orderTotals(lines);
      checkExpectedTotal(request.expected_total, totals.total);
      this.unpaidLimit.check(clientId, standings.get(clientId)!, totals.total);
      const order: NewOrder = {
        orderNumber,
        planCode: caller.plan.code,
        currency: this.settings.currency,
        request,
        contentHash: hash,
        lines,
        totals,
        paymentWindowHours: this.settings.paymentWindowHours,
      };
      const [, { paymentDueAt }] = await Promise.all([
        this.stock.change(transaction, holds),
        this.orders.insert(clientId, transaction, order, 'store'),
        // Asked when it is written: an order may have had to wait, and what let it in was a moment old then.
        this.rights.check(caller, transaction),
      ]);
      return { orderNumber, totals, itemsCount: lines.length, paymentDueAt };
    });
  }

  /** Before anything is judged: a repeated order's own hold may have taken the last units. */
  private async claim(
    { client }: Caller,
    transaction: Transaction,
    { store_order_id: storeOrderId }: CreateOrderRequest,
    orderNumber: string,
    hash: Buffer,
  ): Promise<void> {
    if (
      storeOrderId === undefined ||
      (await this.orders.claim(client.id, transaction, storeOrderId, orderNumber))
    )
      return;
    const existing = await this.orders.findByStoreOrderId(client.id, transaction, storeOrderId);
    if (!existing)
      throw new Error(`The store order id of client ${client.id} is claimed, but its order is not there`);
    throw duplicateOrder(existing, hash);
  }

  /** Locks the stock of all lines and tells what to hold of it, or refuses the order. */
  private async lockLines(
    transaction: Transaction,
    { items }: CreateOrderRequest,
    offers: Map<string, Offer>,
  ): Promise<{ lines: OrderLine[]; holds: StockChange[] }> {
    const { lines, faults } = readOrderLines(items, offers, (sku) => this.suggestions.hint(sku));
    const stock = await this.stock.lock(transaction, demandOf(lines));
    faults.push(...stockFaults(lines, stock));
    if (faults.length > 0) throw validationFailed(faults);
    return { lines, holds: holdsOf(lines, stock) };
  }
}

function holdsOf(lines: OrderLine[], stock: LockedStock[]): StockChange[] {
  const quantities = new Map(demandOf(lines).map((demand) => [stockId(demand), demand.quantity]));
  return stock.map((item) => ({ id: item.id, onHand: 0, held: quantities.get(stockId(item)) ?? 0 }));
}
