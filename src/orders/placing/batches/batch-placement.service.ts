import { Inject, Injectable } from '@nestjs/common';
import { Database, type ShortTransaction } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/database-error.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { type StockChange, StockHoldings } from '../../../stock/stock-holdings.repository.js';
import { duplicateOrder, type ExistingOrder } from '../../order-errors.js';
import { type Candidate, judgeInTurn, type Verdict } from '../../rules/judge-orders.js';
import { contentHash } from '../../rules/order-content.js';
import { newOrderNumber } from '../../rules/order-number.js';
import { demandOf, stockId } from '../../rules/order-stock.js';
import type { OrderTotals } from '../../rules/order-totals.js';
import { barrierTo } from '../rights.repository.js';
import { type NewOrder, NewOrdersRepository } from '../new-orders.repository.js';
import type { Outcome, OrderToPlace } from '../order-to-place.js';
import { UnpaidWatchService } from '../unpaid-watch.service.js';
import { type LockedFacts, OrderFactsService, type ReadOrder } from './order-facts.service.js';

/** As the timeline shows it. */
const ACTOR = 'store';

/**
 * Places any number of orders in one transaction with a fixed number of statements: claim, read, lock, judge,
 * hold, write. Statements that do not need each other's rows travel together, and PostgreSQL runs them in
 * that order.
 */
@Injectable()
export class BatchPlacementService {
  constructor(
    private readonly database: Database,
    private readonly facts: OrderFactsService,
    private readonly stock: StockHoldings,
    private readonly orders: NewOrdersRepository,
    private readonly watch: UnpaidWatchService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The outcome of each order. If one order makes the database refuse, the whole transaction is lost. The
   * others must not suffer: halves find the one.
   */
  async place(orders: readonly OrderToPlace[], again = true): Promise<Outcome[]> {
    try {
      return await this.database.shortTransaction((transaction) => this.placeWithin(transaction, orders));
    } catch (refusal) {
      // The database is away. The orders may have been placed or not.
      if (refusal instanceof DomainError) return orders.map(() => ({ refusal }));
      if (orders.length > 1) {
        const middle = Math.ceil(orders.length / 2);
        return [...(await this.place(orders.slice(0, middle))), ...(await this.place(orders.slice(middle)))];
      }
      // A writer that takes no locks has written the same id in between.
      if (again && isUniqueViolation(refusal)) return this.place(orders, false);
      return [{ refusal }];
    }
  }

  private async placeWithin(
    transaction: ShortTransaction,
    orders: readonly OrderToPlace[],
  ): Promise<Outcome[]> {
    const [taken, read] = await Promise.all([
      this.facts.claim(transaction, orders),
      this.facts.read(transaction, orders),
    ]);
    for (const order of taken.keys()) read.delete(order);
    const outcomes = read.size === 0 ? new Map<OrderToPlace, Outcome>() : await this.judge(transaction, read);
    return orders.map((order) => outcomes.get(order) ?? { refusal: duplicateOf(taken.get(order)!, order) });
  }

  private async judge(
    transaction: ShortTransaction,
    read: ReadonlyMap<OrderToPlace, ReadOrder>,
  ): Promise<Map<OrderToPlace, Outcome>> {
    const facts = await this.facts.lock(transaction, read);
    const orders = [...read.keys()];
    const candidates = orders.map((order) => candidateOf(order, read.get(order)!, facts));
    const verdicts = judgeInTurn(candidates, facts);
    const today = dayAt(Date.now(), this.settings.timeZone);
    const written = verdicts.map((verdict, index) =>
      'totals' in verdict
        ? newOrder(newOrderNumber(today), orders[index]!, candidates[index]!, verdict.totals)
        : undefined,
    );
    this.tellWhoIsNear(candidates, verdicts, facts);
    const paymentDueAt = await this.write(transaction, written.filter(isThere), facts);
    const outcomeOf = (order: OrderToPlace, index: number): Outcome => {
      const verdict = verdicts[index]!;
      if ('refusal' in verdict) return verdict;
      if ('duplicateOf' in verdict)
        return { refusal: duplicateOf(asExisting(written[verdict.duplicateOf]!), order) };
      const { orderNumber, totals, lines } = written[index]!;
      return { placed: { orderNumber, totals, itemsCount: lines.length, paymentDueAt } };
    };
    return new Map(orders.map((order, index) => [order, outcomeOf(order, index)]));
  }

  private async write(
    transaction: ShortTransaction,
    orders: readonly NewOrder[],
    { stock, rights }: LockedFacts,
  ): Promise<Date> {
    if (orders.length === 0) return new Date(0);
    const holds = demandOf(orders.flatMap(({ lines }) => lines)).map((demand): StockChange => ({
      id: stock.get(stockId(demand))!.id,
      onHand: 0,
      held: demand.quantity,
    }));
    const [, { paymentDueAt }] = await Promise.all([
      this.stock.change(transaction, holds),
      this.orders.insert(transaction, orders, { placedAt: rights.now, actor: ACTOR }),
      transaction.commit(),
    ]);
    return paymentDueAt;
  }

  private tellWhoIsNear(
    candidates: readonly Candidate[],
    verdicts: readonly Verdict[],
    { unpaidTotals }: LockedFacts,
  ): void {
    for (const [index, { clientId }] of candidates.entries()) {
      const verdict = verdicts[index]!;
      const before = unpaidTotals.get(clientId)!;
      this.watch.see(clientId, 'unpaid' in verdict ? { ...before, unpaid: verdict.unpaid } : before);
    }
  }
}

function candidateOf(
  { caller, request }: OrderToPlace,
  { lines, faults }: ReadOrder,
  { rights }: LockedFacts,
): Candidate {
  return {
    clientId: caller.client.id,
    storeOrderId: request.store_order_id,
    lines,
    faults,
    expectedTotal: request.expected_total,
    barred: barrierTo(caller, rights.byToken.get(caller.token.id)!),
  };
}

function newOrder(
  orderNumber: string,
  { caller, request }: OrderToPlace,
  { lines }: Candidate,
  totals: OrderTotals,
): NewOrder {
  return {
    clientId: caller.client.id,
    orderNumber,
    planCode: caller.plan.code,
    request,
    contentHash: contentHash(request),
    lines,
    totals,
  };
}

function asExisting({ orderNumber, totals, contentHash: hash }: NewOrder): ExistingOrder {
  return {
    orderNumber,
    status: 'awaiting_payment',
    total: numericFromMinor(totals.total),
    contentHash: hash,
  };
}

function duplicateOf(existing: ExistingOrder, { request }: OrderToPlace): DomainError {
  return duplicateOrder(existing, contentHash(request));
}

function isThere<Thing>(thing: Thing | undefined): thing is Thing {
  return thing !== undefined;
}
