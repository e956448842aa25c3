import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import type { Posting } from '../../wallet/rules/posting.js';
import { WalletLedger } from '../../wallet/wallet-ledger.js';
import type { Order, OrderKey } from '../entities/order.entity.js';
import { LifecycleRepository, type LockedOrder } from '../lifecycle/lifecycle.repository.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.service.js';
import { totalChanged } from '../order-errors.js';
import { asFarAsItLasts } from '../rules/as-far-as-it-lasts.js';
import { refuseUnderway } from './payments-underway.js';

/** How an order is paid that is paid from the wallet. */
const FROM_WALLET = { action: 'pay', from: 'wallet', paymentMethod: 'wallet' } as const;

type PaymentFacts = Partial<Pick<Order, 'paymentMethod' | 'paymentReference'>>;

interface Arrival {
  clientId: number;
  credits: Posting[];
  actor: string;
}

/** Orders paid out of what their clients have in their wallets. */
@Injectable()
export class OrderPayments {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly lifecycle: OrderLifecycle,
    private readonly ledger: WalletLedger,
  ) {}

  /** All of them or none. If it is told what was shown to whoever pays, that is what is paid, or nothing is. */
  payFromWallet(orders: OrderKey[], actor: string, shown?: Minor): Promise<void> {
    return this.database.transaction((transaction) =>
      this.payFromWalletWithin(transaction, orders, actor, shown),
    );
  }

  async payFromWalletWithin(
    transaction: Transaction,
    orders: OrderKey[],
    actor: string,
    shown?: Minor,
  ): Promise<void> {
    const locked = await this.lockUnlessUnderway(transaction, orders);
    const total = totalOf(locked);
    if (shown !== undefined && total !== shown) throw totalChanged(shown, total);
    await this.lifecycle.actOn(transaction, locked, FROM_WALLET, actor);
  }

  /** With money that came another way, and that somebody has seen. */
  payFromElsewhere(order: OrderKey, payment: PaymentFacts, actor: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const locked = await this.lockUnlessUnderway(transaction, [order]);
      const change = { action: 'pay', from: 'elsewhere', ...payment } as const;
      await this.lifecycle.actOn(transaction, locked, change, actor);
    });
  }

  /**
   * Money has come in: it is the wallet's first, and then pays those of the orders that still await payment, as far as it lasts. So one
   * that comes late, twice, or for what has expired meanwhile, is no special case.
   */
  async payWhatWaits(
    transaction: Transaction,
    orders: OrderKey[],
    { clientId, credits, actor }: Arrival,
  ): Promise<OrderKey[]> {
    const locked = orders.length === 0 ? [] : await this.orders.lock(transaction, orders);
    const balance = await this.ledger.post(transaction, clientId, actor, credits);
    const waiting = locked.filter(({ status }) => status === 'awaiting_payment');
    const paid = asFarAsItLasts(waiting, ({ total }) => minorFromNumeric(total), balance);
    if (paid.length > 0) await this.lifecycle.actOn(transaction, paid, FROM_WALLET, actor);
    return paid;
  }

  /** Both are sent at once; the database looks for payments when it has the locks. */
  private async lockUnlessUnderway(transaction: Transaction, orders: OrderKey[]): Promise<LockedOrder[]> {
    const [locked] = await Promise.all([
      this.orders.lockAll(transaction, orders),
      refuseUnderway(transaction, orders),
    ]);
    return locked;
  }
}

function totalOf(orders: LockedOrder[]): Minor {
  return orders.reduce((sum, { total }) => sum + minorFromNumeric(total), 0);
}
