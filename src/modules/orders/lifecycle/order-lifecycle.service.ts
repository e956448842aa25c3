import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, type NewAuditEntry } from '../../audit/audit-log.js';
import { InvoicingService } from '../../invoices/invoicing.service.js';
import { StockMovement } from '../../catalog/product.entity.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.repository.js';
import type { Posting } from '../../wallet/rules/posting.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { OrderRefund, Parcel } from '../entities/after-sale.entity.js';
import { type OrderKey, OrderCorrection } from '../entities/order.entity.js';
import { Payment, type PaymentKey } from '../entities/payment.entity.js';
import { illegalTransition, notCancellable, orderNotFound } from '../order-errors.js';
import { deliverStep, type RefundKind } from '../rules/order-steps.js';
import { stockId } from '../rules/order-stock.js';
import { affordable } from '../rules/order-totals.js';
import { withPrepared } from '../rules/prepared-parcel.js';
import { deliverIfArrived, findParcel, formatParcel, type ParcelFacts } from '../rules/undo-steps.js';
import { auditEntriesOf, statusFactsOf, postingsOf, writeOffsOf } from './change-records.js';
import { type AppliedStep, evaluateStep, requireAllowed, stepOf } from './change-step.js';
import {
  LifecycleRepository,
  KEY_IS_TAKEN,
  orderKeyText,
  type BillingEvent,
  type LockedLine,
  type LockedOrder,
  type OrderChange,
  type OrderChanges,
  type UndoParcelChange,
} from './lifecycle.repository.js';
import { refuseUnderway } from './payments-underway.repository.js';
import { requireUniqueTracking } from './shared-tracking.repository.js';
import { CANCEL_REASONS } from '../cancel-reasons.js';

export const FROM_WALLET = { action: 'pay', from: 'wallet', paymentMethod: 'wallet' } as const;

/** Money that came in for a client. */
interface IncomingPayment {
  payment: PaymentKey;
  credits: Posting[];
  actor: string;
}

/** Every change of an order after it was placed: status, stock, money and timeline in one transaction. */
@Injectable()
export class OrderLifecycleService {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
    private readonly wallets: WalletService,
    private readonly invoicing: InvoicingService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Makes all changes of all of the orders, or none. The check is of the orders before the first one. */
  applyChange(
    orders: OrderKey | OrderKey[],
    changes: OrderChanges,
    actor: string,
    check?: ChangeCheck,
  ): Promise<void> {
    return this.database.transaction((transaction) =>
      this.applyInTurn(transaction, orders, changes, actor, check),
    );
  }

  /** Refuses what `applyChange` would refuse, and changes nothing. */
  dryRun(order: OrderKey, changes: OrderChanges, actor: string): Promise<void> {
    return this.database.dryRun((transaction) => this.applyInTurn(transaction, order, changes, actor));
  }

  private async applyInTurn(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    changes: OrderChanges,
    actor: string,
    check?: ChangeCheck,
  ): Promise<void> {
    for (const [at, change] of [changes].flat().entries())
      await this.applyChangeWithin(transaction, orders, change, actor, at === 0 ? check : undefined);
  }

  /** Locks the orders until the transaction ends. Skips the check of a repeated change: it does nothing. */
  async applyChangeWithin(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    change: OrderChange,
    actor: string,
    check?: ChangeCheck,
  ): Promise<void> {
    const keys = [orders].flat();
    // Both statements are sent at once; the database runs the second when the locks are held.
    const [locked] = await Promise.all([
      this.orders.lockAll(transaction, keys),
      change.action === 'pay' ? refuseUnderway(transaction, keys) : undefined,
    ]);
    const remaining = await this.withoutRepeats(transaction, locked, change);
    if (remaining.length > 0) await check?.(transaction);
    await this.applyLocked(transaction, remaining, () => change, actor);
  }

  /** Makes all changes, or none. Changes of one order are applied in sequence. All have the same action. */
  async applyChangesWithin(
    transaction: Transaction,
    changes: readonly KeyedChange[],
    actor: string,
  ): Promise<void> {
    const keys = new Map(changes.map(({ key }) => [orderKeyText(key), key]));
    if (keys.size < changes.length) await this.lockWithStock(transaction, [...keys.values()]);
    for (let next = changes; next.length > 0;) {
      const first = new Map(
        next.map((one) => [orderKeyText(one.key), one]).toReversed() as [string, KeyedChange][],
      );
      const batch = [...first.values()];
      const locked = await this.orders.lockAll(
        transaction,
        batch.map(({ key }) => key),
      );
      await this.applyLocked(transaction, locked, (key) => first.get(orderKeyText(key))!.change, actor);
      next = next.filter((one) => !batch.includes(one));
    }
  }

  /** The later changes would lock stock in another order than other transactions do. */
  private async lockWithStock(transaction: Transaction, orders: OrderKey[]): Promise<void> {
    await this.orders.lockAll(transaction, orders);
    await this.stock.lock(transaction, await this.orders.heldStock(transaction, orders));
  }

  /** A client may cancel an order until it has paid for it. */
  async cancelUnpaid(key: OrderKey, actor: string, cancelReason: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.cancelUnpaidWithin(transaction, key, actor, cancelReason),
    );
  }

  /** Returns false for an order that is already cancelled. */
  async cancelUnpaidWithin(
    transaction: Transaction,
    key: OrderKey,
    actor: string,
    cancelReason: string,
  ): Promise<boolean> {
    const [order] = await this.orders.lock(transaction, [key]);
    if (!order) throw orderNotFound();
    if (order.status === 'cancelled') return false;
    if (order.status !== 'awaiting_payment') throw notCancellable(order);
    await this.applyLocked(transaction, [order], () => ({ action: 'cancel', cancelReason }), actor);
    return true;
  }

  /** Cancels orders whose payment window is over. Skips orders that another node has locked. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      await this.applyLocked(
        transaction,
        due,
        () => ({ action: 'expire', cancelReason: CANCEL_REASONS.expired }),
        'system',
      );
      return due.length;
    });
  }

  /** Pays all of the orders from the wallets of their clients, or none. */
  payFromWallet(orders: OrderKey[], actor: string): Promise<void> {
    return this.applyChange(orders, FROM_WALLET, actor);
  }

  payFromWalletWithin(transaction: Transaction, orders: OrderKey[], actor: string): Promise<void> {
    return this.applyChangeWithin(transaction, orders, FROM_WALLET, actor);
  }

  /**
   * Credits the wallet, then pays the orders that still await payment while the balance lasts. So money that
   * comes late, twice, or for an expired order needs no special case.
   */
  async payFromIncoming(
    transaction: Transaction,
    orders: OrderKey[],
    { payment, credits, actor }: IncomingPayment,
  ): Promise<void> {
    const locked = orders.length === 0 ? [] : await this.orders.lock(transaction, orders);
    await this.wallets.post(transaction, payment.clientId, actor, credits);
    // Frees the reserved part for its orders.
    await transaction.manager.update(Payment, payment, { status: 'paid' });
    const { available } = await this.wallets.funds(payment.clientId, transaction);
    const waiting = locked.filter(({ status }) => status === 'awaiting_payment');
    const paid = affordable(waiting, ({ total }) => minorFromNumeric(total), available);
    await this.applyLocked(transaction, paid, () => FROM_WALLET, actor);
  }

  /** Locks unpaid orders until the transaction ends, so that no other payment of them can begin. */
  async lockPayable(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const locked = await this.orders.lockAll(transaction, keys);
    await refuseUnderway(transaction, locked);
    const done = locked.find(({ status }) => status !== 'awaiting_payment');
    if (done) throw illegalTransition(done.orderNumber, `An order that is ${done.status} cannot be paid.`);
    return locked;
  }

  /** Leaves out orders that had this refund. Refuses its key for another kind of refund. */
  private async withoutRepeats(
    transaction: Transaction,
    orders: LockedOrder[],
    change: OrderChange,
  ): Promise<LockedOrder[]> {
    const key = change.action === 'refund' ? change.request.key : change.action === 'cancel' && change.key;
    if (!key) return orders;
    const recorded = await transaction.manager.find(OrderRefund, {
      where: orders.map(({ clientId, orderNumber }) => ({ clientId, orderNumber, key })),
    });
    const kind = change.action === 'refund' ? change.request.kind : 'cancelled';
    for (const refund of recorded) await this.refuseKey(transaction, refund, kind);
    const repeated = new Set(recorded.map(orderKeyText));
    return orders.filter((order) => !repeated.has(orderKeyText(order)));
  }

  private async refuseKey({ manager }: Transaction, recorded: OrderRefund, kind: RefundKind): Promise<void> {
    if (recorded.kind !== kind) throw new DomainError('conflict', KEY_IS_TAKEN);
    const { clientId, orderNumber, refund: takesBack } = recorded;
    if (await manager.existsBy(OrderRefund, { clientId, orderNumber, takesBack }))
      throw new DomainError(
        'conflict',
        `This is refund ${takesBack}, which was taken back. Give a new one another key.`,
      );
  }

  /** Locks are always taken in this order: the orders, their stock, the wallets, and last the seller. */
  private async applyLocked(
    transaction: Transaction,
    orders: LockedOrder[],
    changeOf: (key: OrderKey) => OrderChange,
    actor: string,
  ): Promise<void> {
    if (orders.length === 0) return;
    const changes = orders.map((order) => ({ order, change: changeOf(order) }));
    if (changes[0]!.change.action === 'deliver') return this.deliver(transaction, changes, actor);
    const undone = changes.flatMap(({ order, change }) => (isUndo(change) ? [{ order, change }] : []));
    for (const { order, change } of undone) await this.undo(transaction, order, change, actor);
    if (undone.length > 0) return;
    await this.refuseOldSlip(transaction, changes);
    const byLine = orders.filter(({ paymentStatus }) => paymentStatus !== 'unpaid');
    const lines = byLine.length > 0 ? await this.orders.linesOf(transaction, byLine) : new Map();
    const takesBack = changes.flatMap(({ order, change }) => (isTakeBack(change) ? [order] : []));
    const refunds = takesBack.length > 0 ? await this.orders.refundsOf(transaction, takesBack) : new Map();
    const hasUnits = ['ship', 'prepare', 'cancel'].includes(changes[0]!.change.action) && byLine.length > 0;
    const prepared = hasUnits ? await this.orders.preparedOf(transaction, byLine) : new Map();
    const steps = changes.map(({ order, change }): AppliedStep => {
      const details = {
        prepared: prepared.get(orderKeyText(order)),
        lines: lines.get(orderKeyText(order)) ?? [],
        refunds: refunds.get(orderKeyText(order)),
      };
      const step = stepOf(order, details, change, this.settings.timeZone);
      return { ...order, ...step, previousStatus: order.status, change };
    });
    await this.moveStock(transaction, steps, lines, actor);
    const added = await this.moveMoney(transaction, steps, actor);
    if (changes[0]!.change.action === 'prepare') return this.prepare(transaction, steps, actor);
    await this.orders.updateStatuses(
      transaction,
      steps.map((step) => ({
        ...step,
        isNewStatus: step.status !== step.previousStatus,
        facts: statusFactsOf(step),
      })),
      actor,
    );
    const parcels = steps.flatMap(({ clientId, orderNumber, change, units = [] }) =>
      change.action === 'ship' ? [{ ...change, clientId, orderNumber, units }] : [],
    );
    const numbers =
      parcels.length > 0 ? await this.orders.addParcels(transaction, parcels, actor) : new Map();
    const leaving = parcels.filter((one) => prepared.has(orderKeyText(one)));
    if (leaving.length > 0) await this.sendPrepared(transaction, leaving, numbers);
    await requireUniqueTracking(
      transaction,
      changes.flatMap(({ order, change }) => (change.action === 'ship' ? [{ ...change, ...order }] : [])),
    );
    await this.deliverFinished(transaction, steps, actor);
    const auditEntries = steps.flatMap((step) => auditEntriesOf(step, actor));
    if (auditEntries.length > 0) await this.audit.recordWithin(transaction, ...auditEntries);
    await this.issueDocuments(transaction, steps, { parcels: numbers, refunds: added, prepared });
  }

  /** Invoices the next parcel of each order. Stock and status stay, so stores see only the document. */
  private async prepare(transaction: Transaction, steps: AppliedStep[], actor: string): Promise<void> {
    if (!(await this.invoicing.isOn(transaction)))
      throw new DomainError('conflict', 'There are no invoices here: the seller is not set.');
    const parcels = steps.map(({ clientId, orderNumber, units = [] }) => ({ clientId, orderNumber, units }));
    const numbers = await this.orders.prepare(transaction, parcels, actor);
    await this.audit.recordWithin(transaction, ...steps.flatMap((step) => auditEntriesOf(step, actor)));
    const events = parcels.map(({ units, ...key }) => ({
      ...key,
      parcel: { parcel: numbers.get(orderKeyText(key))!, units },
    }));
    await this.issue(transaction, events);
  }

  /** Their invoices are issued. Each needs its IRN, or a person's reason. */
  private async sendPrepared(
    transaction: Transaction,
    parcels: readonly (OrderKey & { withoutIrn?: string | undefined })[],
    numbers: ReadonlyMap<string, number>,
  ): Promise<void> {
    await this.invoicing.refuseWithoutIrn(
      transaction,
      parcels
        .filter(({ withoutIrn }) => withoutIrn === undefined)
        .map(({ clientId, orderNumber }) => {
          const key = { clientId, orderNumber };
          return { ...key, parcel: numbers.get(orderKeyText(key))! };
        }),
    );
    await this.orders.removePrepared(transaction, parcels);
  }

  /** A parcel must not leave with an old address or with other goods, unless a person confirmed it. */
  private async refuseOldSlip(transaction: Transaction, changes: readonly LockedChange[]): Promise<void> {
    const unconfirmed = changes.flatMap(({ order, change }) =>
      change.action === 'ship' && !change.oldSlip ? [order] : [],
    );
    if (unconfirmed.length === 0) return;
    const old = await this.orders.withOldSlip(transaction, unconfirmed);
    if (old !== undefined)
      throw new DomainError(
        'conflict',
        `The delivery or the units of ${old} were changed after its slip was printed. ` +
          'Print its slip again, or confirm the old slip.',
      );
  }

  /**
   * Cancelled goods were never invoiced, a further box has no goods, a prepared parcel has its invoice, and a
   * person may waive the invoice. If nothing is left to ship then, the rest of the delivery is billed.
   */
  private async issueDocuments(
    transaction: Transaction,
    steps: AppliedStep[],
    {
      parcels,
      refunds,
      prepared,
    }: Record<'parcels' | 'refunds', ReadonlyMap<string, number>> & {
      prepared: ReadonlyMap<string, unknown>;
    },
  ): Promise<void> {
    const billingEvents = steps.flatMap((step): BillingEvent[] => {
      const { clientId, orderNumber, change, units = [], refund, status } = step;
      const isInvoiced =
        change.action === 'ship' && (change.noInvoice !== undefined || prepared.has(orderKeyText(step)));
      if ((isInvoiced || change.action === 'cancel') && (status === 'shipped' || status === 'delivered'))
        return [{ clientId, orderNumber }];
      if (change.action === 'ship' && units.length > 0 && !isInvoiced) {
        const parcel = { parcel: parcels.get(orderKeyText(step))!, units };
        return [{ clientId, orderNumber, parcel, isLeaving: change.withoutIrn === undefined }];
      }
      if (change.action !== 'refund' || !refund?.amount) return [];
      return [{ clientId, orderNumber, refund: { refund: refunds.get(orderKeyText(step))! } }];
    });
    await this.issue(transaction, billingEvents);
  }

  private async issue(transaction: Transaction, billingEvents: readonly BillingEvent[]): Promise<void> {
    if (billingEvents.length > 0 && (await this.invoicing.isOn(transaction)))
      await this.invoicing.issue(transaction, await this.orders.toBill(transaction, billingEvents));
  }

  private async deliver(
    transaction: Transaction,
    changes: { order: LockedOrder; change: OrderChange }[],
    actor: string,
  ): Promise<void> {
    const parcels = new Map(changes.map(({ order, change }) => [orderKeyText(order), parcelOf(change)]));
    const deliveries = await this.orders.deliver(
      transaction,
      changes.map(({ order, change }) => ({
        ...order,
        parcel: parcels.get(orderKeyText(order)) ?? null,
        deliveredAt: change.action === 'deliver' ? (change.deliveredAt ?? null) : null,
      })),
    );
    const arrived = changes.flatMap(({ order }) => {
      const { delivered, open } = deliveries.find((one) => orderKeyText(one) === orderKeyText(order))!;
      const parcel = parcels.get(orderKeyText(order));
      const step = requireAllowed(order, deliverStep(order, { parcel, delivered, open }));
      return step.status === order.status ? [] : [{ ...order, ...step, isNewStatus: true, facts: {} }];
    });
    if (arrived.length > 0) await this.orders.updateStatuses(transaction, arrived, actor);
    const auditEntries = deliveries
      .filter(({ delivered }) => delivered > 0)
      .map((one): NewAuditEntry => {
        const { clientId, orderNumber } = one;
        const parcel = parcels.get(orderKeyText(one));
        const details: NewAuditEntry['details'] = parcel === undefined ? {} : { parcel };
        return { clientId, actor, action: 'order.delivered', subject: `order ${orderNumber}`, details };
      });
    if (auditEntries.length > 0) await this.audit.recordWithin(transaction, ...auditEntries);
  }

  /** The undone record stays in the corrections of the order. */
  private async undo(
    transaction: Transaction,
    order: LockedOrder,
    change: UndoParcelChange,
    actor: string,
  ): Promise<void> {
    const { clientId, orderNumber } = order;
    const lines = await this.orders.linesOf(transaction, [order]);
    const parcels = await this.orders.parcelsOf(transaction, order);
    const prepared = (await this.orders.preparedOf(transaction, [order])).get(orderKeyText(order));
    const step = requireAllowed(
      order,
      evaluateStep(order, { lines: lines.get(orderKeyText(order))!, parcels, prepared }, change),
    );
    const recorded = findParcel(withPrepared(parcels, prepared ?? null), change.parcel)!;
    const { parcel } = recorded;
    const moved: AppliedStep = { ...order, ...step, previousStatus: order.status, change };
    await this.moveStock(transaction, [moved], lines, actor);
    const next = { ...moved, isNewStatus: step.status !== order.status, facts: {} };
    await this.orders.updateStatuses(transaction, [next], actor);
    if (change.action === 'withdraw')
      await (recorded.isPrepared
        ? this.orders.removePrepared(transaction, [order])
        : this.orders.withdraw(transaction, order, parcels));
    if (change.action === 'undeliver')
      await transaction.manager.update(Parcel, { clientId, orderNumber, parcel }, { deliveredAt: null });
    await this.recordUndo(transaction, order, recorded, change, actor);
    const takenBack = { parcel, reason: change.reason };
    const reissued = change.action === 'reissue' && { parcel: { parcel, units: [...recorded.lines] } };
    if (change.action !== 'undeliver')
      await this.issue(transaction, [{ clientId, orderNumber, takenBack, ...reissued }]);
  }

  private async recordUndo(
    transaction: Transaction,
    { clientId, orderNumber }: OrderKey,
    recorded: ParcelFacts,
    { action, reason }: UndoParcelChange,
    actor: string,
  ): Promise<void> {
    const field = `parcel_${recorded.parcel}`;
    const [name, was] = {
      withdraw: [field, formatParcel(recorded)],
      undeliver: [`${field}_delivered_at`, recorded.deliveredAt?.toISOString()],
      reissue: [],
    }[action];
    if (name !== undefined)
      await transaction.manager.insert(OrderCorrection, {
        clientId,
        orderNumber,
        actor,
        reason,
        before: { [name]: was! },
        after: { [name]: null },
      });
    const subject = `order ${orderNumber}`;
    const details = { parcel: recorded.parcel, ...(was && { was }), reason };
    await this.audit.recordWithin(transaction, {
      clientId,
      actor,
      action: UNDO_AUDIT_ACTIONS[action],
      subject,
      details,
    });
  }

  /** The rest of an order was cancelled after its parcels had arrived: it is delivered now. */
  private async deliverFinished(
    transaction: Transaction,
    steps: AppliedStep[],
    actor: string,
  ): Promise<void> {
    const done = steps.filter(({ status, change }) => status === 'shipped' && change.action === 'cancel');
    for (const order of done) {
      const next = deliverIfArrived(order, await this.orders.parcelsOf(transaction, order));
      if (next.status !== order.status)
        await this.orders.updateStatuses(transaction, [{ ...next, isNewStatus: true, facts: {} }], actor);
    }
  }

  private async moveStock(
    transaction: Transaction,
    steps: AppliedStep[],
    lines: ReadonlyMap<string, LockedLine[]>,
    actor: string,
  ): Promise<void> {
    const moving = steps.filter(({ stock }) => stock !== 'none');
    if (moving.length === 0) return;
    const effect = moving[0]!.stock;
    if (effect === 'none') return;
    const whole = moving.filter(({ units }) => units === undefined);
    const demands = whole.length > 0 ? await this.orders.heldStock(transaction, whole) : [];
    for (const { units = [], ...order } of moving)
      for (const { line, quantity } of units) {
        const { productId, variationKey } = lines.get(orderKeyText(order))!.find((one) => one.line === line)!;
        demands.push({ productId, variationKey, quantity });
      }
    const quantities = new Map<string, number>();
    for (const item of demands)
      quantities.set(stockId(item), (quantities.get(stockId(item)) ?? 0) + item.quantity);
    const writtenOff = moving.flatMap((step) =>
      writeOffsOf(step, lines.get(orderKeyText(step)) ?? [], actor),
    );
    const changes: StockChange[] = [];
    const items = new Map(demands.map((item) => [stockId(item), item]));
    for (const item of await this.stock.lock(transaction, [...items.values()])) {
      const quantity = quantities.get(stockId(item)) ?? 0;
      if (effect === 'take' && quantity > item.onHand)
        throw notEnoughOnHand(moving.length, item.variationKey, quantity, item.onHand);
      const [held, onHand] = STOCK_EFFECTS[effect];
      const own = writtenOff.filter((one) => stockId(one) === stockId(item));
      const lost = own.reduce((sum, { delta }) => sum + delta, 0);
      if (item.onHand + lost < 0) throw notEnoughToWriteOff(item.variationKey, -lost, item.onHand);
      changes.push({ id: item.id, held: held * quantity, onHand: onHand * quantity + lost });
    }
    await this.stock.change(transaction, changes);
    if (writtenOff.length > 0) await transaction.manager.insert(StockMovement, writtenOff);
  }

  /** Clients in the order of their numbers, as the orders are locked. Returns the numbers of the refunds. */
  private async moveMoney(
    transaction: Transaction,
    steps: AppliedStep[],
    actor: string,
  ): Promise<ReadonlyMap<string, number>> {
    const refunds = steps.flatMap(({ clientId, orderNumber, refund }) =>
      refund ? [{ ...refund, clientId, orderNumber }] : [],
    );
    const numbers =
      refunds.length > 0 ? await this.orders.addRefunds(transaction, refunds, actor) : new Map();
    for (const clientId of new Set(steps.map((step) => step.clientId))) {
      const own = steps.filter((step) => step.clientId === clientId);
      const postings = own.flatMap((step) => postingsOf(step, numbers.get(orderKeyText(step))));
      if (postings.length > 0) await this.wallets.post(transaction, clientId, actor, postings);
    }
    return numbers;
  }
}

/** The changes of held and on hand for each unit. */
const STOCK_EFFECTS = { release: [-1, 0], take: [-1, -1], putBack: [1, 1] } as const;

const UNDO_AUDIT_ACTIONS = {
  withdraw: 'order.parcel_withdrawn',
  undeliver: 'order.delivery_taken_back',
  reissue: 'order.invoice_issued_again',
} as const;

const isTakeBack = (change: OrderChange) =>
  change.action === 'refund' && change.request.kind === 'taken_back';

const isUndo = (change: OrderChange): change is UndoParcelChange => change.action in UNDO_AUDIT_ACTIONS;

/** Throws if the change must not be made. The orders are locked. */
export type ChangeCheck = (transaction: Transaction) => Promise<void>;

/** A change of one of several orders. */
export interface KeyedChange {
  key: OrderKey;
  change: OrderChange;
}

interface LockedChange {
  order: LockedOrder;
  change: OrderChange;
}

function parcelOf(change: OrderChange): number | undefined {
  return change.action === 'deliver' ? change.parcel : undefined;
}

/** A person has counted the broken units out already, or counted wrongly. */
function notEnoughToWriteOff(variationKey: string, quantity: number, onHand: number): DomainError {
  const what = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  return new DomainError(
    'conflict',
    `${what} cannot be written off: only ${onHand} are on hand. Were they counted out already?`,
  );
}

/** The count is lower than the quantity that ships. One of the two is wrong, and only people know which. */
function notEnoughOnHand(
  orders: number,
  variationKey: string,
  quantity: number,
  onHand: number,
): DomainError {
  const shipped = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  const ships = orders === 1 ? 'The order ships' : 'The orders together ship';
  return new DomainError(
    'conflict',
    `${ships} ${shipped}, but only ${onHand} are on hand. Correct the count first, then ship.`,
  );
}
