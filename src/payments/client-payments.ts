import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../audit/actor-of.js';
import { AuditLog } from '../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../auth/people/signed-in-person.js';
import { LifecycleRepository, type LockedOrder } from '../orders/lifecycle/lifecycle.repository.js';
import { illegalTransition, orderNotFound } from '../orders/order-errors.js';
import { OrderPayments } from '../orders/paying/order-payments.js';
import { paymentUnderway, refuseUnderway } from '../orders/paying/payments-underway.js';
import { isPayable } from '../orders/rules/order-group.js';
import type { ListedOrder } from '../orders/view/client-order.mapper.js';
import { ClientOrders } from '../orders/view/client-orders.service.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { type Minor, minorFromNumeric, numericFromMinor, ungrouped } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { readFields } from '../platform/validation/readers.js';
import { WalletLedger } from '../wallet/wallet-ledger.js';
import { PaymentOrder } from '../orders/entities/payment-order.entity.js';
import { Payment, type PaymentKey } from '../orders/entities/payment.entity.js';
import { type GatewayForm, PaymentGateway } from './gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from './payments.repository.js';
import { checkShown, LEAST_CHARGE, type PaymentPlan, planPayment, type Shown } from './rules/plan-payment.js';
import { readAmount } from './rules/read-amount.js';
import { otherGateway, type Settled, Settlement } from './settling/settlement.js';

/** An opening that nobody finished was broken off: the gateway's own time limits are well below. */
const OPENING_SECONDS = 120;

const FIRST_CHECK_SECONDS = 15;

/** More than anybody looks through before paying, and as many as a page shows. */
const MOST_AT_ONCE = 50;

/** What somebody sees before paying. */
export interface PaymentReview extends PaymentPlan {
  orders: ListedOrder[];
  /** Chosen, but not to be paid (any more): paid or cancelled meanwhile, or being paid. */
  leftOut: ListedOrder[];
}

/** What a client's people do to pay: buyers and owners. */
@Injectable()
export class ClientPayments {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly address: OwnAddress,
    private readonly payments: PaymentsRepository,
    private readonly orders: LifecycleRepository,
    private readonly listed: ClientOrders,
    private readonly orderPayments: OrderPayments,
    private readonly ledger: WalletLedger,
    private readonly settlement: Settlement,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What these orders come to, and how much of it the wallet does not hold. Nothing is locked: it is judged anew when it is paid. */
  async review(person: ClientPerson, orderNumbers: string[]): Promise<PaymentReview> {
    requireRole(person, 'buyer');
    const { clientId } = person;
    const numbers = chosen(orderNumbers);
    const [found, balance] = await Promise.all([
      this.listed.chosen(clientId, numbers),
      this.database.transaction((transaction) => this.ledger.balance(transaction, clientId)),
    ]);
    if (found.length < numbers.length) throw orderNotFound();
    const orders = found.filter(isPayable);
    const total = orders.reduce((sum, order) => sum + order.total, 0);
    return { orders, leftOut: found.filter((order) => !isPayable(order)), ...planPayment(total, balance) };
  }

  /**
   * All of the orders or none: out of the wallet if it holds enough; then there is no payment left to make. Else through the
   * gateway, for what the wallet lacks. What was shown is what is paid, or nothing is.
   */
  async pay(person: ClientPerson, orderNumbers: string[], shown: Shown): Promise<Payment | undefined> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, paymentId: randomUUID() };
    const opening = await this.database.transaction(async (transaction) => {
      const orders = await this.lockPayable(transaction, key.clientId, chosen(orderNumbers));
      const plan = planPayment(totalOf(orders), await this.ledger.balance(transaction, key.clientId));
      checkShown(shown, plan);
      if (plan.charge > 0) return this.begin(transaction, key, plan.charge, person, orders);
      await this.orderPayments.payFromWalletWithin(transaction, orders, actorOf(person));
      await this.audit.recordWithin(transaction, { person, action: 'order.paid', ...aboutOrders(orders) });
      return undefined;
    });
    return opening && this.open(opening);
  }

  /** Money for the wallet alone. The same once more is the same payment, gone on with: a form may be sent twice. */
  async topUp(person: ClientPerson, amountText: string): Promise<Payment> {
    requireRole(person, 'buyer');
    const { amount } = readFields({ amount: () => readTopUp(amountText) });
    const key = { clientId: person.clientId, paymentId: randomUUID() };
    const payment = await this.database.transaction(async (transaction) => {
      // Those that come at the same moment find the payment of the first.
      await this.ledger.lock(transaction, key.clientId);
      const begun = await this.payments.findTopUp(transaction, {
        clientId: key.clientId,
        provider: this.gateway.name,
        amount,
      });
      return begun ?? this.begin(transaction, key, amount, person, []);
    });
    return payment.paymentId === key.paymentId ? this.open(payment) : payment;
  }

  /** What a browser posts to the gateway's page; again for whoever has lost it, for it is the same payment. */
  async form(person: ClientPerson, paymentId: string): Promise<GatewayForm> {
    requireRole(person, 'buyer');
    const payment = await this.payments.find({ clientId: person.clientId, paymentId });
    if (payment.status !== 'open') throw notOpen(payment);
    if (payment.provider !== this.gateway.name) throw otherGateway(payment);
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
   * or on its way, it is too late. Should it come later all the same, it is taken. One that is not set up any more cannot be asked.
   */
  async giveUp(person: ClientPerson, paymentId: string): Promise<Payment> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, paymentId };
    const { payment, isUnderway } = await this.settleHere(key);
    if (isUnderway) throw paymentUnderway(paymentId);
    if (payment.status !== 'open') return payment;
    if (await this.payments.change({ ...key, status: 'open' }, { status: 'given_up' }))
      await this.audit.record({ person, action: 'payment.given_up', subject: `payment ${paymentId}` });
    return this.payments.find(key);
  }

  private async settleHere(key: PaymentKey): Promise<Settled> {
    const payment = await this.payments.find(key);
    if (payment.provider !== this.gateway.name) return { payment, isUnderway: false };
    return this.settlement.settle(key);
  }

  /** From here on nobody else can begin to pay them. */
  private async lockPayable(
    transaction: Transaction,
    clientId: number,
    orderNumbers: string[],
  ): Promise<LockedOrder[]> {
    const keys = orderNumbers.map((orderNumber) => ({ clientId, orderNumber }));
    const orders = await this.orders.lockAll(transaction, keys);
    await refuseUnderway(transaction, orders);
    const done = orders.find(({ status }) => status !== 'awaiting_payment');
    if (done) throw illegalTransition(done.orderNumber, `An order that is ${done.status} cannot be paid.`);
    return orders;
  }

  /** It is written down before the gateway hears of it: whatever happens to us then, nothing is paid that we do not know. */
  private async begin(
    transaction: Transaction,
    key: PaymentKey,
    amount: Minor,
    person: ClientPerson,
    orders: LockedOrder[],
  ): Promise<Payment> {
    const { manager } = transaction;
    await this.ledger.lock(transaction, key.clientId);
    await this.payments.refuseTooMany(transaction, key.clientId);
    await manager.insert(Payment, {
      ...key,
      provider: this.gateway.name,
      amount: numericFromMinor(amount),
      currency: this.settings.currency,
      actor: actorOf(person),
      nextCheckAt: inSeconds(OPENING_SECONDS),
    });
    const meantFor = orders.map(({ orderNumber, total }) => ({ ...key, orderNumber, amount: total }));
    if (meantFor.length > 0) await manager.insert(PaymentOrder, meantFor);
    await this.audit.recordWithin(transaction, {
      person,
      action: 'payment.begun',
      subject: `payment ${key.paymentId}`,
      details: { charge: numericFromMinor(amount), ...(orders.length > 0 && aboutOrders(orders).details) },
    });
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

function readTopUp(text: string): Minor {
  const amount = readAmount(ungrouped(text));
  if (amount >= LEAST_CHARGE) return amount;
  throw new DomainError('invalid_value', `The amount must be at least ${numericFromMinor(LEAST_CHARGE)}.`);
}

function notOpen({ status }: Payment): DomainError {
  return new DomainError('conflict', `A payment that is ${status.replace('_', ' ')} cannot be paid.`);
}

/** Each once, and no more than can be looked through. */
function chosen(orderNumbers: string[]): string[] {
  const numbers = [...new Set(orderNumbers)];
  if (numbers.length === 0) throw new DomainError('invalid_value', 'Choose at least one order.');
  if (numbers.length > MOST_AT_ONCE)
    throw new DomainError('invalid_value', `Choose at most ${MOST_AT_ONCE} orders at a time.`);
  return numbers;
}

function totalOf(orders: LockedOrder[]): Minor {
  return orders.reduce((sum, { total }) => sum + minorFromNumeric(total), 0);
}

/** As the audit log tells it. */
function aboutOrders(orders: LockedOrder[]) {
  const numbers = orders.map(({ orderNumber }) => orderNumber);
  return {
    subject: numbers.length === 1 ? `order ${numbers[0]}` : `${numbers.length} orders`,
    details: { orders: numbers.join(' '), total: numericFromMinor(totalOf(orders)) },
  };
}
