import { CreateOrderRequest } from '../placing/create-order.request.js';
import type { PlacedOrder } from '../placing/order-batch.service.js';
import { OrderBodyPipe } from '../placing/order-body.pipe.js';
import { OrderPlacementService } from '../placing/order-placement.service.js';
import { OrderQuotesService } from '../placing/order-quotes.service.js';
import { type Account, PlacingRepository } from '../placing/placing.repository.js';
import { withWarnings } from '../rules/pincode-of-state.js';
import type { UnpaidTotals } from '../rules/unpaid-limits.js';
import { Injectable } from '@nestjs/common';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import { ClientAdministrationService } from '../../clients/client-administration.service.js';
import { noSubscription, suspended } from '../../clients/refusals.js';
import {
  type ClientPerson,
  requireRole,
  type SignedInPerson,
} from '../../../platform/access/signed-in-person.js';
import { Database } from '../../../platform/database/database.js';
import { rowBoundOf } from '../../../platform/database/row-bound.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import type { OrderingClient } from '../../../read-model/callers/caller.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { changeOwnDelivery, deliveryOf, type NamedDelivery } from '../actions/change-delivery.js';
import { OrderCorrection } from '../entities/order.entity.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { orderNotFound } from '../order-errors.js';
import { refuseUnderway } from '../lifecycle/payments-underway.repository.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import {
  ClientOverviewRepository,
  type FirstSteps,
  type ClientOverview,
  type OrderGroupCounts,
} from './client-overview.repository.js';
import { cursorOf, type OrderCursor, readOrderCursor } from './order-cursor.js';
import { type OrderFilter, type OrderSort, SORTS } from './order-filter.js';
import { type ClientOrder, toClientOrder } from './order-for-client.js';
import {
  CLIENT_ORDER_LIST,
  type ClientOrderRow,
  type FiledOrder,
  type OrderSelection,
} from './order-record.js';
import { type TopProduct, OrderViewRepository } from './order-view.repository.js';

export type ClientOrderPageItem = ClientOrderRow & { cursor: OrderCursor };

/** Rows of one statement, which the event loop reads in one turn. */
const FILE_BATCH_SIZE = 50;

const REASON = 'cancelled in the dashboard';

/** A client's view of its orders, and its actions on them. People at the desk enter orders for it too. */
@Injectable()
export class ClientOrdersService {
  constructor(
    private readonly orders: OrderViewRepository,
    private readonly overviews: ClientOverviewRepository,
    private readonly database: Database,
    private readonly lifecycle: OrderLifecycleService,
    private readonly placing: PlacingRepository,
    private readonly audit: AuditLog,
    private readonly snapshot: SnapshotService,
    private readonly clients: ClientAdministrationService,
    private readonly body: OrderBodyPipe,
    private readonly quotes: OrderQuotesService,
    private readonly placement: OrderPlacementService,
  ) {}

  /** An invalid cursor leads to the first page. */
  async page(
    clientId: number,
    filter: OrderFilter,
    { after, sort, limit }: { after?: string | undefined; sort: OrderSort; limit: number },
  ): Promise<ClientOrderPageItem[]> {
    const cursor = after === undefined ? undefined : readOrderCursor(after);
    const start = { sort, ...(cursor?.clientId === clientId && { after: cursor }) };
    const rows = await this.orders.list(CLIENT_ORDER_LIST, clientId, filter, start, limit);
    return rows.map((row) => ({ ...row, cursor: cursorFor(clientId, row, sort) }));
  }

  overview(clientId: number): Promise<ClientOverview> {
    return this.overviews.overview(clientId);
  }

  firstSteps(clientId: number): Promise<FirstSteps> {
    return this.overviews.firstSteps(clientId);
  }

  tally(clientId: number): Promise<OrderGroupCounts> {
    return this.overviews.tally(clientId);
  }

  account(clientId: number): Promise<Account & UnpaidTotals> {
    return this.placing.account(clientId);
  }

  async find(clientId: number, number: string): Promise<ClientOrder> {
    const orderNumber = normaliseOrderNumber(number);
    const order = orderNumber === null ? undefined : await this.orders.findForClient(clientId, orderNumber);
    if (!order) throw orderNotFound();
    return toClientOrder(order);
  }

  findSelected(clientId: number, orderNumbers: string[]): Promise<ClientOrderRow[]> {
    return this.orders.findSelected(clientId, orderNumbers);
  }

  firstDue(clientId: number, limit: number): Promise<ClientOrderRow[]> {
    return this.orders.firstDue(clientId, limit);
  }

  lastShipped(clientId: number, limit: number): Promise<ClientOrderRow[]> {
    return this.orders.lastShipped(clientId, limit);
  }

  /**
   * All orders of the filter, for a file. Each piece is a statement of its own, so a slow reader holds
   * no connection. Positions in the list never change, so no order is missed or repeated.
   */
  async *file<Row extends FiledOrder>(
    view: OrderSelection<Row>,
    clientId: number,
    filter: OrderFilter,
  ): AsyncGenerator<Row> {
    let after: OrderCursor | undefined;
    do {
      const rows = await this.orders.list(view, clientId, filter, { after }, FILE_BATCH_SIZE);
      yield* rows;
      after = rows.length === FILE_BATCH_SIZE ? cursorOf(clientId, rows.at(-1)!) : undefined;
    } while (after);
  }

  topProducts(clientId: number, limit: number): Promise<TopProduct[]> {
    return this.orders.topProducts(clientId, limit);
  }

  /** The store's own ids of these orders, by our numbers. */
  storeOrderIds(clientId: number, orderNumbers: readonly string[]): Promise<Map<string, string>> {
    return this.orders.storeOrderIds(clientId, orderNumbers);
  }

  /** Throws if the client cannot order now. Placing checks this again when all locks are held. */
  async getOrderingClient(clientId: number): Promise<OrderingClient> {
    const { id, suspendedAt } = await this.clients.find(clientId);
    if (suspendedAt !== null) throw suspended();
    const subscription = this.snapshot.activeSubscription(clientId, Date.now());
    if (!subscription) throw noSubscription();
    return { client: { id }, subscription, plan: subscription.plan };
  }

  /** The quote of the API for this body of a person. */
  async quote(orderingClient: OrderingClient, body: object) {
    const request = await this.readBody(body);
    return {
      request,
      quote: withWarnings(await this.quotes.quote(orderingClient, request), request.shipping),
    };
  }

  /** The same key never places a second order. A client's person orders for its own client. */
  async place(by: SignedInPerson, forClient: number, body: object, key: string): Promise<PlacedOrder> {
    requireRole(by, by.clientId === null ? 'staff' : 'buyer');
    const clientId = by.clientId ?? forClient;
    const [orderingClient, request] = [await this.getOrderingClient(clientId), await this.readBody(body)];
    const origin = by.clientId === null ? 'desk' : 'dashboard';
    return this.placement.place(orderingClient, request, key, { origin, author: authorOf(by, clientId) });
  }

  private readBody(body: object): Promise<CreateOrderRequest> {
    const kind = { type: 'body', metatype: CreateOrderRequest } as const;
    return this.body.transform(body, kind) as Promise<CreateOrderRequest>;
  }

  /** Refused during an open payment, because the client would pay for nothing. */
  async cancel(person: ClientPerson, orderNumber: string): Promise<void> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, orderNumber };
    await this.database.transaction(async (transaction) => {
      const isChanged = await this.lifecycle.cancelUnpaidWithin(transaction, key, actorOf(person), REASON);
      await refuseUnderway(transaction, [key]);
      const subject = `order ${orderNumber}`;
      if (isChanged)
        await this.audit.recordWithin(transaction, { person, action: 'order.cancelled', subject });
    });
    // The catalog must show the released stock at once.
    await this.snapshot.refreshAfterWrite();
  }

  /**
   * Changes recipient and address until the order is packed. The person reviewed this many corrections; after
   * a new one the page must be read again.
   */
  redirect(
    person: ClientPerson,
    orderNumber: string,
    changes: NamedDelivery,
    reviewedCorrections: number,
  ): Promise<void> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, orderNumber };
    const change = changeOwnDelivery(deliveryOf(changes));
    return this.lifecycle.applyChange(key, change, person, async ({ manager }) => {
      const corrections = await manager.countBy(OrderCorrection, key);
      // The page shows no more than the bound.
      if (Math.min(corrections, rowBoundOf(OrderCorrection).max) !== reviewedCorrections)
        throw new DomainError('conflict', CHANGED_MEANWHILE);
    });
  }
}

const CHANGED_MEANWHILE =
  'The delivery was changed after you opened this form: the history of the order shows how. Save again to ' +
  'replace it.';

function cursorFor(clientId: number, row: ClientOrderRow, sort: OrderSort): OrderCursor {
  return SORTS[sort].by === 'total'
    ? { clientId, orderNumber: row.orderNumber, key: minorFromNumeric(row.total) }
    : cursorOf(clientId, row);
}
