import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { actAs, Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Detail, detailsIn } from '../../platform/settings/details.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { HOUSE_NAMES, type HouseChange, type HouseName, inLines, readDetails } from './company-fields.js';
import { House } from './company-profile.entity.js';

/** The account with the sandbox gateway, so that bank transfers can be tried too. */
const MADE_UP: Detail[] = [
  { label: 'Account name', value: 'Made up: no money moves' },
  { label: 'Account number', value: '000000000000' },
  { label: 'IFSC', value: 'TEST0000000' },
];

/** The wholesaler's bank account and contact. Environment variables override stored values. */
@Injectable()
export class HouseService {
  constructor(
    private readonly database: Database,
    @InjectRepository(House) private readonly houses: Repository<House>,
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
  async show(manager = this.houses.manager): Promise<Record<HouseName, string>> {
    const bankDetails = inLines(await this.details('bankDetails', manager));
    return { bankDetails, contact: inLines(await this.details('contact', manager)) };
  }

  /** The fields that no environment variable sets. */
  get open(): HouseName[] {
    return HOUSE_NAMES.filter((name) => this.settings[name].length === 0);
  }

  /** The values to store. Refuses wrong ones. */
  read(change: HouseChange): HouseChange {
    return Object.fromEntries(
      this.open.flatMap((name) => {
        const text = change[name];
        return text === undefined ? [] : [[name, readDetails(name, text)]];
      }),
    );
  }

  /** A trigger logs the change. If the texts on the page (as JSON) have changed, nothing is written. */
  async set(change: HouseChange, seen: string, by: Author): Promise<void> {
    const values = this.read(change);
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await manager.findOne(House, { where: { id: 1 }, lock: { mode: 'for_no_key_update' } });
      if (seen !== JSON.stringify(await this.show(manager)))
        throw new DomainError(
          'conflict',
          'Another person changed this in the meantime. Nothing was changed.',
        );
      if (Object.keys(values).length === 0) return;
      await actAs(transaction, actorOf(by));
      await manager.update(House, 1, values);
    });
  }

  private async details(name: HouseName, manager = this.houses.manager): Promise<readonly Detail[]> {
    const given = this.settings[name];
    if (given.length > 0) return given;
    const { [name]: stored } = await manager.findOneByOrFail(House, { id: 1 });
    return detailsIn(stored) as Detail[];
  }
}
