import { Injectable } from '@nestjs/common';
import { type EntityManager, In, MoreThan, Not, QueryFailedError } from 'typeorm';
import { requireClient } from '../../auth/clients/client-finder.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { readLine } from '../../platform/validation/texts.js';
import { bankTopUp } from '../../wallet/rules/posting.js';
import { WalletLedger } from '../../wallet/wallet-ledger.js';
import { BankTransfer } from '../entities/bank-transfer.entity.js';
import { readAmount } from '../rules/read-amount.js';
import { readUtr } from '../rules/read-utr.js';
import type { TransferStatus } from '../rules/transfer-status.js';

/** A client with so many that nobody has looked at announces no more. */
const MOST_WAITING = 20;

/** What is withdrawn makes room for the next one, but not without end. */
const MOST_A_DAY = 100;

const DAY_MS = 86_400_000;

const CLAIMED_ONCE = 'bank_transfers_claimed_once';

export interface TransferShown {
  transfer_id: number;
  client_id: number;
  amount: number;
  utr: string;
  status: TransferStatus;
  announced_at: Date;
  announced_by: string;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
  /** Transfers by which other clients claim the same UTR. */
  other_claims: number[];
}

/** What a client says it has sent. */
export interface Announcement {
  amount: Minor;
  utr: string;
}

/** The same client has announced it already, or has it in its wallet. */
export class UtrKnown extends DomainError {
  constructor(utr: string) {
    super('conflict', `A transfer with the UTR ${utr} was announced before.`);
  }
}

/** Streamed, so raw. */
const LIST = `
  SELECT transfer_id, client_id, amount::float8, utr, status, announced_at, announced_by, decided_at, decided_by, reason,
         ARRAY(SELECT o.transfer_id FROM bank_transfers o
                WHERE o.utr = t.utr AND o.client_id <> t.client_id AND o.status IN ('announced', 'confirmed')
                ORDER BY o.transfer_id) AS other_claims
    FROM bank_transfers t
   WHERE ($1::text IS NULL OR status = $1) AND ($2::int IS NULL OR client_id = $2) AND ($3::int IS NULL OR transfer_id = $3)
   ORDER BY t.transfer_id DESC`;

/** Money sent by bank: the client announces it, the wholesaler has seen it arrive, or not. */
@Injectable()
export class BankTransfers {
  constructor(
    private readonly database: Database,
    private readonly ledger: WalletLedger,
  ) {}

  async announce(
    clientId: number,
    amountText: string,
    utrText: string,
    actor: string,
  ): Promise<TransferShown> {
    const amount = readAmount(amountText);
    const utr = readUtr(utrText);
    const transferId = await this.database.transaction((transaction) =>
      this.announceWithin(transaction, clientId, { amount, utr }, actor),
    );
    return this.show(transferId);
  }

  async announceWithin(
    { manager }: Transaction,
    clientId: number,
    { amount, utr }: Announcement,
    actor: string,
  ): Promise<number> {
    await requireClient(manager, clientId);
    await refuseTooMany(manager, clientId);
    const { transferId } = await manager
      .save(BankTransfer, { clientId, amount: numericFromMinor(amount), utr, announcedBy: actor })
      .catch((error: unknown) => {
        throw isKnownUtr(error) ? new UtrKnown(utr) : error;
      });
    return transferId;
  }

  list(
    filter: { status?: TransferStatus; clientId?: number },
    limit?: number,
  ): AsyncGenerator<TransferShown, number> {
    const values = [filter.status ?? null, filter.clientId ?? null, null];
    return this.database.stream<TransferShown>(LIST, values, limit);
  }

  /** It has arrived: it is in the wallet from now on. A person decides first between the claims of several clients. */
  async confirm(transferId: number, actor: string): Promise<TransferShown> {
    await this.database.transaction(async (transaction) => {
      const { clientId, utr, amount } = await this.decideWithin(transaction, { transferId }, actor, {
        status: 'confirmed',
      });
      await this.ledger.post(transaction, clientId, actor, [bankTopUp(utr, minorFromNumeric(amount))]);
    });
    return this.show(transferId);
  }

  /** It has not, or is not what was announced. Its number can be announced again, with another amount, say. */
  async refuse(transferId: number, reasonText: string, actor: string): Promise<TransferShown> {
    const reason = readLine('reason', reasonText, 200);
    await this.database.transaction((transaction) =>
      this.decideWithin(transaction, { transferId }, actor, { status: 'refused', reason }),
    );
    return this.show(transferId);
  }

  /** Whoever decides first has decided. Another client's is not there. */
  async decideWithin(
    { manager }: Transaction,
    which: Pick<BankTransfer, 'transferId'> & Partial<Pick<BankTransfer, 'clientId'>>,
    actor: string,
    decision: Pick<Partial<BankTransfer>, 'status' | 'reason'>,
  ): Promise<BankTransfer> {
    const { transferId } = which;
    const transfer = await manager.findOne(BankTransfer, {
      where: which,
      lock: { mode: 'pessimistic_write' },
    });
    if (!transfer) throw notFound(transferId);
    if (transfer.status !== 'announced')
      throw new DomainError('conflict', `The transfer was ${transfer.status} already.`);
    if (decision.status === 'confirmed') await refuseDisputed(manager, transfer);
    await manager.update(
      BankTransfer,
      { transferId },
      { ...decision, decidedBy: actor, decidedAt: () => 'now()' },
    );
    return transfer;
  }

  private async show(transferId: number): Promise<TransferShown> {
    const [transfer] = await this.database.query<TransferShown>({ text: LIST }, [null, null, transferId]);
    if (!transfer) throw notFound(transferId);
    return transfer;
  }
}

async function refuseTooMany(manager: EntityManager, clientId: number): Promise<void> {
  if ((await manager.countBy(BankTransfer, { clientId, status: 'announced' })) >= MOST_WAITING)
    throw new DomainError('conflict', `${MOST_WAITING} transfers wait for the wholesaler already.`);
  const yesterday = new Date(Date.now() - DAY_MS);
  if ((await manager.countBy(BankTransfer, { clientId, announcedAt: MoreThan(yesterday) })) >= MOST_A_DAY)
    throw new DomainError('conflict', `${MOST_A_DAY} transfers were announced since yesterday already.`);
}

async function refuseDisputed(manager: EntityManager, { clientId, utr }: BankTransfer): Promise<void> {
  const where = { utr, clientId: Not(clientId), status: In(['announced', 'confirmed']) };
  const [other] = await manager.find(BankTransfer, { where, order: { status: 'DESC' }, take: 1 });
  if (!other) return;
  const claim = `Client ${other.clientId} claims the UTR ${utr} too, by transfer ${other.transferId}`;
  const message =
    other.status === 'confirmed'
      ? `${claim}, which was confirmed: the money is in that wallet.`
      : `${claim}. Ask your bank who sent it, and refuse the wrong transfer first.`;
  throw new DomainError('conflict', message);
}

function isKnownUtr(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    (error.driverError as { constraint?: string }).constraint === CLAIMED_ONCE
  );
}

function notFound(transferId: number): DomainError {
  return new DomainError('transfer_not_found', `There is no bank transfer ${transferId}.`);
}
