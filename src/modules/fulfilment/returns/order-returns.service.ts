import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog, type NewAuditEntry } from '../../audit/audit-log.js';
import { StockMovement } from '../../catalog/product.entity.js';
import type { ImportOptions } from '../../../shared/imports/import-kind.js';
import type { ImportReport } from '../../../shared/imports/import-report.js';
import { Importer } from '../../../shared/imports/importer.service.js';
import type { RecordSource } from '../../../shared/imports/record-source.js';
import { OrderReturn, OrderReturnItem } from '../../orders/entities/after-sale.entity.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import {
  LifecycleRepository,
  type LockedLine,
  type LockedOrder,
  type OrderChange,
  orderKeyText,
} from '../../orders/lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import { noSuchOrder } from '../../orders/order-errors.js';
import { OrderDeskRepository } from '../../orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { type ReviewedOrder, refuseIfOrderChanged } from '../../orders/records/refuse-if-changed.js';
import { newReturnNumber, normaliseReturnNumber } from '../../orders/rules/order-number.js';
import { stockId } from '../../orders/rules/order-stock.js';
import {
  checkUnits,
  type LineQuantity,
  formatLineQuantities,
  type ReceivedLine,
  receivedUnits,
} from '../../orders/rules/order-units.js';
import {
  type Acceptance,
  readAcceptance,
  readNote,
  readReturn,
  receivedState,
  MAX_REASON_LENGTH,
  formatReturnState,
  isWithdrawable,
  type ReturnInput,
  type ReturnState,
  type ReturnRequest,
  WITHDRAWN,
} from '../../orders/rules/return-request.js';
import { type ClientPerson, requireRole } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { readLine } from '../../../platform/validation/texts.js';
import { onHandAfter } from '../../stock/rules/on-hand.js';
import { StockHoldings } from '../../stock/stock-holdings.repository.js';
import { returnImport } from './return-import.js';
import { type ReturnRecord, ReturnsRepository } from './returns.repository.js';

/** The arrived units of a return; without `lines`, all. Units that are not restocked are written off. */
export interface ReturnReceipt {
  lines?: LineQuantity[];
  restock: LineQuantity[];
  /** Whether the client gets the price of the received units back. Undefined: staff decide later. */
  refund: boolean | undefined;
  note?: string;
}

export interface ReceiptPreview {
  units: ReceivedLine[];
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
    private readonly lifecycle: OrderLifecycleService,
    private readonly desk: OrderDeskRepository,
    private readonly orderDesk: OrderDeskService,
    private readonly stock: StockHoldings,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
    importer: Importer,
  ) {
    const kind = returnImport(async (transaction, requests, actor) => {
      await this.requestWithin(transaction, requests, actor);
    });
    this.files = { import: (source, options) => importer.run(kind, source, options) };
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
    return made;
  }

  /** Tells the client where to send the goods, and until when. A repeat changes both. */
  accept(number: string, texts: Record<keyof Acceptance, string>, actor: string): Promise<void> {
    const acceptance = readAcceptance(texts, dayAt(Date.now(), this.settings.timeZone));
    return this.database.transaction(async (transaction) => {
      const { openReturn } = await this.lockOpen(transaction, number);
      const acceptedAt = () => 'statement_timestamp()';
      const changes = { ...acceptance, acceptedBy: actor, acceptedAt };
      await transaction.manager.update(OrderReturn, keyOf(openReturn), changes);
      const details = { send_to: acceptance.sendTo, send_by: acceptance.sendBy };
      await this.audit.recordWithin(transaction, entryOf('accepted', openReturn, details, actor));
    });
  }

  /** Previews a receipt. Refuses what `receive` would refuse. */
  async previewReceipt(view: ReturnRecord, receipt: ReturnReceipt, actor: string): Promise<ReceiptPreview> {
    await this.database.dryRun((transaction) => this.receiveWithin(transaction, view.number, receipt, actor));
    const order = await this.orderDesk.orderPage(view.order_number);
    const units = receivedUnits(view.lines, receipt);
    const change = refundOf(view, unitsOf(units, 'received'));
    const refund = receipt.refund
      ? (this.orderDesk.previewChange(order, change).refund?.amount ?? 0)
      : undefined;
    return { units, refund, fingerprint: order.fingerprint };
  }

  /** Previews a later refund. Refuses what `settle` would refuse. */
  async previewRefund(view: ReturnRecord): Promise<{ refund: Minor; fingerprint: string }> {
    const order = await this.orderDesk.orderPage(view.order_number);
    const { refund } = this.orderDesk.previewChange(order, refundOf(view, receivedLines(view.lines)));
    return { refund: refund?.amount ?? 0, fingerprint: order.fingerprint };
  }

  /** Refunds a received return, or closes it without a refund. The reason is for the audit log. */
  settle(
    number: string,
    decision: 'refund' | { noRefund: string },
    actor: string,
    reviewed?: ReviewedOrder,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { locked } = await this.lock(transaction, number);
      const key = keyOf(locked);
      if (!locked.refundOpen)
        throw new DomainError('conflict', `The return ${locked.returnNumber} waits for no refund.`);
      if (reviewed) await refuseIfOrderChanged(this.desk, key, reviewed)(transaction);
      await transaction.manager.update(OrderReturn, key, { refundOpen: false });
      if (decision === 'refund') {
        const items = await transaction.manager.find(OrderReturnItem, { where: key, order: { line: 'ASC' } });
        const change = refundOf({ ...locked, number: locked.returnNumber }, receivedLines(items));
        await this.lifecycle.applyChangeWithin(transaction, key, change, actor);
        return;
      }
      const details = { reason: readLine('reason', decision.noRefund, MAX_REASON_LENGTH) };
      await this.audit.recordWithin(transaction, entryOf('not_refunded', locked, details, actor));
    });
  }

  /** Takes the goods to stock or writes them off, and refunds them if requested. */
  receive(number: string, receipt: ReturnReceipt, actor: string, reviewed?: ReviewedOrder): Promise<void> {
    return this.database.transaction((transaction) =>
      this.receiveWithin(transaction, number, receipt, actor, reviewed),
    );
  }

  private async receiveWithin(
    transaction: Transaction,
    number: string,
    receipt: ReturnReceipt,
    actor: string,
    reviewed?: ReviewedOrder,
  ): Promise<void> {
    const note = readNote(receipt.note);
    const { order, openReturn } = await this.lockOpen(transaction, number);
    const { clientId, orderNumber, returnNumber } = openReturn;
    const key = { clientId, orderNumber };
    if (reviewed) await refuseIfOrderChanged(this.desk, key, reviewed)(transaction);
    if (receipt.refund && order.paymentStatus === 'refunded')
      throw new DomainError(
        'conflict',
        'All that was paid for the order is refunded already. Receive the return without a refund.',
      );
    const items = await transaction.manager.find(OrderReturnItem, {
      where: { ...key, returnNumber },
      order: { line: 'ASC' },
    });
    const units = receivedUnits(items, receipt);
    await this.moveToStock(transaction, openReturn, units, actor);
    for (const { line, ...counts } of units)
      await transaction.manager.update(OrderReturnItem, { ...key, returnNumber, line }, counts);
    const quantities = new Map(items.map(({ line, quantity }) => [line, quantity]));
    const arrived = units.map(({ line, received }) => ({ received, quantity: quantities.get(line)! }));
    await recordDecision(transaction, openReturn, receivedState(arrived), note, actor);
    const lines = unitsOf(units, 'received');
    const change = refundOf({ ...openReturn, number: returnNumber }, lines);
    if (receipt.refund) await this.lifecycle.applyChangeWithin(transaction, key, change, actor);
    const isOpen = receipt.refund === undefined && (await this.isToRefund(transaction, order, lines));
    if (isOpen) await transaction.manager.update(OrderReturn, keyOf(openReturn), { refundOpen: true });
    const details = {
      received: formatLineQuantities(lines),
      restocked: formatLineQuantities(unitsOf(units, 'restocked')),
      refund: receipt.refund ?? (isOpen ? 'later' : false),
    };
    await this.audit.recordWithin(transaction, entryOf('received', openReturn, details, actor));
  }

  /** The goods do not come back. They can be returned again. */
  refuse(number: string, reasonText: string, actor: string): Promise<void> {
    const reason = readLine('reason', reasonText, MAX_REASON_LENGTH);
    if (reason === WITHDRAWN) throw new DomainError('invalid_value', 'Only the client withdraws its return.');
    return this.database.transaction(async (transaction) => {
      const { openReturn } = await this.lockOpen(transaction, number);
      await endWithin(transaction, openReturn, reason, actor);
      await this.audit.recordWithin(transaction, entryOf('refused', openReturn, { reason }, actor));
    });
  }

  /** The client takes its request back, also after it was accepted. */
  withdrawByClient(person: ClientPerson, orderNumber: string, number: string): Promise<void> {
    requireRole(person, 'buyer');
    return this.database.transaction(async (transaction) => {
      const own = { clientId: person.clientId, orderNumber, returnNumber: number };
      if (!(await transaction.manager.existsBy(OrderReturn, own))) throw noSuchReturn(number);
      const { openReturn } = await this.lockOpen(transaction, number);
      if (!isWithdrawable(openReturn)) throw noSuchReturn(number);
      await endWithin(transaction, openReturn, WITHDRAWN, actorOf(person));
      await this.audit.recordWithin(transaction, entryOf('withdrawn', openReturn, {}, person));
    });
  }

  async show(number: string): Promise<ReturnRecord> {
    const view = await this.returns.find(normaliseReturnNumber(number) ?? '');
    if (!view) throw noSuchReturn(number);
    return view;
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
    const by = typeof actor === 'string' ? actor : actorOf(actor);
    // Returns of one file are listed in its order.
    const requestedAt = () => 'statement_timestamp()';
    await manager.insert(OrderReturn, { ...made, reason, note, key, storeReturnId, actor: by, requestedAt });
    await manager.insert(
      OrderReturnItem,
      lines.map((units) => ({ ...made, ...units })),
    );
    const details = { lines: formatLineQuantities(lines), reason };
    await this.audit.recordWithin(transaction, entryOf('requested', made, details, actor));
    return { returnNumber, isNew: true };
  }

  /** Two people may decide at once. The second waits for the lock and reads the new state. */
  private async lockOpen(
    transaction: Transaction,
    number: string,
  ): Promise<{ order: LockedOrder; openReturn: OrderReturn }> {
    const { order, locked } = await this.lock(transaction, number);
    if (locked.state === 'requested') return { order, openReturn: locked };
    const state = formatReturnState(locked.state, locked.decision);
    throw new DomainError('conflict', `The return ${locked.returnNumber} was ${state} already.`);
  }

  private async lock(
    transaction: Transaction,
    number: string,
  ): Promise<{ order: LockedOrder; locked: OrderReturn }> {
    const { manager } = transaction;
    const returnNumber = normaliseReturnNumber(number) ?? '';
    const key = await manager.findOneBy(OrderReturn, { returnNumber });
    if (!key) throw noSuchReturn(number);
    const [order] = await this.orders.lockAll(transaction, [key]);
    return { order: order!, locked: await manager.findOneByOrFail(OrderReturn, { returnNumber }) };
  }

  /** Whether units of these lines came back that are not refunded. */
  private async isToRefund(
    transaction: Transaction,
    order: LockedOrder,
    lines: readonly LineQuantity[],
  ): Promise<boolean> {
    if (order.paymentStatus !== 'paid') return false;
    return (await this.linesOf(transaction, order)).some(
      ({ line, returned, refunded, cancelled }) =>
        lines.some((one) => one.line === line) && refunded - cancelled < returned,
    );
  }

  private async linesOf(transaction: Transaction, order: OrderKey): Promise<LockedLine[]> {
    return (await this.orders.linesOf(transaction, [order])).get(orderKeyText(order))!;
  }

  /** The movements name the return. Written-off units come in and go out, so the history has them. */
  private async moveToStock(
    transaction: Transaction,
    order: OrderReturn,
    units: ReceivedLine[],
    actor: string,
  ): Promise<void> {
    const lines = await this.linesOf(transaction, order);
    const arrived = units
      .filter(({ received }) => received > 0)
      .map((unit) => ({ ...lines.find(({ line }) => line === unit.line)!, ...unit }));
    const restocked = arrived.filter((unit) => unit.restocked > 0);
    const keys = new Map(restocked.map((unit) => [stockId(unit), unit]));
    const stock = await this.stock.lock(transaction, [...keys.values()]);
    const missing = restocked.find((unit) => !stock.some((item) => stockId(item) === stockId(unit)));
    if (missing) throw noStockRecord(missing);
    const changes = stock.map((item) => {
      const own = restocked.filter((unit) => stockId(unit) === stockId(item));
      const onHand = own.reduce((sum, unit) => sum + unit.restocked, 0);
      onHandAfter(item.onHand, onHand);
      return { id: item.id, onHand, held: 0 };
    });
    if (changes.length > 0) await this.stock.change(transaction, changes);
    const reason = `return ${order.returnNumber}`;
    const movements = arrived.flatMap(({ productId, variationKey, received, restocked: kept }) => [
      { productId, variationKey, delta: received, reason, actor },
      { productId, variationKey, delta: kept - received, reason: `written off, ${reason}`, actor },
    ]);
    await transaction.manager.insert(
      StockMovement,
      movements.filter(({ delta }) => delta !== 0),
    );
  }
}

async function endWithin(transaction: Transaction, openReturn: OrderReturn, reason: string, actor: string) {
  await transaction.manager.update(OrderReturnItem, keyOf(openReturn), { received: 0 });
  await recordDecision(transaction, openReturn, 'refused', reason, actor);
}

async function recordDecision(
  { manager }: Transaction,
  openReturn: OrderReturn,
  state: ReturnState,
  decision: string | null,
  decidedBy: string,
): Promise<void> {
  const decidedAt = () => 'statement_timestamp()';
  await manager.update(OrderReturn, keyOf(openReturn), { state, decision, decidedBy, decidedAt });
}

function entryOf(
  action: Exclude<ReturnState, 'partly_received'> | 'accepted' | 'not_refunded' | 'withdrawn',
  { clientId, orderNumber, returnNumber }: Pick<OrderReturn, 'clientId' | 'orderNumber' | 'returnNumber'>,
  details: Record<string, string | boolean>,
  actor: Actor,
): NewAuditEntry {
  return {
    action: `return.${action}`,
    subject: `return ${returnNumber}`,
    details: { order: orderNumber, ...details },
    ...(typeof actor === 'string' ? { actor, clientId } : { person: actor }),
  };
}

function unitsOf(units: ReceivedLine[], which: 'received' | 'restocked'): LineQuantity[] {
  return units.filter((unit) => unit[which] > 0).map((unit) => ({ line: unit.line, quantity: unit[which] }));
}

const receivedLines = (items: readonly { line: number; received: number | null }[]): LineQuantity[] =>
  items.flatMap(({ line, received }) => (received ? [{ line, quantity: received }] : []));

const keyOf = ({ clientId, orderNumber, returnNumber }: OrderReturn) => ({
  clientId,
  orderNumber,
  returnNumber,
});

/** The refund of a return has its number as the key, so it is made once. */
const refundOf = (
  { number, reason }: { number: string; reason: string },
  lines: LineQuantity[],
): OrderChange => ({
  action: 'refund',
  request: { kind: 'returned', lines, returnNumber: number, reason, key: number },
});

function noSuchReturn(number: string): DomainError {
  return new DomainError('return_not_found', `There is no return ${number}.`);
}

/** The variation, or the product without one, left the catalog after the order. */
function noStockRecord({ line, variationKey }: LockedLine): DomainError {
  const what = variationKey === '' ? 'its product without a variation' : `the variation "${variationKey}"`;
  return new DomainError(
    'conflict',
    `Line ${line} cannot be restocked: there is no stock record of ${what} any more.`,
  );
}
