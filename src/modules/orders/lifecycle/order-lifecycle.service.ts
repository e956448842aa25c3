import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import type { Author } from '../../audit/actor-of.js';
import { InvoicingService } from '../../invoices/invoicing.service.js';
import { StockHoldings } from '../../stock/stock-holdings.repository.js';
import type { Posting } from '../../wallet/rules/posting.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { cancelUnits } from '../actions/cancel.js';
import { expire } from '../actions/expire.js';
import type { OrderChange, OrderChanges } from '../actions/order-action.js';
import { OrderWriterService } from '../actions/order-writer.service.js';
import { payFromWallet } from '../actions/pay.js';
import { OrderRefund } from '../entities/after-sale.entity.js';
import type { OrderKey } from '../entities/order.entity.js';
import { Payment, type PaymentKey } from '../entities/payment.entity.js';
import { illegalTransition, notCancellable, orderNotFound } from '../order-errors.js';
import type { RefundKind } from '../rules/order-steps.js';
import { affordable } from '../rules/order-totals.js';
import { findParcel } from '../rules/undo-steps.js';
import { LifecycleRepository, KEY_IS_TAKEN, orderKeyText, type LockedOrder } from './lifecycle.repository.js';
import { refuseUnderway } from './payments-underway.repository.js';

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
    private readonly writer: OrderWriterService,
    private readonly invoicing: InvoicingService,
  ) {}

  /** Makes all changes of all of the orders, or none. The check is of the orders before the first one. */
  applyChange(
    orders: OrderKey | OrderKey[],
    changes: OrderChanges,
    by: Author,
    check?: ChangeCheck,
  ): Promise<void> {
    return this.database.transaction((transaction) =>
      this.applyInTurn(transaction, orders, changes, by, check),
    );
  }

  /** Refuses what `applyChange` would refuse, and changes nothing. */
  dryRun(order: OrderKey, changes: OrderChanges, actor: string, check?: ChangeCheck): Promise<void> {
    return this.database.dryRun((transaction) => this.applyInTurn(transaction, order, changes, actor, check));
  }

  private async applyInTurn(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    changes: OrderChanges,
    by: Author,
    check?: ChangeCheck,
  ): Promise<void> {
    for (const [at, change] of [changes].flat().entries())
      await this.applyChangeWithin(transaction, orders, change, by, at === 0 ? check : undefined);
  }

  /** Locks the orders until the transaction ends. Skips the check of a repeated change: it does nothing. */
  async applyChangeWithin(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    change: OrderChange,
    by: Author,
    check?: ChangeCheck,
  ): Promise<void> {
    const keys = [orders].flat();
    // Both statements are sent at once; the database runs the second when the locks are held.
    const [locked] = await Promise.all([
      this.orders.lockAll(transaction, keys),
      change.isPayment ? refuseUnderway(transaction, keys) : undefined,
    ]);
    const remaining = await this.withoutRepeats(transaction, locked, change);
    if (remaining.length > 0) await check?.(transaction);
    await this.write(transaction, remaining, change, by);
  }

  /** Makes all changes, or none. Changes of one order are applied in sequence. */
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
      await this.writer.write(
        transaction,
        locked.map((order) => ({ order, change: first.get(orderKeyText(order))!.change })),
        actor,
      );
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
    await this.write(transaction, [order], cancelUnits(cancelReason), actor);
    return true;
  }

  /** Cancels orders whose payment window is over. Skips orders that another node has locked. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      await this.write(transaction, due, expire, 'system');
      return due.length;
    });
  }

  /** Pays all of the orders from the wallets of their clients, or none. */
  payFromWallet(orders: OrderKey[], actor: string, consent?: string): Promise<void> {
    return this.applyChange(orders, payFromWallet(consent), actor);
  }

  payFromWalletWithin(transaction: Transaction, orders: OrderKey[], actor: string): Promise<void> {
    return this.applyChangeWithin(transaction, orders, payFromWallet(), actor);
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
    await this.write(transaction, paid, payFromWallet(), actor);
  }

  /** The invoices of a parcel, by default of the newest, whose goods have another rate at its time. */
  invoicesWithOtherRates(key: OrderKey, number?: number): Promise<string[]> {
    return this.database.transaction(async (transaction) => {
      const parcels = (await this.orders.parcelsOf(transaction, [key])).get(orderKeyText(key)) ?? [];
      const { parcel } = findParcel(parcels, number)!;
      const [order] = await this.orders.toBill(transaction, [{ ...key, parcel: { parcel, units: [] } }]);
      return this.invoicing.listWithOtherRates(transaction, order!);
    });
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
    if (!change.once) return orders;
    const { key, kind } = change.once;
    const recorded = await transaction.manager.find(OrderRefund, {
      where: orders.map(({ clientId, orderNumber }) => ({ clientId, orderNumber, key })),
    });
    for (const refund of recorded) await this.refuseKey(transaction, refund, kind);
    const repeated = new Set(recorded.map(orderKeyText));
    return orders.filter((order) => !repeated.has(orderKeyText(order)));
  }

  private write(
    transaction: Transaction,
    orders: readonly LockedOrder[],
    change: OrderChange,
    by: Author,
  ): Promise<void> {
    return this.writer.write(
      transaction,
      orders.map((order) => ({ order, change })),
      by,
    );
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
}

/** Throws if the change must not be made. The orders are locked. */
export type ChangeCheck = (transaction: Transaction) => Promise<void>;

/** A change of one of several orders. */
export interface KeyedChange {
  key: OrderKey;
  change: OrderChange;
}
