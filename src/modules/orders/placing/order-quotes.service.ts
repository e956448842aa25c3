import { Inject, Injectable } from '@nestjs/common';
import { Database, type ShortTransaction } from '../../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { Caller, OrderingClient } from '../../../read-model/callers/caller.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { StockHoldings } from '../../stock/stock-holdings.repository.js';
import { duplicateOrder } from '../order-errors.js';
import { evaluateOrder, evaluateOrders } from '../rules/evaluate-orders.js';
import { contentHash } from '../rules/order-content.js';
import { type OrderLine, readOrderLines } from '../rules/order-lines.js';
import { demandOf, stockById } from '../rules/order-stock.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { OrderContentRequest, QuoteOrderRequest } from './create-order.request.js';
import { toOrderQuote } from './order-quote.mapper.js';
import { claimOf, findOrderingRefusal, offerKeysOf, PlacingRepository } from './placing.repository.js';
import type { OrderQuoteResponse } from './placing.responses.js';

/** The lines and totals that placing an order now would write. */
export interface OrderDryRun {
  lines: OrderLine[];
  totals: OrderTotals;
}

/** Gives the answer that creating the order would give, by the same rules and rows, and holds nothing. */
@Injectable()
export class OrderQuotesService {
  constructor(
    private readonly database: Database,
    private readonly repository: PlacingRepository,
    private readonly stock: StockHoldings,
    private readonly suggestions: SkuSuggestions,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async quote(caller: OrderingClient, request: QuoteOrderRequest): Promise<OrderQuoteResponse> {
    const claims = claimOf(caller, request);
    const [{ lines, faults, stock, unpaidTotals }, taken] = await this.database.shortTransaction(
      (transaction) =>
        Promise.all([
          this.read(transaction, caller, request),
          this.repository.findClaims(transaction, claims),
        ]),
    );
    const [existing] = claims.map((claim) => taken.orderOf(claim));
    if (existing) throw duplicateOrder(existing, contentHash(request));
    const order = { lines, faults, expectedTotal: request.expected_total };
    const { totals, obstacle } = evaluateOrder(order, stockById(stock), unpaidTotals);
    return toOrderQuote({
      lines,
      stock,
      totals,
      obstacles: obstacle?.rows ?? [],
      currency: this.settings.currency,
    });
  }

  /** Refuses what placing the order now would refuse, by the rule of placing, and holds nothing. */
  async dryRun(caller: Caller, request: QuoteOrderRequest): Promise<OrderDryRun> {
    const [{ lines, faults, stock, unpaidTotals }, rights] = await this.database.shortTransaction(
      (transaction) =>
        Promise.all([this.read(transaction, caller, request), this.repository.rights(transaction, [caller])]),
    );
    const clientId = caller.client.id;
    const order = {
      clientId,
      storeOrderId: undefined,
      lines,
      faults,
      expectedTotal: request.expected_total,
      barred: findOrderingRefusal(caller, rights),
    };
    const [decision] = evaluateOrders([order], {
      stock: stockById(stock),
      unpaidTotals: new Map([[clientId, unpaidTotals]]),
    });
    if (decision && 'totals' in decision) return { lines, totals: decision.totals };
    throw (decision as { refusal: unknown }).refusal;
  }

  /** The last statement ends the transaction. The caller sends its own statements before it. */
  private async read(
    transaction: ShortTransaction,
    { client, plan }: OrderingClient,
    { items }: OrderContentRequest,
  ) {
    const [unpaidTotals, offers] = await Promise.all([
      this.repository.unpaidTotals(client.id, transaction),
      this.repository.offers(transaction, offerKeysOf(plan.id, items)),
    ]);
    const { lines, faults } = readOrderLines(items, offers.of(plan.id), (sku) => this.suggestions.hint(sku));
    const [stock] = await Promise.all([this.stock.read(transaction, demandOf(lines)), transaction.commit()]);
    return { lines, faults, stock, unpaidTotals };
  }
}
