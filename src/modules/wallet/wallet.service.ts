import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Not, type Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { clientNotFound } from '../clients/client.repository.js';
import { InvoicingService } from '../invoices/invoicing.service.js';
import { Database, type Queries, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  type Minor,
  minorFromNumeric,
  numericFromMinor,
  parseAmount,
} from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { dayAt } from '../../platform/time/time.js';
import { readField } from '../../platform/validation/readers.js';
import { isUuid, readLine } from '../../platform/validation/texts.js';
import { formatDay, formatMoney } from '../../platform/formats.js';
import {
  type AcceptedUses,
  findRepeatedUse,
  namesPayment,
  type ReferenceUse,
  usesInForce,
} from './rules/payment-reference.js';
import { adjustment, isRecordedByReference, type Posting, receiptsOf } from './rules/posting.js';
import { Wallet, WalletEntry } from './wallet.entity.js';
import { AlreadyPostedError, type WalletEntryRow, WalletRepository } from './wallet.repository.js';

/** The largest total that an order can have. */
const MAX_ADJUSTMENT: Minor = 10 ** 15;

const CORRECTED_BY_OTHER =
  'Nothing was changed: another person has corrected this wallet since you opened the page.';

/** The hidden fields of the form of a correction. */
interface AdjustmentForm {
  /** A repeated form with this key posts once. */
  key?: string;
  /** The last correction on the page: two people must not correct one mistake twice. */
  last?: number;
  /** Other uses of the reference in its reason, which the person accepted. */
  acceptedUses?: AcceptedUses | undefined;
}

export interface WalletView {
  client_id: number;
  balance: number;
  /** The part of it that open payments will spend. */
  reserved: number;
}

/** Amounts of a wallet. */
export interface Funds {
  balance: Minor;
  reserved: Minor;
  /** The balance without the reserved part. */
  available: Minor;
}

/** What else has the reference of a payment. */
export interface ReferenceReview {
  uses: (ReferenceUse & { warning: string })[];
  /** One of them is the same payment for certain, so that no person can accept it. */
  isRepeated: boolean;
}

export function fundsOf(wallet: Pick<Wallet, 'balance' | 'reserved'>): Funds {
  const [balance, reserved] = [minorFromNumeric(wallet.balance), minorFromNumeric(wallet.reserved)];
  return { balance, reserved, available: balance - reserved };
}

/** The only code that moves money. A transaction locks the wallet's row after orders and stock. */
@Injectable()
export class WalletService {
  constructor(
    @InjectRepository(Wallet) private readonly wallets: Repository<Wallet>,
    private readonly database: Database,
    private readonly entries: WalletRepository,
    private readonly invoicing: InvoicingService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Posts all entries in this order, or none. Returns the balance afterwards. */
  async post(
    transaction: Transaction,
    clientId: number,
    actor: string,
    postings: readonly Posting[],
  ): Promise<Minor> {
    for (const posting of postings)
      if (isRecordedByReference(posting)) await this.refuseReusedReference(transaction, posting);
    const balance = await this.entries.post(transaction, clientId, actor, postings);
    if (balance === undefined) throw await this.insufficientBalance(transaction, clientId, postings);
    const received = receiptsOf(postings);
    if (received.length > 0) await this.invoicing.issueReceipts(transaction, clientId, received);
    for (const { kind, against, key, amount, note, undoes } of postings) {
      if (!undoes && !(kind === 'payout' && against === 'bank')) continue;
      const undone = undoes && { topUpKey: undoes.key, isUndone: true };
      const returned = { key, amount: -amount, reason: undoes?.reason ?? note, ...undone };
      await this.invoicing.issueRefundVoucher(transaction, clientId, returned);
    }
    return balance;
  }

  /**
   * The money that was recorded with this reference, in any spelling, for any client: a gateway, a transfer,
   * a cheque, cash, the payment of an order or a correction. All of them are entries of wallets.
   */
  async usesOfReference(text: string, queries: Queries = this.database): Promise<ReferenceUse[]> {
    if (!namesPayment(text)) return [];
    return usesInForce(await this.entries.listReferences(queries, text, this.settings.timeZone));
  }

  /** The other uses of a reference, for the review of a payment with this amount. */
  async reviewReference(text: string, amount: Minor, queries?: Queries): Promise<ReferenceReview> {
    const uses = await this.usesOfReference(text, queries);
    const repeated = findRepeatedUse(uses, { amount, day: dayAt(Date.now(), this.settings.timeZone) });
    return {
      uses: uses.map((use) => ({ ...use, warning: this.warnOf(use, use === repeated) })),
      isRepeated: repeated !== undefined,
    };
  }

  private warnOf({ text, amount, client, orderNumber, day }: ReferenceUse, isRepeated: boolean): string {
    const money = `${formatMoney(amount, this.settings.currency)} of ${client} on ${formatDay(day)}`;
    const order = orderNumber === null ? '' : `, for ${orderNumber}`;
    const recorded = `${text} is recorded already: ${money}${order}`;
    return isRepeated
      ? `${recorded}. With the same day and amount it is the same payment. If it paid for several orders, ` +
          'record it once under Transfers, then pay the orders from the wallet.'
      : `${recorded}. Accept this only if it is other money.`;
  }

  /** Of two transactions with one reference, the second waits and reads the entry of the first. */
  private async refuseReusedReference(
    transaction: Transaction,
    { note, amount, acceptedUses = [] }: Posting & { note: string },
  ): Promise<void> {
    await this.entries.lockReference(transaction, note);
    const { uses, isRepeated } = await this.reviewReference(note, amount, transaction);
    const refused = uses.find(
      ({ id }) => isRepeated || (acceptedUses !== 'any' && !acceptedUses.includes(id)),
    );
    if (refused) throw new DomainError('conflict', refused.warning);
  }

  /** The current amounts. Only posting decides whether they are enough. */
  async funds(clientId: number, { manager }: { manager: EntityManager } = this.wallets): Promise<Funds> {
    const wallet = await manager.findOneBy(Wallet, { clientId });
    if (!wallet) throw clientNotFound(clientId);
    return fundsOf(wallet);
  }

  /**
   * Until the transaction ends, no other one posts to this wallet or starts work that is done once per
   * client.
   */
  async lock({ manager }: Transaction, clientId: number): Promise<void> {
    const lock = { mode: 'pessimistic_write' } as const;
    if (!(await manager.findOne(Wallet, { where: { clientId }, lock }))) throw clientNotFound(clientId);
  }

  /** The amounts that a payment brought into the wallet, by the keys of their entries. */
  async creditsOfPayment(
    { manager }: { manager: EntityManager },
    clientId: number,
    paymentId: string,
  ): Promise<ReadonlyMap<string, Minor>> {
    const entries = await manager.find(WalletEntry, {
      select: { key: true, amount: true },
      where: { clientId, paymentId, kind: 'top_up' },
      order: { entry: 'ASC' },
    });
    return new Map(entries.map(({ key, amount }) => [key, minorFromNumeric(amount)]));
  }

  /** Gateway keys that are already credited to another payment, of any client. */
  async keysOfOtherPayments({ manager }: Transaction, paymentId: string, keys: string[]): Promise<string[]> {
    const entries = await manager.find(WalletEntry, {
      select: { key: true },
      where: { key: In(keys), kind: 'top_up', against: 'gateway', paymentId: Not(paymentId) },
    });
    return entries.map(({ key }) => key);
  }

  async show(clientId: number): Promise<WalletView> {
    const { balance, reserved } = await this.funds(clientId);
    return {
      client_id: clientId,
      balance: amountFromMinor(balance),
      reserved: amountFromMinor(reserved),
    };
  }

  async history(clientId: number, limit?: number): Promise<AsyncGenerator<WalletEntryRow, number>> {
    await this.funds(clientId);
    return this.entries.history(clientId, limit);
  }

  /** A correction by hand needs a reason, because nothing else explains the entry. */
  async adjust(
    clientId: number,
    amountText: string,
    reasonText: string,
    by: Author,
    { key = randomUUID(), last, acceptedUses }: AdjustmentForm = {},
  ): Promise<WalletView> {
    const { amount, reason } = readAdjustment(amountText, reasonText);
    if (!isUuid(key))
      throw new DomainError('malformed_request', 'The form is incomplete. Open its page again.');
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      // References are locked before wallets, as for all payments.
      if (namesPayment(reason)) await this.entries.lockReference(transaction, reason);
      await this.lock(transaction, clientId);
      const id = `adjustment:${key}`;
      if (await manager.existsBy(WalletEntry, { clientId, key: id })) throw new AlreadyPostedError(undefined);
      if (last !== undefined && (await this.lastAdjustment(clientId, transaction)) !== last)
        throw new DomainError('conflict', CORRECTED_BY_OTHER);
      await this.post(transaction, clientId, actorOf(by), [
        { ...adjustment(amount, reason, key), acceptedUses },
      ]);
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, clientId),
        action: 'wallet.adjusted',
        subject: `client ${clientId}`,
        details: { amount: amountFromMinor(amount), reason },
      });
    });
    return this.show(clientId);
  }

  /** The number of the last correction by hand; 0 if there was none. */
  async lastAdjustment(
    clientId: number,
    { manager }: { manager: EntityManager } = this.wallets,
  ): Promise<number> {
    const last = await manager.findOne(WalletEntry, {
      select: { entry: true },
      where: { clientId, kind: 'adjustment' },
      order: { entry: 'DESC' },
    });
    return Number(last?.entry ?? 0);
  }

  private async insufficientBalance(
    transaction: Transaction,
    clientId: number,
    postings: readonly Posting[],
  ): Promise<DomainError> {
    const { balance, reserved, available } = await this.funds(clientId, transaction);
    const needed = -postings.reduce((sum, { amount }) => sum + amount, 0);
    const holds = `The wallet holds ${numericFromMinor(balance)}`;
    const spare =
      reserved > 0 ? `, of which ${numericFromMinor(reserved)} is reserved for open payments` : '';
    return new DomainError(
      'insufficient_balance',
      `${holds}${spare}. That is ${numericFromMinor(needed - available)} too little.`,
      {
        facts: {
          balance: amountFromMinor(balance),
          ...(reserved > 0 && { reserved: amountFromMinor(reserved) }),
          needed: amountFromMinor(needed),
        },
      },
    );
  }
}

/** Reads a correction. A form shows each fault at its field. */
export function readAdjustment(amount: string, reason: string): { amount: Minor; reason: string } {
  return {
    amount: readField('amount', () => readAdjustmentAmount(amount)),
    reason: readField('reason', () => readLine('reason', reason, 200)),
  };
}

/** Throws for 0 and for a text that is no amount. A sign is read. */
export function readAdjustmentAmount(text: string): Minor {
  const parsed = parseAmount(text.trim().replace(/^\+/, ''));
  if ('fault' in parsed) throw new DomainError('invalid_value', `The amount ${parsed.fault}.`);
  const { hundredths } = parsed;
  if (hundredths === 0 || Math.abs(hundredths) > MAX_ADJUSTMENT)
    throw new DomainError('invalid_value', 'The amount must not be 0, and not more than 10000000000000.');
  return hundredths;
}
