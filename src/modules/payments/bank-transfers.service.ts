import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type EntityManager, In, Like, MoreThan, Not, Raw, type Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import type { AuditDetails } from '../audit/audit-entry.entity.js';
import { AuditLog, authorOf, type OtherActor } from '../audit/audit-log.js';
import { Client } from '../clients/client.entity.js';
import { requireClient } from '../clients/client.repository.js';
import { CompanyService } from '../company/company.service.js';
import { type ClientPerson, requireRole } from '../../platform/access/signed-in-person.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import {
  amountFromNumeric,
  amountFromMinor,
  type Minor,
  minorFromNumeric,
  numericFromMinor,
} from '../../platform/money/money.js';
import { readAmount } from '../../platform/money/read-amount.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Detail } from '../../platform/settings/details.js';
import { DAY_MS, dayAt, type TimeZone } from '../../platform/time/time.js';
import { readField, readFields } from '../../platform/validation/readers.js';
import { readLine, readOptionalLine } from '../../platform/validation/texts.js';
import { formatMoney } from '../../platform/formats.js';
import { panOf } from '../tax/gstin.js';
import type { AcceptedUses } from '../wallet/rules/payment-reference.js';
import { bankPayout, bankTopUp, tdsTopUp } from '../wallet/rules/posting.js';
import { WalletEntry } from '../wallet/wallet.entity.js';
import { WalletService, type WalletView } from '../wallet/wallet.service.js';
import { BankTransfer } from './entities/bank-transfer.entity.js';
import {
  describeReference,
  isUtr,
  patternOfCheque,
  readPaidOn,
  readReference,
  readTds,
  readUtr,
} from './rules/read-inputs.js';
import { type TransferFilter, TransferListRepository, type TransferRow } from './transfer-list.repository.js';

/** A client with this many undecided transfers cannot announce another. */
const MAX_UNDECIDED_TRANSFERS = 20;

/** A withdrawn transfer makes room for another one, so the number per day has a limit too. */
const MAX_TRANSFERS_PER_DAY = 100;

interface Announcement {
  amount: Minor;
  tds: Minor;
  utr: string;
  payer: string | null;
}

/** The client announced this UTR before; it may be in the wallet already. */
class DuplicateUtrError extends DomainError {
  constructor(utr: string) {
    super('conflict', `A transfer with the UTR ${utr} was announced before.`);
  }
}

/** The typed texts of the form. */
type TransferForm = Record<'sent' | 'tds' | 'utr' | 'payer', string>;

function readAnnouncement(form: TransferForm, readNumber: (text: string) => string = readUtr): Announcement {
  const { sent: amount, ...rest } = readFields({
    sent: () => readAmount(form.sent),
    tds: () => (form.tds.trim() === '' ? 0 : readTds(form.tds, readAmount(form.sent))),
    utr: () => readNumber(form.utr),
    payer: () => readPayer(form.payer),
  });
  return { amount, ...rest };
}

export type PayoutForm = Record<'amount' | 'reference' | 'date' | 'bank', string>;

/** What the wholesaler found on its bank statement. Texts that are left out are as the client reported. */
export type Arrival = Partial<Record<'payer' | 'tds' | 'amount' | 'difference', string>> & {
  /** Other uses of the reference, which the person accepted. */
  acceptedUses?: AcceptedUses | undefined;
};

/** Another amount than the reported one needs a reason. */
function readReceived(reported: Minor, { amount: text = '', difference = '' }: Arrival, currency: string) {
  const { amount } = readFields({ amount: () => (text.trim() === '' ? reported : readAmount(text)) });
  if (amount === reported) return { amount };
  const why = readField('difference', () => readLine('reason for another amount', difference, 200));
  const [was, now] = [reported, amount].map((minor) => formatMoney(minor, currency));
  return { amount, reason: why, difference: `reported ${was}, received ${now}: ${why}` };
}

/** The note has what the bank statement shows. */
export function readPayout(form: PayoutForm, timeZone: TimeZone) {
  const { amount, reference, date, bank } = readFields({
    amount: () => readAmount(form.amount),
    reference: () => readUtr(form.reference),
    date: () => readPaidOn(form.date, dayAt(Date.now(), timeZone)),
    bank: () => readOptionalLine('account', form.bank, 100),
  });
  return { amount, reference, note: `${reference} of ${date}${bank === undefined ? '' : `, to ${bank}`}` };
}

/** A client sees its refused transfers this long. */
const REFUSED_VISIBLE_MS = 30 * 86_400_000;

/** A transfer as its client sees it, without the person who decided. */
export type ClientTransfer = Pick<
  BankTransfer,
  'transferId' | 'utr' | 'status' | 'announcedAt' | 'decidedAt' | 'reason'
> & {
  /** With the tax that it deducted. */
  amount: Minor;
};

/** Bank transfers: the client announces one, the wholesaler confirms or refuses it. */
@Injectable()
export class BankTransfersService {
  constructor(
    private readonly database: Database,
    private readonly wallets: WalletService,
    private readonly audit: AuditLog,
    private readonly transferList: TransferListRepository,
    @InjectRepository(BankTransfer) private readonly transfers: Repository<BankTransfer>,
    private readonly company: CompanyService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async announce(
    clientId: number,
    amountText: string,
    utrText: string,
    actor: string,
    payerText?: string,
    tdsText = '',
  ): Promise<TransferRow> {
    const amount = readAmount(amountText);
    const tds = readTds(tdsText, amount);
    const utr = readUtr(utrText);
    const payer = readPayer(payerText);
    return this.show(await this.createTransfer(authorOf(actor, clientId), { amount, tds, utr, payer }));
  }

  /**
   * Records money for a client that did not report it: a transfer, a cheque or cash. A duplicate reference is
   * an error of its field.
   */
  async announceFor(
    clientId: number,
    { kind, ...form }: TransferForm & { kind: string },
    by: Author,
  ): Promise<TransferRow> {
    const announcement = readAnnouncement(form, (text) => readReference(kind, text));
    if (!isUtr(announcement.utr)) {
      await this.refuseReferenceOfOther(clientId, announcement.utr);
      await this.refuseSameCheque(clientId, announcement);
    }
    try {
      return await this.show(await this.createTransfer(authorOf(by, clientId), announcement));
    } catch (error) {
      if (!(error instanceof DuplicateUtrError)) throw error;
      const { utr } = announcement;
      const claims = { clientId, utr, status: Not(In(['refused', 'withdrawn'])) };
      const earlier = await this.transfers.findOneBy(claims);
      const message =
        earlier?.status === 'confirmed'
          ? 'was confirmed before: its money is in the wallet'
          : 'was reported before: confirm that one';
      throw validationFailed([{ field: 'utr', code: 'conflict', message, transfer: earlier?.transferId }]);
    }
  }

  /** Two clients may have cheques with one number of one bank, so the reference must tell them apart. */
  private async refuseReferenceOfOther(clientId: number, utr: string): Promise<void> {
    const other = await this.transfers.findOneBy({
      clientId: Not(clientId),
      utr,
      status: In(['announced', 'confirmed']),
    });
    if (!other) return;
    const message = 'is of another client. If this is different money, add more, such as branch and account';
    throw validationFailed([{ field: 'utr', code: 'conflict', message, transfer: other.transferId }]);
  }

  /** "123 HDFC" and "000123 HDFC Bank" of one client are one cheque if their amounts are the same. */
  private async refuseSameCheque(clientId: number, { utr, amount }: Announcement): Promise<void> {
    const pattern = patternOfCheque(utr);
    if (pattern === undefined) return;
    const earlier = await this.transfers.findOneBy({
      clientId,
      utr: And(
        Not(utr),
        Raw((column) => `${column} ~ :pattern`, { pattern }),
      ),
      amount: numericFromMinor(amount),
      status: In(['announced', 'confirmed']),
    });
    if (!earlier) return;
    const message = `has the number, bank and amount of ${earlier.utr}, which was recorded before`;
    throw validationFailed([{ field: 'utr', code: 'conflict', message, transfer: earlier.transferId }]);
  }

  private async announceWithin(
    { manager }: Transaction,
    clientId: number,
    { amount, tds, utr, payer }: Announcement,
    actor: string,
  ): Promise<number> {
    await requireClient(manager, clientId);
    const { transferId } = await manager
      .save(BankTransfer, {
        clientId,
        amount: numericFromMinor(amount),
        tds: numericFromMinor(tds),
        utr,
        payer,
        announcedBy: actor,
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new DuplicateUtrError(utr) : error;
      });
    await refuseTooManyTransfers(manager, clientId);
    return transferId;
  }

  list(filter: TransferFilter, limit?: number): AsyncGenerator<TransferRow, number> {
    return this.transferList.list(filter, limit);
  }

  /** The same as an array, for pages. */
  newest(filter: TransferFilter, limit: number): Promise<TransferRow[]> {
    return this.transferList.newest(filter, limit);
  }

  /** The number and the sum of the transfers that wait for a decision. */
  async waiting(): Promise<{ transfers: number; amount: Minor }> {
    const row = await this.transfers
      .createQueryBuilder('transfer')
      .select('count(*)::int', 'transfers')
      .addSelect('coalesce(sum(transfer.amount), 0)', 'amount')
      .where({ status: 'announced' })
      .getRawOne<{ transfers: number; amount: string }>();
    return { transfers: row!.transfers, amount: minorFromNumeric(row!.amount) };
  }

  /**
   * Credits the wallet with the transfer and the tax that the client deducted, by default as it reported. If
   * several clients claim one transfer, a person must refuse the others first.
   */
  async confirm(transferId: number, by: Author, arrival: Arrival = {}): Promise<TransferRow> {
    const receivedFrom = readPayer(arrival.payer);
    await this.database.transaction(async (transaction) => {
      const actor = actorOf(by);
      const decision = { status: 'confirmed', receivedFrom } as const;
      const transfer = await this.decideWithin(transaction, { transferId }, actor, decision);
      const { clientId, utr } = transfer;
      const { amount, reason, difference } = readReceived(
        minorFromNumeric(transfer.amount),
        arrival,
        this.settings.currency,
      );
      const tds = readField('tds', () => readTds(arrival.tds ?? transfer.tds, amount));
      const received = { received: numericFromMinor(amount), reason };
      await transaction.manager.update(
        BankTransfer,
        { transferId },
        { tds: numericFromMinor(tds), ...(reason !== undefined && received) },
      );
      const { gstin } = await transaction.manager.findOneByOrFail(Client, { id: clientId });
      await this.wallets.post(transaction, clientId, actor, [
        { ...bankTopUp(utr, amount, difference), acceptedUses: arrival.acceptedUses },
        ...(tds > 0 ? [tdsTopUp(utr, tds, panOf(gstin))] : []),
      ]);
      await this.recordDecision(transaction, by, transfer, decision.status, {
        payer: transfer.payer,
        received_from: receivedFrom,
        ...(reason !== undefined && { received: amountFromMinor(amount), reason }),
        ...(tds > 0 && { tds: amountFromMinor(tds) }),
      });
    });
    return this.show(transferId);
  }

  /** Records money that was sent to the client's bank. A reference counts once per client. */
  async payOut(clientId: number, form: PayoutForm, by: Author): Promise<WalletView> {
    const payout = readPayout(form, this.settings.timeZone);
    await this.database.transaction(async (transaction) => {
      await this.wallets.lock(transaction, clientId);
      const posting = bankPayout(payout.reference, payout.amount, payout.note);
      if (await transaction.manager.existsBy(WalletEntry, { clientId, key: posting.key }))
        throw new DomainError('conflict', `The payout ${payout.reference} is already in the wallet.`);
      await this.wallets.post(transaction, clientId, actorOf(by), [posting]);
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, clientId),
        action: 'wallet.paid_out',
        subject: `client ${clientId}`,
        details: { amount: amountFromMinor(payout.amount), note: payout.note },
      });
    });
    return this.wallets.show(clientId);
  }

  /** The client may announce the UTR again, with another amount for example. */
  async refuse(transferId: number, reasonText: string, by: Author): Promise<TransferRow> {
    const reason = readLine('reason', reasonText, 200);
    await this.database.transaction(async (transaction) => {
      const decision = { status: 'refused', reason } as const;
      const transfer = await this.decideWithin(transaction, { transferId }, actorOf(by), decision);
      await this.recordDecision(transaction, by, transfer, decision.status, { reason });
    });
    return this.show(transferId);
  }

  private recordDecision(
    transaction: Transaction,
    by: Author,
    { clientId, transferId, utr, amount }: BankTransfer,
    decision: 'confirmed' | 'refused',
    details: AuditDetails,
  ): Promise<void> {
    return this.audit.recordWithin(transaction, {
      ...authorOf(by, clientId),
      action: `transfer.${decision}`,
      subject: `transfer ${transferId}`,
      details: { amount: amountFromNumeric(amount), utr, ...details },
    });
  }

  /** The first decision counts. With a client id, transfers of other clients are not found. */
  private async decideWithin(
    { manager }: Transaction,
    criteria: Pick<BankTransfer, 'transferId'> & Partial<Pick<BankTransfer, 'clientId'>>,
    actor: string,
    decision: Pick<Partial<BankTransfer>, 'status' | 'reason' | 'receivedFrom'>,
  ): Promise<BankTransfer> {
    const { transferId } = criteria;
    const transfer = await manager.findOne(BankTransfer, {
      where: criteria,
      lock: { mode: 'pessimistic_write' },
    });
    if (!transfer) throw transferNotFound(transferId);
    if (transfer.status !== 'announced')
      throw new DomainError('conflict', `The transfer is already ${transfer.status}.`);
    if (decision.status === 'confirmed') await refuseIfDisputed(manager, transfer);
    await manager.update(
      BankTransfer,
      { transferId },
      { ...decision, decidedBy: actor, decidedAt: () => 'now()' },
    );
    return transfer;
  }

  /** The wholesaler's bank account. Empty if it takes no transfers. */
  details(): Promise<readonly Detail[]> {
    return this.company.bankDetails();
  }

  /** Undecided transfers, then recently refused ones. Confirmed transfers are in the passbook. */
  async recent(clientId: number): Promise<ClientTransfer[]> {
    const lately = new Date(Date.now() - REFUSED_VISIBLE_MS);
    const transfers = await this.transfers.find({
      where: [
        { clientId, status: 'announced' },
        { clientId, status: 'refused', decidedAt: MoreThan(lately) },
      ],
      order: { status: 'ASC', transferId: 'DESC' },
      take: 50,
    });
    return transfers.map(toClientTransfer);
  }

  /** Records the transfer of a client. A form that is sent twice changes nothing, and says so. */
  async announceAs(person: ClientPerson, form: TransferForm): Promise<Announcement & { isKnown: boolean }> {
    requireRole(person, 'buyer');
    if ((await this.details()).length === 0)
      throw new DomainError(
        'conflict',
        'You cannot pay by bank transfer: the wholesaler has not set up a bank account.',
      );
    const announcement = readAnnouncement(form);
    await this.refuseRecorded(person, announcement);
    try {
      await this.createTransfer({ person }, announcement);
      return { ...announcement, isKnown: false };
    } catch (error) {
      if (!(error instanceof DuplicateUtrError)) throw error;
      await this.acceptRepeatedForm(person, announcement);
      return { ...announcement, isKnown: true };
    }
  }

  /**
   * Takes back a transfer before the wholesaler decides. Its UTR can be announced again. A cheque or cash was
   * recorded by the wholesaler, who has it.
   */
  async withdraw(person: ClientPerson, number: string): Promise<void> {
    requireRole(person, 'buyer');
    const transferId = readTransferId(number);
    await this.database.transaction(async (transaction) => {
      const criteria = { transferId, clientId: person.clientId, utr: Not(Like('% %')) };
      await this.decideWithin(transaction, criteria, actorOf(person), { status: 'withdrawn' });
      const subject = `transfer ${transferId}`;
      await this.audit.recordWithin(transaction, { person, action: 'transfer.withdrawn', subject });
    });
  }

  private createTransfer(
    by: { person: ClientPerson } | OtherActor<number>,
    announcement: Announcement,
  ): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const [clientId, actor] =
        'person' in by ? [by.person.clientId, actorOf(by.person)] : [by.clientId, by.actor];
      const id = await this.announceWithin(transaction, clientId, announcement, actor);
      await this.audit.recordWithin(transaction, {
        ...by,
        action: 'transfer.announced',
        subject: `transfer ${id}`,
        details: {
          amount: amountFromMinor(announcement.amount),
          ...(announcement.tds > 0 && { tds: amountFromMinor(announcement.tds) }),
          utr: announcement.utr,
        },
      });
      return id;
    });
  }

  private async acceptRepeatedForm(
    { clientId }: ClientPerson,
    { amount, tds, utr, payer }: Announcement,
  ): Promise<void> {
    const own = await this.transfers.findOneBy({ clientId, utr, status: 'announced' });
    if (!own) throw knownToClient('This transfer is already in your wallet.');
    const before = readAmountAndTds(own);
    if (isDeepStrictEqual(before, { amount, tds }) && own.payer === payer) return;
    const money = formatMoney(before.amount + before.tds, this.settings.currency);
    const holder = own.payer === null ? '' : ` from the account of ${own.payer}`;
    throw knownToClient(
      `You already announced this transfer with ${money}${holder}. Withdraw that one first.`,
    );
  }

  /** The wholesaler recorded this money of the client already, for an order for example. */
  private async refuseRecorded({ clientId }: ClientPerson, { amount, utr }: Announcement): Promise<void> {
    const own = (await this.wallets.usesOfReference(utr)).find(
      (use) => use.clientId === clientId && use.amount === amount,
    );
    if (own?.orderNumber) throw knownToClient(`This transfer is known already: it paid ${own.orderNumber}.`);
  }

  async show(transferId: number): Promise<TransferRow> {
    const transfer = await this.transferList.find(transferId);
    if (!transfer) throw transferNotFound(transferId);
    return transfer;
  }
}

/** Runs after the insert, so that a repeated form fails as a duplicate, not because of the limit. */
async function refuseTooManyTransfers(manager: EntityManager, clientId: number): Promise<void> {
  if ((await manager.countBy(BankTransfer, { clientId, status: 'announced' })) > MAX_UNDECIDED_TRANSFERS)
    throw new DomainError(
      'conflict',
      `${MAX_UNDECIDED_TRANSFERS} transfers wait for the wholesaler to decide.`,
    );
  const yesterday = new Date(Date.now() - DAY_MS);
  if (
    (await manager.countBy(BankTransfer, { clientId, announcedAt: MoreThan(yesterday) })) >
    MAX_TRANSFERS_PER_DAY
  )
    throw new DomainError(
      'conflict',
      `${MAX_TRANSFERS_PER_DAY} transfers were announced in the last 24 hours. Try again later.`,
    );
}

async function refuseIfDisputed(manager: EntityManager, { clientId, utr }: BankTransfer): Promise<void> {
  const where = { utr, clientId: Not(clientId), status: In(['announced', 'confirmed']) };
  const [other] = await manager.find(BankTransfer, { where, order: { status: 'DESC' }, take: 1 });
  if (!other) return;
  const claimed = describeReference(utr);
  const claim = `Client ${other.clientId} claims the ${claimed} too, by transfer ${other.transferId}`;
  const message =
    other.status === 'confirmed'
      ? `${claim}, which was confirmed: the money is in that wallet.`
      : `${claim}. Ask your bank who sent it, and refuse the wrong transfer first.`;
  throw new DomainError('conflict', message);
}

function transferNotFound(transferId: number): DomainError {
  return new DomainError('transfer_not_found', `There is no bank transfer ${transferId}.`);
}

const knownToClient = (message: string) => validationFailed([{ field: 'utr', code: 'conflict', message }]);

const readAmountAndTds = ({ amount, tds }: Pick<BankTransfer, 'amount' | 'tds'>) => ({
  amount: minorFromNumeric(amount),
  tds: minorFromNumeric(tds),
});

/** Reads the id in an address. An invalid id is like one that does not exist. */
export function readTransferId(text: string): number {
  const id = findTransferId(text);
  if (id !== undefined) return id;
  throw new DomainError('transfer_not_found', 'There is no such bank transfer.');
}

export const findTransferId = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

function readPayer(text: string | undefined): string | null {
  return readOptionalLine("payer's name", text, 200) ?? null;
}

function toClientTransfer(transfer: BankTransfer): ClientTransfer {
  const { transferId, utr, status, announcedAt, decidedAt, reason } = transfer;
  const amount = minorFromNumeric(transfer.amount) + minorFromNumeric(transfer.tds);
  return { transferId, amount, utr, status, announcedAt, decidedAt, reason };
}
