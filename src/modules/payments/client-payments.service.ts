import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../audit/actor-of.js';
import { AuditLog } from '../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../platform/access/signed-in-person.js';
import { Payment, type PaymentKey, PaymentOrder } from '../orders/entities/payment.entity.js';
import type { LockedOrder } from '../orders/lifecycle/lifecycle.repository.js';
import { orderNotFound } from '../orders/order-errors.js';
import { OrderLifecycleService } from '../orders/lifecycle/order-lifecycle.service.js';
import { isPayable } from '../orders/rules/order-transitions.js';
import type { ClientOrderRow } from '../orders/records/order-record.js';
import { ClientOrdersService } from '../orders/records/client-orders.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { readFields } from '../../platform/validation/readers.js';
import { WalletService } from '../wallet/wallet.service.js';
import { type GatewayForm, PaymentGateway } from './gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from './payments.repository.js';
import {
  requireReviewedAmounts,
  MIN_CHARGE,
  type PaymentPlan,
  planPayment,
  type ReviewedAmounts,
} from './rules/plan-payment.js';
import { readAmount } from '../../platform/money/read-amount.js';
import { otherGatewayError, type SettlementResult, SettlementService } from './settlement.service.js';

/** An opening that takes longer has failed: the time limits for the gateway are far shorter. */
const OPENING_SECONDS = 120;

const FIRST_CHECK_SECONDS = 15;

export const MAX_ORDERS_PER_PAYMENT = 500;

/** The amounts and orders that a client sees before it pays. */
export interface PaymentReview extends PaymentPlan {
  orders: ClientOrderRow[];
  /** Chosen orders that cannot be paid now: they are paid, cancelled or being paid. */
  leftOut: ClientOrderRow[];
  /** The part of the wallet that open payments will spend. */
  reserved: Minor;
}

/** Actions by which buyers and owners of a client pay. */
@Injectable()
export class ClientPaymentsService {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly address: OwnAddress,
    private readonly payments: PaymentsRepository,
    private readonly orders: OrderLifecycleService,
    private readonly clientOrders: ClientOrdersService,
    private readonly wallets: WalletService,
    private readonly settlement: SettlementService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The total of these orders, and the amount that is missing in the wallet. Locks nothing, because `pay`
   * checks everything again.
   */
  async review(person: ClientPerson, orderNumbers: string[]): Promise<PaymentReview> {
    requireRole(person, 'buyer');
    const { clientId } = person;
    const numbers = distinctNumbers(orderNumbers);
    const [selected, { available, reserved }] = await Promise.all([
      this.clientOrders.findSelected(clientId, numbers),
      this.wallets.funds(clientId),
    ]);
    if (selected.length < numbers.length) throw orderNotFound();
    const orders = selected.filter(isPayable);
    const total = orders.reduce((sum, order) => sum + minorFromNumeric(order.total), 0);
    return {
      orders,
      leftOut: selected.filter((order) => !isPayable(order)),
      reserved,
      ...planPayment(total, available),
    };
  }

  /**
   * Pays all of the orders or none. If the wallet holds enough, no gateway payment is needed and none is
   * returned. Otherwise the gateway charges the missing amount. If the amounts differ from the review,
   * nothing is paid.
   */
  async pay(
    person: ClientPerson,
    orderNumbers: string[],
    reviewed: ReviewedAmounts,
  ): Promise<Payment | undefined> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, paymentId: randomUUID() };
    const opening = await this.database.transaction(async (transaction) => {
      const orders = await this.orders.lockPayable(
        transaction,
        distinctNumbers(orderNumbers).map((orderNumber) => ({ clientId: key.clientId, orderNumber })),
      );
      // Two payments in the same moment must not reserve the same money.
      await this.wallets.lock(transaction, key.clientId);
      const { available } = await this.wallets.funds(key.clientId, transaction);
      const plan = planPayment(totalOf(orders), available);
      requireReviewedAmounts(reviewed, plan);
      if (plan.charge > 0) return this.createPayment(transaction, key, plan, person, orders);
      await this.orders.payFromWalletWithin(transaction, orders, actorOf(person));
      await this.audit.recordWithin(transaction, { person, action: 'order.paid', ...auditFieldsOf(orders) });
      return undefined;
    });
    return opening && this.open(opening);
  }

  /**
   * Adds money to the wallet. A form may be sent twice, so the same amount again continues the same payment.
   */
  async topUp(person: ClientPerson, amountText: string): Promise<Payment> {
    requireRole(person, 'buyer');
    const { amount } = readFields({ amount: () => readTopUpAmount(amountText) });
    const key = { clientId: person.clientId, paymentId: randomUUID() };
    const payment = await this.database.transaction(async (transaction) => {
      // Requests at the same moment find the payment of the first one.
      await this.wallets.lock(transaction, key.clientId);
      const existing = await this.payments.findTopUp(transaction, {
        clientId: key.clientId,
        provider: this.gateway.name,
        amount,
      });
      const topUp = { total: amount, charge: amount };
      return existing ?? this.createPayment(transaction, key, topUp, person, []);
    });
    return payment.paymentId === key.paymentId ? this.open(payment) : payment;
  }

  /** The form that the browser posts to the gateway's page. It can be made again for the same payment. */
  async form(person: ClientPerson, paymentId: string): Promise<GatewayForm> {
    requireRole(person, 'buyer');
    const payment = await this.payments.find({ clientId: person.clientId, paymentId });
    if (payment.status !== 'open')
      throw new DomainError('conflict', 'This payment is not open, so it takes no money.');
    if (payment.provider !== this.gateway.name) throw otherGatewayError(payment);
    const address = `${this.address.publicUrl}/payments/${payment.paymentId}`;
    return this.gateway.form({
      gatewayOrderId: payment.gatewayOrderId!,
      amount: minorFromNumeric(payment.amount),
      currency: payment.currency,
      description: `Wholesale orders, payment ${payment.paymentId.slice(0, 8)}`,
      returnUrl: `${address}/return`,
      cancelUrl: `${address}/cancelled`,
    });
  }

  /**
   * The client gives this payment up before it pays in another way, so only one way is open. The service asks
   * the gateway first: money that has arrived or is on its way cannot be given up. Later money is still
   * credited. A gateway that is no longer configured is not asked.
   */
  async giveUp(person: ClientPerson, paymentId: string): Promise<Payment> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, paymentId };
    const { payment, isUnderway } = await this.settleAtCurrentGateway(key);
    if (isUnderway) throw alreadyAuthorized(paymentId);
    if (payment.status !== 'open') return payment;
    if (await this.payments.change({ ...key, status: 'open' }, { status: 'given_up' }))
      await this.audit.record({ person, action: 'payment.given_up', subject: `payment ${paymentId}` });
    return this.payments.find(key);
  }

  private async settleAtCurrentGateway(key: PaymentKey): Promise<SettlementResult> {
    const payment = await this.payments.find(key);
    if (payment.provider !== this.gateway.name) return { payment, isUnderway: false };
    return this.settlement.settle(key);
  }

  /**
   * The payment is stored before the gateway hears of it. A crash can therefore never lose a payment. The
   * caller has locked the wallet.
   */
  private async createPayment(
    transaction: Transaction,
    key: PaymentKey,
    plan: Pick<PaymentPlan, 'total' | 'charge'>,
    person: ClientPerson,
    orders: LockedOrder[],
  ): Promise<Payment> {
    const { manager } = transaction;
    await this.payments.refuseTooMany(transaction, key.clientId);
    await manager.insert(Payment, {
      ...key,
      provider: this.gateway.name,
      amount: numericFromMinor(plan.charge),
      // A gateway has a least charge, which may be more than the wallet lacks.
      fromWallet: numericFromMinor(Math.max(0, plan.total - plan.charge)),
      currency: this.settings.currency,
      actor: actorOf(person),
      nextCheckAt: inSeconds(OPENING_SECONDS),
    });
    const paymentOrders = orders.map(({ orderNumber, total }) => ({ ...key, orderNumber, amount: total }));
    if (paymentOrders.length > 0) await manager.insert(PaymentOrder, paymentOrders);
    await this.audit.recordWithin(transaction, {
      person,
      action: 'payment.begun',
      subject: `payment ${key.paymentId}`,
      details: {
        charge: numericFromMinor(plan.charge),
        ...(orders.length > 0 && auditFieldsOf(orders).details),
      },
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
      // No browser was sent there, so it cannot be paid.
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

function alreadyAuthorized(paymentId: string): DomainError {
  const message =
    'Your bank has authorized this payment, so it cannot be given up. The money arrives by itself.';
  return new DomainError('payment_underway', message, { facts: { payment_id: paymentId } });
}

function readTopUpAmount(text: string): Minor {
  const amount = readAmount(text);
  if (amount >= MIN_CHARGE) return amount;
  throw new DomainError('invalid_value', `The amount must be at least ${numericFromMinor(MIN_CHARGE)}.`);
}

/** Each number once, up to the limit. */
function distinctNumbers(orderNumbers: string[]): string[] {
  const numbers = [...new Set(orderNumbers)];
  if (numbers.length === 0) throw new DomainError('invalid_value', 'Choose at least one order.');
  if (numbers.length > MAX_ORDERS_PER_PAYMENT)
    throw new DomainError('invalid_value', `Choose at most ${MAX_ORDERS_PER_PAYMENT} orders at a time.`);
  return numbers;
}

function totalOf(orders: LockedOrder[]): Minor {
  return orders.reduce((sum, { total }) => sum + minorFromNumeric(total), 0);
}

/** The subject and the details for the audit log. */
function auditFieldsOf(orders: LockedOrder[]) {
  const numbers = orders.map(({ orderNumber }) => orderNumber);
  return {
    subject: numbers.length === 1 ? `order ${numbers[0]}` : `${numbers.length} orders`,
    details: { orders: numbers.join(' '), total: numericFromMinor(totalOf(orders)) },
  };
}
