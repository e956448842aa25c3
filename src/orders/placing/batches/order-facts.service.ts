import { Injectable } from '@nestjs/common';
import type { Queries } from '../../../platform/database/database.js';
import type { FieldError } from '../../../platform/errors/domain-error.js';
import { type LockedStock, StockHoldings } from '../../../stock/stock-holdings.repository.js';
import type { ExistingOrder } from '../../order-errors.js';
import { type OrderLine, readOrderLines } from '../../rules/order-lines.js';
import { demandOf, stockById } from '../../rules/order-stock.js';
import type { UnpaidTotals } from '../../rules/unpaid-limits.js';
import { claimOf, ClaimsRepository, nameOf } from '../claims.repository.js';
import { OffersRepository, wantedOf } from '../offers.repository.js';
import type { OrderToPlace } from '../order-to-place.js';
import { type RightsNow, RightsRepository } from '../rights.repository.js';
import { UnpaidTotalsRepository } from '../unpaid-totals.repository.js';

/** The lines of an order at today's prices, and the faults of its items. */
export interface ReadOrder {
  lines: OrderLine[];
  faults: FieldError[];
}

export interface LockedFacts {
  stock: ReadonlyMap<string, LockedStock>;
  unpaidTotals: ReadonlyMap<number, UnpaidTotals>;
  rights: RightsNow;
}

/** Reads and locks the facts for all orders of a batch at once. */
@Injectable()
export class OrderFactsService {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly offers: OffersRepository,
    private readonly stock: StockHoldings,
    private readonly unpaidTotals: UnpaidTotalsRepository,
    private readonly rights: RightsRepository,
  ) {}

  /** Comes first: the hold of a repeated order may have taken the last units. */
  async claim(
    transaction: Queries,
    orders: readonly OrderToPlace[],
  ): Promise<Map<OrderToPlace, ExistingOrder>> {
    const claims = orders.flatMap(({ caller, request }) => claimOf(caller.client.id, request));
    const taken = await this.claims.lock(transaction, claims);
    const byName = new Map(taken.map((order) => [nameOf(order), order]));
    return new Map(
      orders.flatMap((order) => {
        const [claim] = claimOf(order.caller.client.id, order.request);
        const existing = claim && byName.get(nameOf(claim));
        return existing ? [[order, existing]] : [];
      }),
    );
  }

  async read(transaction: Queries, orders: readonly OrderToPlace[]): Promise<Map<OrderToPlace, ReadOrder>> {
    const wanted = orders.flatMap(({ caller, request }) => wantedOf(caller.plan.id, request.items));
    const offers = await this.offers.find(transaction, wanted);
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
  async lock(transaction: Queries, orders: ReadonlyMap<OrderToPlace, ReadOrder>): Promise<LockedFacts> {
    const callers = [...orders.keys()].map(({ caller }) => caller);
    const demand = demandOf([...orders.values()].flatMap(({ lines }) => lines));
    const [stock, unpaidTotals, rights] = await Promise.all([
      this.stock.lock(transaction, demand),
      this.unpaidTotals.lock(transaction, [...new Set(callers.map(({ client }) => client.id))]),
      this.rights.find(transaction, callers),
    ]);
    return { stock: stockById(stock), unpaidTotals, rights };
  }
}
