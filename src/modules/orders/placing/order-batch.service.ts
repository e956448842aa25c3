import { Inject, Injectable } from '@nestjs/common';
import { Database, type Queries, type ShortTransaction } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/database-error.js';
import { DomainError, type FieldError } from '../../../platform/errors/domain-error.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { type LockedStock, type StockChange, StockHoldings } from '../../stock/stock-holdings.repository.js';
import { duplicateOrder, keyReused } from '../order-errors.js';
import { type SubmittedOrder, evaluateOrders } from '../rules/evaluate-orders.js';
import { contentHash } from '../rules/order-content.js';
import { type OrderLine, readOrderLines } from '../rules/order-lines.js';
import { newOrderNumber } from '../rules/order-number.js';
import { demandOf, stockById, stockId } from '../rules/order-stock.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { UnpaidTotals } from '../rules/unpaid-limits.js';
import {
  type Claim,
  type ClaimedOrder,
  claimLocks,
  claimOf,
  findOrderingRefusal,
  type NewOrder,
  type OrderEntry,
  PlacingRepository,
  type TakenIds,
  type CurrentRights,
  offerKeysOf,
} from './placing.repository.js';
import type { OrderingClient } from '../../../read-model/callers/caller.js';
import type { SkuHint } from '../../../read-model/products/sku-suggestions.js';
import type { CreateOrderRequest } from './create-order.request.js';
import { toLineAnswer } from './order-quote.mapper.js';

export interface OrderToPlace {
  caller: OrderingClient;
  /** Undefined for the API. */
  entry?: OrderEntry | undefined;
  request: CreateOrderRequest;
  /** Only for a request without a `store_order_id`. */
  idempotencyKey?: string | undefined;
  /** Similar SKUs for unknown ones. To find them takes time, so it happens before the order waits. */
  hints: ReadonlyMap<string, SkuHint>;
}

/** `isReplay`: an earlier request with the same key has placed it. */
export type PlacedOrder = ClaimedOrder & { isReplay?: true };

export type PlacementOutcome = { placed: PlacedOrder } | { refusal: unknown };

/** The lines of an order at today's prices, and the faults of its items. */
interface ResolvedOrder {
  lines: OrderLine[];
  faults: FieldError[];
}

interface LockedRows {
  stock: ReadonlyMap<string, LockedStock>;
  unpaidTotals: ReadonlyMap<number, UnpaidTotals>;
  rights: CurrentRights;
}

/**
 * Places any number of orders in one transaction with a fixed number of statements: claim, read, lock,
 * evaluate, hold, write. Statements that do not need each other's rows travel together, and PostgreSQL runs
 * them in that order.
 */
@Injectable()
export class OrderBatchService {
  constructor(
    private readonly database: Database,
    private readonly repository: PlacingRepository,
    private readonly stock: StockHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Returns the outcome of each order. If one order makes the database refuse, the whole transaction is lost.
   * The others must not suffer, so each half is placed on its own.
   */
  async placeBatch(orders: readonly OrderToPlace[], mayRetry = true): Promise<PlacementOutcome[]> {
    try {
      return await this.database.shortTransaction(
        (transaction) => this.placeWithin(transaction, orders),
        claimLocks(orders.flatMap(claimsOf)),
      );
    } catch (refusal) {
      // The database is unavailable. The orders may have been placed or not.
      if (refusal instanceof DomainError) return orders.map(() => ({ refusal }));
      if (orders.length > 1) {
        const middle = Math.ceil(orders.length / 2);
        return [
          ...(await this.placeBatch(orders.slice(0, middle))),
          ...(await this.placeBatch(orders.slice(middle))),
        ];
      }
      // A writer that takes no locks has written the same id in between.
      if (mayRetry && isUniqueViolation(refusal)) return this.placeBatch(orders, false);
      return [{ refusal }];
    }
  }

  private async placeWithin(
    transaction: ShortTransaction,
    orders: readonly OrderToPlace[],
  ): Promise<PlacementOutcome[]> {
    // First: the hold of a repeated order may have taken the last units.
    const [taken, read] = await Promise.all([
      this.repository.findClaims(transaction, orders.flatMap(claimsOf)),
      this.read(transaction, orders),
    ]);
    const repeats = new Map(
      orders.flatMap((order) => {
        const existing = claimsOf(order).map((claim) => taken.orderOf(claim))[0];
        return existing ? [[order, existing] as const] : [];
      }),
    );
    for (const order of repeats.keys()) read.delete(order);
    const outcomes =
      read.size === 0
        ? new Map<OrderToPlace, PlacementOutcome>()
        : await this.evaluate(transaction, read, taken);
    return orders.map((order) => outcomes.get(order) ?? outcomeOfRepeat(repeats.get(order)!, order));
  }

  private async read(
    transaction: Queries,
    orders: readonly OrderToPlace[],
  ): Promise<Map<OrderToPlace, ResolvedOrder>> {
    const offerKeys = orders.flatMap(({ caller, request }) => offerKeysOf(caller.plan.id, request.items));
    const offers = await this.repository.offers(transaction, offerKeys);
    return new Map(
      orders.map((order) => {
        const { caller, request, hints } = order;
        return [
          order,
          readOrderLines(request.items, offers.of(caller.plan.id), (sku) => hints.get(sku) ?? {}),
        ];
      }),
    );
  }

  /** Takes the locks one after the other, and then reads the rights. */
  private async lock(
    transaction: Queries,
    orders: ReadonlyMap<OrderToPlace, ResolvedOrder>,
  ): Promise<LockedRows> {
    const callers = [...orders.keys()].map(({ caller }) => caller);
    const demand = demandOf([...orders.values()].flatMap(({ lines }) => lines));
    const [stock, unpaidTotals, rights] = await Promise.all([
      this.stock.lock(transaction, demand),
      this.repository.lockUnpaidTotals(transaction, [...new Set(callers.map(({ client }) => client.id))]),
      this.repository.rights(transaction, callers),
    ]);
    return { stock: stockById(stock), unpaidTotals, rights };
  }

  private async evaluate(
    transaction: ShortTransaction,
    read: ReadonlyMap<OrderToPlace, ResolvedOrder>,
    taken: TakenIds,
  ): Promise<Map<OrderToPlace, PlacementOutcome>> {
    const lockedRows = await this.lock(transaction, read);
    const orders = [...read.keys()];
    const submitted = orders.map((order) => toSubmittedOrder(order, read.get(order)!, lockedRows));
    const decisions = evaluateOrders(submitted, lockedRows);
    const today = dayAt(Date.now(), this.settings.timeZone);
    const written = decisions.map((decision, index) =>
      'totals' in decision
        ? newOrder(newOrderNumber(today), orders[index]!, submitted[index]!, decision.totals, taken)
        : undefined,
    );
    const paymentDueAt = await this.write(
      transaction,
      written.filter((order) => order !== undefined),
      lockedRows,
    );
    const outcomeOf = (order: OrderToPlace, index: number): PlacementOutcome => {
      const decision = decisions[index]!;
      if ('refusal' in decision) return decision;
      if ('duplicateOf' in decision)
        return outcomeOfRepeat(toClaimedOrder(written[decision.duplicateOf]!, paymentDueAt), order);
      return { placed: toClaimedOrder(written[index]!, paymentDueAt) };
    };
    return new Map(orders.map((order, index) => [order, outcomeOf(order, index)]));
  }

  private async write(
    transaction: ShortTransaction,
    orders: readonly NewOrder[],
    { stock, rights }: LockedRows,
  ): Promise<Date> {
    if (orders.length === 0) return new Date(0);
    const holds = demandOf(orders.flatMap(({ lines }) => lines)).map((demand): StockChange => ({
      id: stock.get(stockId(demand))!.id,
      onHand: 0,
      held: demand.quantity,
    }));
    const [{ paymentDueAt }] = await Promise.all([
      this.repository.insert(transaction, orders, holds, rights.now),
      transaction.commit(),
    ]);
    return paymentDueAt;
  }
}

function claimsOf({ caller, request, idempotencyKey }: OrderToPlace): Claim[] {
  return claimOf(caller, request, idempotencyKey);
}

function toSubmittedOrder(
  order: OrderToPlace,
  { lines, faults }: ResolvedOrder,
  { rights }: LockedRows,
): SubmittedOrder {
  const { caller, request } = order;
  return {
    clientId: caller.client.id,
    domain: caller.token?.domain,
    storeOrderId: claimsOf(order)[0]?.storeOrderId,
    lines,
    faults,
    expectedTotal: request.expected_total,
    barred: findOrderingRefusal(caller, rights),
  };
}

function newOrder(
  orderNumber: string,
  order: OrderToPlace,
  { lines }: SubmittedOrder,
  totals: OrderTotals,
  taken: TakenIds,
): NewOrder {
  const { caller, request, entry } = order;
  const [claim] = claimsOf(order);
  return {
    clientId: caller.client.id,
    orderNumber,
    planCode: caller.plan.code,
    request,
    domain: caller.token?.domain,
    claim,
    isIdShared: claim !== undefined && taken.add(claim),
    contentHash: contentHash(request),
    entry,
    lines,
    totals,
  };
}

function toClaimedOrder(
  { orderNumber, totals, lines, request, contentHash: hash }: NewOrder,
  paymentDueAt: Date,
): ClaimedOrder {
  return {
    orderNumber,
    status: 'awaiting_payment',
    subtotal: numericFromMinor(totals.subtotal),
    delivery: numericFromMinor(totals.delivery),
    total: numericFromMinor(totals.total),
    itemsCount: lines.length,
    items: lines.map(toLineAnswer),
    paymentDueAt,
    metadata: request.metadata ?? null,
    contentHash: hash,
    cancelReason: null,
  };
}

/** The outcome of a request whose id or key has an order already. */
export function outcomeOfRepeat(
  order: ClaimedOrder,
  { request, idempotencyKey }: Pick<OrderToPlace, 'request' | 'idempotencyKey'>,
): PlacementOutcome {
  const hash = contentHash(request);
  if (idempotencyKey === undefined) return { refusal: duplicateOrder(order, hash) };
  if (!order.contentHash.equals(hash)) return { refusal: keyReused(order.orderNumber) };
  // The first response reported `awaiting_payment`.
  if (order.status === 'cancelled') return { refusal: duplicateOrder(order, hash, 'Idempotency-Key') };
  return { placed: { ...order, isReplay: true } };
}
