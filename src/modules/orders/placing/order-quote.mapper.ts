import type { FieldError } from '../../../platform/errors/domain-error.js';
import { amountFromMinor } from '../../../platform/money/money.js';
import { forSale } from '../../stock/rules/on-hand.js';
import type { LockedStock } from '../../stock/stock-holdings.repository.js';
import type { OrderLine } from '../rules/order-lines.js';
import type { OrderItemResponse } from '../order.responses.js';
import type { OrderQuoteResponse, QuoteItemResponse } from './placing.responses.js';
import { demandOf, stockId } from '../rules/order-stock.js';
import type { OrderTotals } from '../rules/order-totals.js';

interface QuoteFacts {
  lines: OrderLine[];
  stock: LockedStock[];
  totals: OrderTotals;
  /** The reasons why creating the order would fail. */
  obstacles: FieldError[];
  currency: string;
}

export function toOrderQuote({ lines, stock, totals, obstacles, currency }: QuoteFacts): OrderQuoteResponse {
  const skus = new Map(lines.map(({ offer }) => [offer.productId, offer.sku]));
  return {
    success: true,
    orderable: obstacles.length === 0,
    errors: obstacles,
    items: toItems(lines, stock),
    subtotal: amountFromMinor(totals.subtotal),
    delivery: amountFromMinor(totals.delivery),
    delivery_breakdown: totals.deliveryPerProduct.map(({ productId, charge }) => ({
      sku: skus.get(productId)!,
      charge: amountFromMinor(charge),
    })),
    total: amountFromMinor(totals.total),
    currency,
  };
}

function toItems(lines: OrderLine[], stock: LockedStock[]): QuoteItemResponse[] {
  const demandById = new Map(demandOf(lines).map((demand) => [stockId(demand), demand.quantity]));
  const availableById = new Map(stock.map((item) => [stockId(item), forSale(item)]));
  return lines.map((line) => {
    const id = stockId({ productId: line.offer.productId, variationKey: line.variationKey });
    const requested = demandById.get(id) ?? line.quantity;
    const available = availableById.get(id) ?? 0;
    return { ...toLineAnswer(line), stock: { requested, available, sufficient: requested <= available } };
  });
}

/** A line as it was understood. */
export function toLineAnswer({
  offer,
  variationKey,
  remark,
  quantity,
  lineTotal,
}: OrderLine): OrderItemResponse {
  return {
    sku: offer.sku,
    name: offer.name,
    variation: variationKey || remark,
    quantity,
    unit_price: amountFromMinor(offer.price),
    line_total: amountFromMinor(lineTotal),
  };
}
