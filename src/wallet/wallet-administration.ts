import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { clientNotFound } from '../auth/clients/client-finder.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric, parseHundredths } from '../platform/money/money.js';
import { readLine } from '../platform/validation/texts.js';
import { adjustment } from './rules/posting.js';
import { WalletLedger } from './wallet-ledger.js';
import type { WalletEntry } from './wallet-entry.entity.js';
import { Wallet } from './wallet.entity.js';

/** Newest first, and as many as there are: streamed, so raw. */
const HISTORY = `
  SELECT entry::float8, created_at, kind, against, amount::float8, balance_after::float8, order_number, payment_id, actor, note
    FROM wallet_entries WHERE client_id = $1 ORDER BY wallet_entries.entry DESC`;

export interface WalletShown {
  client_id: number;
  balance: number;
}

/** A line of the passbook. */
export type WalletLine = Pick<WalletEntry, 'kind' | 'against' | 'actor' | 'note'> & {
  entry: number;
  created_at: Date;
  amount: number;
  balance_after: number;
  order_number: string | null;
  payment_id: string | null;
};

/** What the wholesaler may see of a wallet, and do to it. */
@Injectable()
export class WalletAdministration {
  constructor(
    @InjectRepository(Wallet) private readonly wallets: Repository<Wallet>,
    private readonly database: Database,
    private readonly ledger: WalletLedger,
  ) {}

  async show(clientId: number): Promise<WalletShown> {
    const wallet = await this.wallets.findOneBy({ clientId });
    if (!wallet) throw clientNotFound(clientId);
    return { client_id: clientId, balance: amountFromMinor(minorFromNumeric(wallet.balance)) };
  }

  async history(clientId: number, limit?: number): Promise<AsyncGenerator<WalletLine, number>> {
    await this.show(clientId);
    return this.database.stream<WalletLine>(HISTORY, [clientId], limit);
  }

  /** A correction by hand: it needs a reason, for it is the one entry that nothing else explains. */
  async adjust(clientId: number, amountText: string, reason: string, actor: string): Promise<WalletShown> {
    const amount = readChange(amountText);
    const note = readLine('reason', reason, 200);
    const balance = await this.database.transaction((transaction) =>
      this.ledger.post(transaction, clientId, actor, [adjustment(amount, note, randomUUID())]),
    );
    return { client_id: clientId, balance: amountFromMinor(balance) };
  }
}

/** As much as an order can come to at most. */
const MOST = 10 ** 15;

function readChange(text: string): number {
  const parsed = parseHundredths(text.trim().replace(/^\+/, ''));
  if ('fault' in parsed) throw new DomainError('invalid_value', `The amount ${parsed.fault}.`);
  const { hundredths } = parsed;
  if (hundredths === 0 || Math.abs(hundredths) > MOST)
    throw new DomainError('invalid_value', 'The amount must not be 0, and not more than 10000000000000.');
  return hundredths;
}
