import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type Author } from '../../audit/actor-of.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import type { ImportOptions } from '../../../shared/imports/import-kind.js';
import type { ImportReport } from '../../../shared/imports/import-report.js';
import { Importer } from '../../../shared/imports/importer.service.js';
import type { RecordSource } from '../../../shared/imports/record-source.js';
import { OrderReturn, OrderReturnItem } from '../../orders/entities/after-sale.entity.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import {
  LifecycleRepository,
  type LockedLine,
  orderKeyText,
} from '../../orders/lifecycle/lifecycle.repository.js';
import { STORE } from '../../orders/actions/order-action.js';
import { noSuchOrder } from '../../orders/order-errors.js';
import { OrderDeskRepository } from '../../orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { refundReturned } from '../../orders/actions/refund.js';
import { withdrawRequest } from './actions/refuse.js';
import type { ReturnChange } from './actions/return-action.js';
import { ReturnWriterService } from './actions/return-writer.service.js';
import { noSuchReturn } from './no-such-return.js';
import { type ReviewedOrder, refuseIfOrderChanged } from '../../orders/records/refuse-if-changed.js';
import { newReturnNumber } from '../../orders/rules/order-number.js';
import { checkUnits, formatLineQuantities, type ReceivedLine } from '../../orders/rules/order-units.js';
import {
  readReturn,
  rtoKey,
  type ReturnInput,
  type ReturnRequest,
} from '../../orders/rules/return-request.js';
import { type ClientPerson, requireRole } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { dryRunReturns, returnImport } from './return-import.js';
import { type ReturnRecord, ReturnsRepository } from './returns.repository.js';

export interface ReturnPreview {
  arrived: readonly ReceivedLine[];
  /** The amount for the wallet; undefined without a refund. */
  refund: Minor | undefined;
  /** The fingerprint of the current order. */
  fingerprint: string;
}

/** The wholesaler acts by its name, a client by a person. */
type Actor = string | ClientPerson;

/** Goods that come back: requested by the client or the wholesaler, then received or refused. */
@Injectable()
export class OrderReturnsService {
  /** Imports files of return requests. */
  readonly files: { import(source: RecordSource, options: ImportOptions): Promise<ImportReport> };

  constructor(
    private readonly database: Database,
    private readonly returns: ReturnsRepository,
    private readonly orders: LifecycleRepository,
    private readonly desk: OrderDeskRepository,
    private readonly orderDesk: OrderDeskService,
    private readonly writer: ReturnWriterService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
    importer: Importer,
  ) {
    const request: Parameters<typeof returnImport>[0] = async (transaction, requests, actor) => {
      await this.requestWithin(transaction, requests, actor);
    };
    const kind = returnImport(request);
    this.files = {
      import: (source, options) =>
        importer.run(kind, source, {
          ...options,
          onCompared: async (session, compared) => {
            await options.onCompared?.(session, compared);
            if (options.dryRun) await dryRunReturns(session, request, options.actor);
          },
        }),
    };
  }

  /** Returns the number of the return. A repeated key returns the existing one. */
  async request(key: OrderKey, input: ReturnInput, actor: Actor): Promise<string> {
    return (await this.requestOnce(key, input, actor)).returnNumber;
  }

  requestByClient(person: ClientPerson, orderNumber: string, input: ReturnInput): Promise<string> {
    requireRole(person, 'buyer');
    return this.request({ clientId: person.clientId, orderNumber }, input, person);
  }

  /** The same for a command. Says whether the return is new. */
  async add(
    orderNumber: string,
    input: ReturnInput,
    actor: string,
  ): Promise<ReturnRecord & { is_new: boolean }> {
    const key = await this.desk.findKey(orderNumber);
    if (!key) throw noSuchOrder(orderNumber);
    return this.addTo(key, input, actor);
  }

  /** The same for an order that was found. */
  async addTo(key: OrderKey, input: ReturnInput, actor: string): Promise<ReturnRecord & { is_new: boolean }> {
    const { returnNumber, isNew } = await this.requestOnce(key, input, actor);
    return { ...(await this.show(returnNumber)), is_new: isNew };
  }

  /** Only shipped units that are in no other return. Locks the orders until the transaction ends. */
  async requestWithin(
    transaction: Transaction,
    requests: readonly (OrderKey & ReturnRequest)[],
    actor: Actor,
  ): Promise<{ returnNumber: string; isNew: boolean }[]> {
    await this.orders.lockAll(transaction, [...requests]);
    const made = [];
    for (const request of requests) made.push(await this.addReturn(transaction, request, actor));
    const by = actor === STORE || typeof actor !== 'string' ? 'client' : 'wholesaler';
    if (made.some(({ isNew }) => isNew))
      await this.orders.requireRoom(transaction, requests, [OrderReturn, OrderReturnItem], by);
    return made;
  }

  /** What an action makes of the return. */
  async act(
    number: string,
    change: ReturnChange,
    by: Author,
    reviewed?: ReviewedOrder,
  ): Promise<ReturnRecord> {
    await this.database.transaction((transaction) =>
      this.actWithin(transaction, number, { change, by, reviewed }),
    );
    return this.show(number);
  }

  /** Previews an action. Refuses what `act` would refuse. */
  async preview(view: ReturnRecord, change: ReturnChange, by: Author): Promise<ReturnPreview> {
    await this.database.dryRun((transaction) => this.actWithin(transaction, view.number, { change, by }));
    const order = await this.orderDesk.orderPage(view.order_number);
    const { paymentStatus, items: lines } = order;
    const facts = {
      returnNumber: view.number,
      state: view.state,
      decision: view.decision,
      key: view.is_rto ? rtoKey('') : '',
      refundOpen: view.refund_open,
      items: view.lines,
      order: { paymentStatus, lines },
    };
    const { arrived = [], refunds } = change.decide(facts, this.settings.timeZone);
    const refund =
      refunds && (this.orderDesk.previewChange(order, refundReturned(view, refunds)).refund?.amount ?? 0);
    return { arrived, refund, fingerprint: order.fingerprint };
  }

  private async actWithin(
    transaction: Transaction,
    number: string,
    { change, by, reviewed }: { change: ReturnChange; by: Author; reviewed?: ReviewedOrder | undefined },
  ): Promise<void> {
    const returnNumber = await this.numberOf(number, transaction);
    const key = await transaction.manager.findOneByOrFail(OrderReturn, { returnNumber });
    const check = reviewed && refuseIfOrderChanged(this.desk, key, reviewed);
    await this.writer.write(transaction, key, { change, by, check });
  }

  /** The client takes its request back, also after it was accepted. */
  withdrawByClient(person: ClientPerson, orderNumber: string, returnNumber: string): Promise<void> {
    requireRole(person, 'buyer');
    return this.database.transaction(async (transaction) => {
      const key = { clientId: person.clientId, orderNumber, returnNumber };
      if (!(await transaction.manager.existsBy(OrderReturn, key))) throw noSuchReturn(returnNumber);
      await this.writer.write(transaction, key, { change: withdrawRequest, by: person });
    });
  }

  async show(number: string): Promise<ReturnRecord> {
    return (await this.returns.find(await this.numberOf(number)))!;
  }

  /** Finds a return by its number or the end of it, in any spelling. */
  private async numberOf(typed: string, within?: Transaction): Promise<string> {
    const [found, ...others] = await this.returns.findNamed(typed, within);
    if (!found) throw noSuchReturn(typed);
    if (others.length === 0) return found.number;
    const numbers = [found, ...others].map(({ number }) => number).join(', ');
    throw new DomainError(
      'conflict',
      `Several returns have the number "${typed}": ${numbers}. Use the whole number.`,
    );
  }

  private async requestOnce(key: OrderKey, input: ReturnInput, actor: Actor) {
    const request = { ...key, ...readReturn(input) };
    const [made] = await this.database.transaction((transaction) =>
      this.requestWithin(transaction, [request], actor),
    );
    return made!;
  }

  private async addReturn(
    transaction: Transaction,
    request: OrderKey & ReturnRequest,
    actor: Actor,
  ): Promise<{ returnNumber: string; isNew: boolean }> {
    const { manager } = transaction;
    const { clientId, orderNumber, key, storeReturnId, reason, note, lines } = request;
    const existing = await manager.findOneBy(OrderReturn, { clientId, orderNumber, key });
    if (existing) return { returnNumber: existing.returnNumber, isNew: false };
    checkUnits(await this.linesOf(transaction, request), lines, 'returned');
    const returnNumber = newReturnNumber(dayAt(Date.now(), this.settings.timeZone));
    const made = { clientId, orderNumber, returnNumber };
    // Returns of one file are listed in its order.
    const requestedAt = () => 'statement_timestamp()';
    await manager.insert(OrderReturn, {
      ...made,
      reason,
      note,
      key,
      storeReturnId,
      actor: actorOf(actor),
      requestedAt,
    });
    await manager.insert(
      OrderReturnItem,
      lines.map((units) => ({ ...made, ...units })),
    );
    await this.audit.recordWithin(transaction, {
      ...authorOf(actor, clientId),
      action: 'return.requested',
      subject: `return ${returnNumber}`,
      details: { order: orderNumber, lines: formatLineQuantities(lines), reason },
    });
    return { returnNumber, isNew: true };
  }

  private async linesOf(transaction: Transaction, order: OrderKey): Promise<LockedLine[]> {
    return (await this.orders.linesOf(transaction, [order])).get(orderKeyText(order))!;
  }
}
