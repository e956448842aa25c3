import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LifecycleRepository, type LockedOrder } from '../orders/lifecycle/lifecycle.repository.js';
import { illegalTransition } from '../orders/order-errors.js';
import { OrderPayments } from '../orders/paying/order-payments.js';
import { paymentUnderway, refuseUnderway } from '../orders/paying/payments-underway.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { WalletLedger } from '../wallet/wallet-ledger.js';
import { PaymentOrder } from './entities/payment-order.entity.js';
import { Payment, type PaymentKey } from './entities/payment.entity.js';
import { type GatewayForm, PaymentGateway } from './gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from './payments.repository.js';
import { checkShown, LEAST_CHARGE, type PaymentPlan, planPayment } from './rules/plan-payment.js';
import { readAmount } from './rules/read-amount.js';
import { Settlement } from './settling/settlement.js';

/** An opening that nobody finished was broken off: the gateway's own time limits are well below. */
const OPENING_SECONDS = 120;

const FIRST_CHECK_SECONDS = 15;

/** What a client does to pay. */
@Injectable()
export class ClientPayments {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly address: OwnAddress,
    private readonly payments: PaymentsRepository,
    private readonly orders: LifecycleRepository,
    private readonly orderPayments: OrderPayments,
    private readonly ledger: WalletLedger,
    private readonly settlement: Settlement,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What these orders come to, and how much of it the wallet does not hold. */
  plan(clientId: number, orderNumbers: string[]): Promise<PaymentPlan> {
    return this.database.transaction(async (transaction) => {
      const orders = await this.lockPayable(transaction, clientId, orderNumbers);
      return this.planWithin(transaction, clientId, orders);
    });
  }

  /**
   * All of the orders or none: out of the wallet if it holds enough; then there is no payment left to make. Else through the
   * gateway, for what the wallet lacks. What was shown is what is paid, or nothing is.
   */
  async pay(
    clientId: number,
    orderNumbers: string[],
    actor: string,
    shown?: PaymentPlan,
  ): Promise<Payment | undefined> {
    const key = { clientId, paymentId: randomUUID() };
    const opening = await this.database.transaction(async (transaction) => {
      const orders = await this.lockPayable(transaction, clientId, orderNumbers);
      const plan = await this.planWithin(transaction, clientId, orders);
      checkShown(shown, plan);
      if (plan.charge > 0) return this.insert(transaction, key, plan.charge, actor, orders);
      await this.orderPayments.payFromWalletWithin(transaction, orders, actor);
      return undefined;
    });
    return opening && this.open(opening);
  }

  /** Money for the wallet alone. */
  async topUp(clientId: number, amountText: string, actor: string): Promise<Payment> {
    const amount = readAmount(amountText);
    if (amount < LEAST_CHARGE)
      throw new DomainError(
        'invalid_value',
        `The amount must be at least ${numericFromMinor(LEAST_CHARGE)}.`,
      );
    const key = { clientId, paymentId: randomUUID() };
    const opening = await this.database.transaction((transaction) =>
      this.insert(transaction, key, amount, actor, []),
    );
    return this.open(opening);
  }

  /** What a browser posts to the gateway's page; again for whoever has lost it, for it is the same payment. */
  async form(key: PaymentKey): Promise<GatewayForm> {
    const payment = await this.payments.find(key);
    if (payment.status !== 'open') throw notOpen(payment);
    const address = `${this.address.publicUrl}/payments/${payment.paymentId}`;
    return this.gateway.form({
      gatewayOrderId: payment.gatewayOrderId!,
      amount: minorFromNumeric(payment.amount),
      currency: payment.currency,
      description: `Wholesale orders, payment ${payment.paymentId.slice(0, 8)}`,
      returnUrl: `${address}/return`,
      cancelUrl: `${address}/return`,
    });
  }

  /**
   * Whoever wants to pay in another way says so first, or two ways would be open at once. The gateway is asked before: if the money is there,
   * or on its way, it is too late. Should it come later all the same, it is taken.
   */
  async giveUp(key: PaymentKey): Promise<Payment> {
    const { payment, isUnderway } = await this.settlement.settle(key);
    if (isUnderway) throw paymentUnderway(payment.paymentId);
    if (payment.status !== 'open') return payment;
    await this.payments.change({ ...key, status: 'open' }, { status: 'given_up' });
    return this.payments.find(key);
  }

  /** From here on nobody else can begin to pay them. */
  private async lockPayable(
    transaction: Transaction,
    clientId: number,
    orderNumbers: string[],
  ): Promise<LockedOrder[]> {
    const keys = [...new Set(orderNumbers)].map((orderNumber) => ({ clientId, orderNumber }));
    if (keys.length === 0) throw new DomainError('invalid_value', 'Choose at least one order.');
    const orders = await this.orders.lockAll(transaction, keys);
    await refuseUnderway(transaction, orders);
    const done = orders.find(({ status }) => status !== 'awaiting_payment');
    if (done) throw illegalTransition(done.orderNumber, `An order that is ${done.status} cannot be paid.`);
    return orders;
  }

  private async planWithin(
    transaction: Transaction,
    clientId: number,
    orders: LockedOrder[],
  ): Promise<PaymentPlan> {
    const total = orders.reduce((sum, order) => sum + minorFromNumeric(order.total), 0);
    return planPayment(total, await this.ledger.balance(transaction, clientId));
  }

  /** It is written down before the gateway hears of it: whatever happens to us then, nothing is paid that we do not know. */
  private async insert(
    { manager }: Transaction,
    key: PaymentKey,
    amount: Minor,
    actor: string,
    orders: LockedOrder[],
  ): Promise<Payment> {
    await manager.insert(Payment, {
      ...key,
      provider: this.gateway.name,
      amount: numericFromMinor(amount),
      currency: this.settings.currency,
      actor,
      nextCheckAt: inSeconds(OPENING_SECONDS),
    });
    const meantFor = orders.map(({ orderNumber, total }) => ({ ...key, orderNumber, amount: total }));
    if (meantFor.length > 0) await manager.insert(PaymentOrder, meantFor);
    return manager.findOneByOrFail(Payment, key);
  }

  private async open(payment: Payment): Promise<Payment> {
    const { clientId, paymentId, currency } = payment;
    const key = { clientId, paymentId };
    const amount = minorFromNumeric(payment.amount);
    let gatewayOrderId: string;
    try {
      gatewayOrderId = await this.gateway.open({ paymentId, amount, currency });
    } catch (error) {
      // Nobody was sent there, so nobody can pay it.
      await this.payments.change({ ...key, status: 'opening' }, { status: 'failed', nextCheckAt: null });
      throw error;
    }
    const nextCheckAt = inSeconds(FIRST_CHECK_SECONDS);
    await this.payments.change(
      { ...key, status: 'opening' },
      { gatewayOrderId, status: 'open', nextCheckAt },
    );
    return this.payments.find(key);
  }
}

function notOpen({ status }: Payment): DomainError {
  return new DomainError('conflict', `A payment that is ${status.replace('_', ' ')} cannot be paid.`);
}
