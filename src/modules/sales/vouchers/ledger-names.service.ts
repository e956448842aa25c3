import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { actorOf, type Author } from '../../audit/actor-of.js';
import { CompanyProfile } from '../../company/company-profile.entity.js';
import { actAs, Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { formatLedgerNames, type LedgerNames, parseLedgerNames, readLedgerNames } from './ledger-names.js';

@Injectable()
export class LedgerNamesService {
  constructor(
    private readonly database: Database,
    @InjectRepository(CompanyProfile) private readonly profiles: Repository<CompanyProfile>,
  ) {}

  async show(): Promise<LedgerNames> {
    return parseLedgerNames((await this.profiles.findOneByOrFail({ id: 1 })).ledgerNames);
  }

  /** A trigger logs the change. If the names on the page (as JSON) have changed, nothing is written. */
  async set(change: Partial<LedgerNames>, reviewedState: string, by: Author): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const lock = { mode: 'for_no_key_update' } as const;
      const profile = await manager.findOneOrFail(CompanyProfile, { where: { id: 1 }, lock });
      const was = parseLedgerNames(profile.ledgerNames);
      const ledgerNames = formatLedgerNames(readLedgerNames(change, was));
      if (reviewedState !== JSON.stringify(was))
        throw new DomainError(
          'conflict',
          'Another person changed this in the meantime. Nothing was changed.',
        );
      await actAs(transaction, actorOf(by));
      await manager.update(CompanyProfile, 1, { ledgerNames });
    });
  }
}
