import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Payment } from '../orders/entities/payment.entity.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { adjustment, testMoneyRemoved } from '../wallet/rules/posting.js';
import { WalletService } from '../wallet/wallet.service.js';
import { PaymentGateway, TEST_GATEWAYS } from './gateway/payment-gateway.js';
import { PaymentsRepository, type TestMoneyRow } from './payments.repository.js';

const REASON = 'test money removed';
const SPENT_REASON = 'test money that orders were paid with, written off';

/** Money that a test gateway paid in. It must be gone before wallets pay for real goods. */
@Injectable()
export class TestMoneyService {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly wallets: WalletService,
  ) {}

  list(): Promise<TestMoneyRow[]> {
    return this.payments.listTestMoney();
  }

  /** The settings name a test gateway, so wallets may hold test money. */
  get isAllowed(): boolean {
    return this.gateway.isTest;
  }

  /** Runs before the service listens. Without a gateway wallets still pay for real goods. */
  async refuseTestMoney(): Promise<void> {
    if (this.isAllowed) return;
    const list = await this.list();
    if (list.length === 0) return;
    const wallets = list.length === 1 ? '1 wallet holds' : `${list.length} wallets hold`;
    const total = list.reduce((sum, { test_money }) => sum + test_money, 0).toFixed(2);
    throw new DomainError(
      'wrong_settings',
      `${wallets} ${total} of test money, which would pay for real goods. ` +
        'Remove it with the command "wallet remove-test-money", or set PAYMENT_GATEWAY to the test gateway.',
    );
  }

  /** Takes each test payment out of its wallet. The wholesaler bears the part that was spent. */
  async remove(actor: string): Promise<TestMoneyRow[]> {
    const list = await this.list();
    for (const { client_id: clientId } of list)
      await this.database.transaction((transaction) => this.removeFrom(transaction, clientId, actor));
    return list;
  }

  private async removeFrom(transaction: Transaction, clientId: number, actor: string): Promise<void> {
    // Open test payments free the money that they have reserved.
    const ofTests = { clientId, provider: In([...TEST_GATEWAYS]) };
    await transaction.manager.update(Payment, { ...ofTests, status: 'open' }, { status: 'given_up' });
    const broken = { status: 'failed', nextCheckAt: null } as const;
    await transaction.manager.update(Payment, { ...ofTests, status: 'opening' }, broken);
    await this.wallets.lock(transaction, clientId);
    const left = await this.payments.listTestMoneyByPayment(transaction, clientId);
    const removals = left.map(({ payment_id, amount }) =>
      testMoneyRemoved(payment_id, minorFromNumeric(amount), REASON, randomUUID()),
    );
    if (removals.length === 0) return;
    const total = removals.reduce((sum, { amount }) => sum - amount, 0);
    const spent = total - (await this.wallets.funds(clientId, transaction)).balance;
    const writtenOff = spent > 0 ? [adjustment(spent, SPENT_REASON, randomUUID())] : [];
    await this.wallets.post(transaction, clientId, actor, [...writtenOff, ...removals]);
  }
}
