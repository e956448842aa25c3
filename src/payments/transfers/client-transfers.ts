import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../auth/people/signed-in-person.js';
import { Database } from '../../platform/database/database.js';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, minorFromNumeric, ungrouped } from '../../platform/money/money.js';
import type { BankDetail } from '../../platform/settings/bank-details.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { readFields } from '../../platform/validation/readers.js';
import { BankTransfer } from '../entities/bank-transfer.entity.js';
import { readAmount } from '../rules/read-amount.js';
import { readUtr } from '../rules/read-utr.js';
import type { TransferStatus } from '../rules/transfer-status.js';
import { type Announcement, BankTransfers, UtrKnown } from './bank-transfers.js';

/** For so long a client sees what became of a transfer; what was confirmed is in the passbook for good. */
const SHOWN_MS = 30 * 86_400_000;

/** A transfer as its client sees it: who decided is the wholesaler's business. */
export interface ClientTransfer {
  transferId: number;
  amount: Minor;
  utr: string;
  status: TransferStatus;
  announcedAt: Date;
  decidedAt: Date | null;
  /** Why it was refused. */
  reason: string | null;
}

/** What a client's people do about money that they send by bank. */
@Injectable()
export class ClientTransfers {
  constructor(
    private readonly database: Database,
    private readonly bank: BankTransfers,
    private readonly audit: AuditLog,
    @InjectRepository(BankTransfer) private readonly transfers: Repository<BankTransfer>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Where to send it; nothing where the wholesaler takes none. */
  get details(): readonly BankDetail[] {
    return this.settings.bankDetails;
  }

  /** Those that wait, and those that were decided lately, the newest first. */
  async recent(clientId: number): Promise<ClientTransfer[]> {
    const lately = new Date(Date.now() - SHOWN_MS);
    const found = await this.transfers.find({
      where: [
        { clientId, status: 'announced' },
        { clientId, decidedAt: MoreThan(lately) },
      ],
      order: { transferId: 'DESC' },
      take: 50,
    });
    return found.map(toClientTransfer);
  }

  /** The same once more changes nothing: a form may be sent twice. */
  async announce(person: ClientPerson, given: { amount: string; utr: string }): Promise<Announcement> {
    requireRole(person, 'buyer');
    if (this.details.length === 0)
      throw new DomainError('conflict', 'Money cannot be sent by bank here: no account is told.');
    const announcement = readFields<Announcement>({
      amount: () => readAmount(ungrouped(given.amount)),
      utr: () => readUtr(given.utr),
    });
    try {
      await this.write(person, announcement);
    } catch (error) {
      if (!(error instanceof UtrKnown)) throw error;
      await this.forgiveRepetition(person, announcement);
    }
    return announcement;
  }

  /** Before the wholesaler has decided: it was a mistake. Its number can be announced again. */
  async withdraw(person: ClientPerson, number: string): Promise<void> {
    requireRole(person, 'buyer');
    const transferId = readTransferId(number);
    const { clientId } = person;
    await this.database.transaction(async (transaction) => {
      const which = { transferId, clientId };
      await this.bank.decideWithin(transaction, which, actorOf(person), { status: 'withdrawn' });
      const subject = `transfer ${transferId}`;
      await this.audit.recordWithin(transaction, { person, action: 'transfer.withdrawn', subject });
    });
  }

  private write(person: ClientPerson, announcement: Announcement): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { clientId } = person;
      const id = await this.bank.announceWithin(transaction, clientId, announcement, actorOf(person));
      await this.audit.recordWithin(transaction, {
        person,
        action: 'transfer.announced',
        subject: `transfer ${id}`,
        details: { amount: amountFromMinor(announcement.amount), utr: announcement.utr },
      });
    });
  }

  private async forgiveRepetition({ clientId }: ClientPerson, { amount, utr }: Announcement): Promise<void> {
    const own = await this.transfers.findOneBy({ clientId, utr, status: 'announced' });
    if (own && minorFromNumeric(own.amount) === amount) return;
    const message = own
      ? `You have announced this transfer with ${own.amount} already: withdraw that first.`
      : 'This transfer is in your wallet already.';
    throw validationFailed([{ field: 'utr', code: 'conflict', message }]);
  }
}

/** As addresses have it. What cannot be one is none of the client's. */
function readTransferId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new DomainError('transfer_not_found', 'There is no such bank transfer.');
}

function toClientTransfer(transfer: BankTransfer): ClientTransfer {
  const { transferId, amount, utr, status, announcedAt, decidedAt, reason } = transfer;
  return { transferId, amount: minorFromNumeric(amount), utr, status, announcedAt, decidedAt, reason };
}
