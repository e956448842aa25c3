import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { actAs, Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { type Detail, detailsIn } from '../platform/settings/details.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { HOUSE_NAMES, type HouseChange, type HouseName, inLines, readDetails } from './house-fields.js';
import { House } from './house.entity.js';

/** With the sandbox, so that bank transfers can be tried too. */
const MADE_UP: Detail[] = [
  { label: 'Account name', value: 'Made up: no money moves' },
  { label: 'Account number', value: '000000000000' },
  { label: 'IFSC', value: 'TEST0000000' },
];

/** How clients pay by bank and reach the wholesaler. What the environment sets wins. */
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

  /** The values in lines. */
  async show(): Promise<Record<HouseName, string>> {
    const [bankDetails, contact] = [await this.details('bankDetails'), await this.details('contact')];
    return { bankDetails: inLines(bankDetails), contact: inLines(contact) };
  }

  /** The fields that the environment leaves to the desk. */
  get open(): HouseName[] {
    return HOUSE_NAMES.filter((name) => this.settings[name].length === 0);
  }

  /** The values as they would be stored. Refuses wrong ones. */
  read(change: HouseChange): HouseChange {
    return Object.fromEntries(
      this.open.flatMap((name) => {
        const text = change[name];
        return text === undefined ? [] : [[name, readDetails(name, text)]];
      }),
    );
  }

  /** A trigger logs the change. `seen` has the values that the person saw. */
  async set(change: HouseChange, seen: HouseChange, by: Author): Promise<void> {
    const values = this.read(change);
    await this.database.transaction(async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const now = await transaction.manager.findOneOrFail(House, { where: { id: 1 }, lock });
      const isLate = this.open.some((name) => seen[name] !== undefined && seen[name] !== now[name]);
      if (isLate)
        throw new DomainError(
          'conflict',
          'Another person changed this in the meantime. Nothing was written.',
        );
      await actAs(transaction, actorOf(by));
      await transaction.manager.update(House, 1, values);
    });
  }

  private async details(name: HouseName): Promise<readonly Detail[]> {
    const given = this.settings[name];
    if (given.length > 0) return given;
    const { [name]: stored } = await this.houses.findOneByOrFail({ id: 1 });
    return detailsIn(stored) as Detail[];
  }
}
