import { Injectable } from '@nestjs/common';
import { type OrderCursor, readOrderCursor, writeOrderCursor } from '../reading/order-cursor.js';
import { orderNotFound } from '../order-errors.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import type { BrowseFilter } from './browse-filter.js';
import { ClientOrdersRepository } from './client-orders.repository.js';
import { type ExportedOrder, toExportedOrder } from './exported-order.js';
import type { ListedOrder } from './listed-order.js';
import type { OrderDetails } from './order-details.js';

export interface OrderPage {
  orders: ListedOrder[];
  /** The cursors of the pages beside it, where there are any. */
  newer?: string;
  older?: string;
}

const PAGE_SIZE = 50;

/** How many orders of an export are in memory at a time. */
const EXPORT_AT_ONCE = 500;

/** What a client's people look up of its orders. All of them may. */
@Injectable()
export class ClientOrders {
  constructor(private readonly orders: ClientOrdersRepository) {}

  /** What is no cursor of the client's leads to the first page. */
  async page(
    clientId: number,
    filter: BrowseFilter,
    { after, before }: { after?: string; before?: string } = {},
  ): Promise<OrderPage> {
    const behind = readPlace(clientId, after);
    const ahead = readPlace(clientId, before);
    if (ahead) return (await this.pageBefore(clientId, filter, ahead)) ?? this.page(clientId, filter);
    const found = await this.orders.list(clientId, filter, { after: behind }, PAGE_SIZE + 1);
    return pageOf(clientId, found.slice(0, PAGE_SIZE), {
      newer: behind !== undefined,
      older: found.length > PAGE_SIZE,
    });
  }

  async find(clientId: number, number: string): Promise<OrderDetails> {
    const orderNumber = normaliseOrderNumber(number);
    const order = orderNumber === null ? undefined : await this.orders.find(clientId, orderNumber);
    if (!order) throw orderNotFound();
    return order;
  }

  firstDue(clientId: number, limit: number): Promise<ListedOrder[]> {
    return this.orders.firstDue(clientId, limit);
  }

  lastShipped(clientId: number, limit: number): Promise<ListedOrder[]> {
    return this.orders.lastShipped(clientId, limit);
  }

  /**
   * All that the filter lets through. Piece by piece, each a statement of its own: whoever reads a file slowly holds no connection. An order's
   * place in the list never changes, so none is missed or there twice.
   */
  async *export(clientId: number, filter: BrowseFilter): AsyncGenerator<ExportedOrder> {
    let after: OrderCursor | undefined;
    do {
      const rows = await this.orders.export(clientId, filter, { after }, EXPORT_AT_ONCE);
      yield* rows.map(toExportedOrder);
      const last = rows.length === EXPORT_AT_ONCE ? rows.at(-1) : undefined;
      after = last && placeOf(clientId, last.order_number, last.placedAtMicros);
    } while (after);
  }

  /** Nothing if there are so few before it that they stand on the first page. */
  private async pageBefore(
    clientId: number,
    filter: BrowseFilter,
    before: OrderCursor,
  ): Promise<OrderPage | undefined> {
    const found = await this.orders.list(clientId, filter, { before }, PAGE_SIZE + 1);
    if (found.length <= PAGE_SIZE) return undefined;
    return pageOf(clientId, found.slice(0, PAGE_SIZE).toReversed(), { newer: true, older: true });
  }
}

function pageOf(
  clientId: number,
  orders: ListedOrder[],
  more: { newer: boolean; older: boolean },
): OrderPage {
  const cursor = (order: ListedOrder | undefined) =>
    order && writeOrderCursor(placeOf(clientId, order.orderNumber, order.placedAtMicros));
  return {
    orders,
    newer: more.newer ? cursor(orders[0]) : undefined,
    older: more.older ? cursor(orders.at(-1)) : undefined,
  };
}

function placeOf(clientId: number, orderNumber: string, placedAtMicros: string): OrderCursor {
  return { clientId, orderNumber, placedAt: Number(placedAtMicros) };
}

function readPlace(clientId: number, text: string | undefined): OrderCursor | undefined {
  const place = text === undefined ? undefined : readOrderCursor(text);
  return place?.clientId === clientId ? place : undefined;
}
