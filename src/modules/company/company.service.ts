import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { actAs, Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Detail, parseDetails } from '../../platform/settings/details.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import {
  COMPANY_FIELD_NAMES,
  type CompanyChange,
  type CompanyFieldName,
  formatDetails,
  readDetails,
} from './company-fields.js';
import { CompanyProfile } from './company-profile.entity.js';

/** The account with the sandbox gateway, so that bank transfers can be tried too. */
const MADE_UP: Detail[] = [
  { label: 'Account name', value: 'Made up: no money moves' },
  { label: 'Account number', value: '000000000000' },
  { label: 'IFSC', value: 'TEST0000000' },
];

/** The wholesaler's bank account and contact. Environment variables override stored values. */
@Injectable()
export class CompanyService {
  constructor(
    private readonly database: Database,
    @InjectRepository(CompanyProfile) private readonly profiles: Repository<CompanyProfile>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The account for bank transfers. Empty if the wholesaler takes none. */
  async bankDetails(): Promise<readonly Detail[]> {
    const details = await this.details('bankDetails');
    return details.length === 0 && this.settings.paymentGateway.name === 'sandbox' ? MADE_UP : details;
  }

  contact(): Promise<readonly Detail[]> {
    return this.details('contact');
  }

  /** The values as lines of text. */
  async show(manager = this.profiles.manager): Promise<Record<CompanyFieldName, string>> {
    const bankDetails = formatDetails(await this.details('bankDetails', manager));
    return { bankDetails, contact: formatDetails(await this.details('contact', manager)) };
  }

  /** The fields that no environment variable sets. */
  get open(): CompanyFieldName[] {
    return COMPANY_FIELD_NAMES.filter((name) => this.settings[name].length === 0);
  }

  /** The values to store. Refuses wrong ones. */
  read(change: CompanyChange): CompanyChange {
    return Object.fromEntries(
      this.open.flatMap((name) => {
        const text = change[name];
        return text === undefined ? [] : [[name, readDetails(name, text)]];
      }),
    );
  }

  /** A trigger logs the change. If the texts on the page (as JSON) have changed, nothing is written. */
  async set(change: CompanyChange, reviewedState: string, by: Author): Promise<void> {
    const values = this.read(change);
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await manager.findOne(CompanyProfile, { where: { id: 1 }, lock: { mode: 'for_no_key_update' } });
      if (reviewedState !== JSON.stringify(await this.show(manager)))
        throw new DomainError(
          'conflict',
          'Another person changed this in the meantime. Nothing was changed.',
        );
      if (Object.keys(values).length === 0) return;
      await actAs(transaction, actorOf(by));
      await manager.update(CompanyProfile, 1, values);
    });
  }

  private async details(name: CompanyFieldName, manager = this.profiles.manager): Promise<readonly Detail[]> {
    const configured = this.settings[name];
    if (configured.length > 0) return configured;
    const { [name]: stored } = await manager.findOneByOrFail(CompanyProfile, { id: 1 });
    return parseDetails(stored) as Detail[];
  }
}
