import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../auth/people/signed-in-person.js';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, ungrouped } from '../../platform/money/money.js';
import { readFields } from '../../platform/validation/readers.js';
import { AutoPayAdministration, capOf } from './auto-pay-administration.js';
import { AutoPaySetting } from './auto-pay.entity.js';
import { paidToday } from './auto-pay.js';

export interface ClientAutoPayShown {
  /** Since when; null while it is off. */
  enabledAt: Date | null;
  /** What a single order and all of a day (UTC) may cost at most; null: as much as there is. */
  orderCap: Minor | null;
  dayCap: Minor | null;
  /** What was paid like that today. */
  paidToday: Minor;
}

/** As it is typed; an empty cap is none. */
export interface AutoPayWish {
  enabled: boolean;
  orderCap: string;
  dayCap: string;
  /** What was shown to whoever wishes it, as `shownAs` says it. */
  shown: string;
}

type Standing = Pick<ClientAutoPayShown, 'enabledAt' | 'orderCap' | 'dayCap'>;

/** What holds, in a word that comes back with the wish. */
export function shownAs({ enabledAt, orderCap, dayCap }: Standing): string {
  return [enabledAt === null ? 'off' : 'on', orderCap ?? 'any', dayCap ?? 'any'].join(' ');
}

const PAID_TODAY = {
  name: 'auto-pay-today',
  text: `SELECT coalesce(-sum(amount), 0) AS paid FROM ${paidToday('$1')}`,
};

/** Whether a client's new orders are paid from its wallet by themselves: its people see it, its owners decide. */
@Injectable()
export class ClientAutoPay {
  constructor(
    private readonly database: Database,
    private readonly administration: AutoPayAdministration,
    private readonly audit: AuditLog,
    @InjectRepository(AutoPaySetting) private readonly settings: Repository<AutoPaySetting>,
  ) {}

  async show(clientId: number): Promise<ClientAutoPayShown> {
    const setting = await this.settings.findOneBy({ clientId });
    const [today] = await this.database.query<{ paid: string }>(PAID_TODAY, [clientId]);
    return {
      ...standingOf(setting),
      paidToday: minorFromNumeric(today!.paid),
    };
  }

  /** What was shown is what is changed, or nothing is: a page that was left open switches nothing back. */
  async set(person: ClientPerson, wish: AutoPayWish): Promise<void> {
    requireRole(person, 'owner');
    const { clientId } = person;
    const { enabled, orderCap, dayCap } = readFields({
      enabled: () => wish.enabled,
      orderCap: () => typedCap(wish.orderCap),
      dayCap: () => typedCap(wish.dayCap),
    });
    await this.database.transaction(async (transaction) => {
      const change = { enabled, orderCap: orderCap ?? 'none', dayCap: dayCap ?? 'none' };
      const isNews = await this.administration.setWithin(
        transaction,
        clientId,
        change,
        actorOf(person),
        (before) => {
          if (shownAs(standingOf(before)) !== wish.shown) throw changedMeanwhile();
        },
      );
      if (isNews)
        await this.audit.recordWithin(transaction, {
          person,
          action: 'auto-pay.changed',
          subject: 'auto-pay',
          details: { enabled, order_cap: orderCap, day_cap: dayCap },
        });
    });
  }
}

function typedCap(text: string): string | null {
  return text.trim() === '' ? null : capOf(ungrouped(text));
}

function standingOf(setting: AutoPaySetting | null): Standing {
  return {
    enabledAt: setting?.enabledAt ?? null,
    orderCap: minorOrNull(setting?.orderCap),
    dayCap: minorOrNull(setting?.dayCap),
  };
}

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', 'Another person changed auto-pay after you opened this page.');
}

function minorOrNull(numeric: string | null = null): Minor | null {
  return numeric === null ? null : minorFromNumeric(numeric);
}
