import { Inject, Injectable } from '@nestjs/common';
import { Database, type ShortTransaction } from '../../../platform/database/database.js';
import { type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { Caller } from '../../../read-model/callers/caller.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { StockHoldings } from '../../stock/stock-holdings.repository.js';
import { duplicateOrder } from '../order-errors.js';
import { judgeInTurn } from '../rules/judge-orders.js';
import { contentHash } from '../rules/order-content.js';
import { type OrderLine, readOrderLines } from '../rules/order-lines.js';
import { demandOf, stockById, stockFaults } from '../rules/order-stock.js';
import { isPriceChanged, priceChangedMessage, orderTotals, type OrderTotals } from '../rules/order-totals.js';
import { isBeyond, type UnpaidTotals, unpaidLimitMessage, withOrder } from '../rules/unpaid-limits.js';
import type { CreateOrderRequest, OrderContentRequest, QuoteOrderRequest } from './create-order.request.js';
import { toOrderQuote } from './order-quote.mapper.js';
import { barrierTo, claimOf, PlacingRepository, wantedOf } from './placing.repository.js';
import type { OrderQuoteResponse } from './placing.responses.js';

/** An order as placing it now would write it. */
export interface Rehearsed {
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

  async quote(caller: Caller, request: QuoteOrderRequest): Promise<OrderQuoteResponse> {
    const { expected_total: expectedTotal } = request;
    const claims = claimOf(caller.client.id, request);
    const [{ lines, faults, stock, unpaidTotals }, [existing]] = await this.database.shortTransaction(
      (transaction) =>
        Promise.all([
          this.read(transaction, caller, request),
          this.repository.findClaims(transaction, claims),
        ]),
    );
    if (existing) throw duplicateOrder(existing, contentHash(request));
    const shortages = stockFaults(lines, stockById(stock));
    if (faults.length > 0) throw validationFailed([...faults, ...shortages]);
    const totals = orderTotals(lines);
    // Like creating, a quote reports the first of these kinds.
    const obstacles = [
      shortages,
      priceFaults(expectedTotal, totals.total),
      unpaidFaults(unpaidTotals, totals.total),
    ].find((kind) => kind.length > 0);
    return toOrderQuote({
      lines,
      stock,
      totals,
      obstacles: obstacles ?? [],
      currency: this.settings.currency,
    });
  }

  /** Refuses what placing the order now would refuse, by the rule of placing, and holds nothing. */
  async rehearse(caller: Caller, request: CreateOrderRequest): Promise<Rehearsed> {
    const [{ lines, faults, stock, unpaidTotals }, { byToken }] = await this.database.shortTransaction(
      (transaction) =>
        Promise.all([this.read(transaction, caller, request), this.repository.rights(transaction, [caller])]),
    );
    const clientId = caller.client.id;
    const candidate = {
      clientId,
      storeOrderId: undefined,
      lines,
      faults,
      expectedTotal: request.expected_total,
      barred: barrierTo(caller, byToken.get(caller.token.id)!),
    };
    const [verdict] = judgeInTurn([candidate], {
      stock: stockById(stock),
      unpaidTotals: new Map([[clientId, unpaidTotals]]),
    });
    if (verdict && 'totals' in verdict) return { lines, totals: verdict.totals };
    throw (verdict as { refusal: unknown }).refusal;
  }

  /** Its last statement ends the transaction: the caller sends others beside the first. */
  private async read(
    transaction: ShortTransaction,
    { client, plan }: Caller,
    { items }: OrderContentRequest,
  ) {
    const [unpaidTotals, offers] = await Promise.all([
      this.repository.unpaidTotals(client.id, transaction),
      this.repository.offers(transaction, wantedOf(plan.id, items)),
    ]);
    const { lines, faults } = readOrderLines(items, offers.of(plan.id), (sku) => this.suggestions.hint(sku));
    const [stock] = await Promise.all([this.stock.read(transaction, demandOf(lines)), transaction.commit()]);
    return { lines, faults, stock, unpaidTotals };
  }
}

function unpaidFaults({ unpaid, limits }: UnpaidTotals, total: Minor): FieldError[] {
  if (!isBeyond(withOrder(unpaid, total), limits)) return [];
  return [{ field: 'items', code: 'unpaid_limit_reached', message: unpaidLimitMessage(unpaid, limits) }];
}

function priceFaults(expected: number | undefined, total: Minor): FieldError[] {
  if (!isPriceChanged(expected, total)) return [];
  const message = priceChangedMessage(total);
  return [{ field: 'expected_total', code: 'price_changed', message, total: amountFromMinor(total) }];
}
