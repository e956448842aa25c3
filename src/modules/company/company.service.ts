import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { logoPath } from '../pictures/picture-paths.js';
import { PicturesService } from '../pictures/pictures.service.js';
import { readPictureHeader } from '../pictures/rules/picture-header.js';
import { MAX_LOGO_SIDE } from '../pictures/rules/on-white.js';
import { actAs, Database } from '../../platform/database/database.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Detail, parseDetails } from '../../platform/settings/details.js';
import { Firm } from '../../platform/settings/firm.js';
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

/** The wholesaler's bank account, contact and logo. Environment variables override stored values. */
@Injectable()
export class CompanyService {
  constructor(
    private readonly database: Database,
    @InjectRepository(CompanyProfile) private readonly profiles: Repository<CompanyProfile>,
    private readonly pictures: PicturesService,
    private readonly firm: Firm,
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
      await this.lock(manager);
      if (reviewedState !== JSON.stringify(await this.show(manager))) throw changedError();
      if (Object.keys(values).length === 0) return;
      await actAs(transaction, actorOf(by));
      await manager.update(CompanyProfile, 1, values);
    });
  }

  /** The hash of the logo. */
  async logo(manager = this.profiles.manager): Promise<string | null> {
    return (await manager.findOneByOrFail(CompanyProfile, { id: 1 })).logo;
  }

  /** Keeps an uploaded picture, and returns the hash by which `setLogo` makes it the logo. */
  addLogo(bytes: Buffer, owner: ThreadOwner): Promise<string> {
    return this.pictures.addLogo(bytes, owner);
  }

  /** Refuses a picture that `addLogo` did not make. */
  async checkLogo(hash: string): Promise<void> {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new DomainError('invalid_value', 'Upload the picture as a logo.');
    const { width, height } = readPictureHeader(await this.pictures.readLogo(hash))!;
    if (Math.max(width, height) > MAX_LOGO_SIDE)
      throw new DomainError('invalid_value', 'Upload the picture as a logo.');
  }

  /** Null removes it. Documents keep their logo. If it has changed since the review, nothing is written. */
  async setLogo(hash: string | null, reviewedLogo: string | null, by: Author): Promise<void> {
    if (hash !== null) await this.checkLogo(hash);
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await this.lock(manager);
      if (reviewedLogo !== (await this.logo(manager))) throw changedError();
      await actAs(transaction, actorOf(by));
      await manager.update(CompanyProfile, 1, { logo: hash });
    });
    // Other processes learn it by their jobs.
    this.firm.logo = hash && logoPath(hash);
  }

  /** Until the transaction ends, no other one changes the profile. */
  private async lock(manager: EntityManager): Promise<void> {
    await manager.findOne(CompanyProfile, { where: { id: 1 }, lock: { mode: 'for_no_key_update' } });
  }

  private async details(name: CompanyFieldName, manager = this.profiles.manager): Promise<readonly Detail[]> {
    const configured = this.settings[name];
    if (configured.length > 0) return configured;
    const { [name]: stored } = await manager.findOneByOrFail(CompanyProfile, { id: 1 });
    return parseDetails(stored) as Detail[];
  }
}

function changedError(): DomainError {
  return new DomainError('conflict', 'Another person changed this in the meantime. Nothing was changed.');
}
