import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  type Minor,
  minorFromNumeric,
  numericFromMinor,
  parseAmount,
} from '../../../platform/money/money.js';
import { dayAt, startOfDay } from '../../../platform/time/time.js';
import { readFields } from '../../../platform/validation/readers.js';
import { AutoPayRepository } from './auto-pay.repository.js';
import { AutoPaySetting } from './auto-pay.entity.js';

interface AutoPayView {
  client_id: number;
  enabled: boolean;
  order_cap: number | null;
  day_cap: number | null;
}

/** Fields to change; `none` removes a cap. */
interface AutoPayChange {
  enabled?: boolean;
  orderCap?: string;
  dayCap?: string;
}

export interface ClientAutoPayView {
  /** Null while it is off. */
  enabledAt: Date | null;
  /** The caps of one order and of a day of the client. Null: no cap. */
  orderCap: Minor | null;
  dayCap: Minor | null;
  /** The sum of today's automatic payments. */
  paidToday: Minor;
}

/** The typed form. An empty cap is no cap. */
export interface AutoPayInput {
  enabled: boolean;
  orderCap: string;
  dayCap: string;
  /** The values on the page that was sent, from `formatAutoPayValues`. */
  reviewedValues: string;
}

type AutoPayValues = Pick<ClientAutoPayView, 'enabledAt' | 'orderCap' | 'dayCap'>;

/** The setting as a text that a form sends back. */
export function formatAutoPayValues({ enabledAt, orderCap, dayCap }: AutoPayValues): string {
  return [enabledAt === null ? 'off' : 'on', orderCap ?? 'any', dayCap ?? 'any'].join(' ');
}

const CHANGED_MEANWHILE =
  'Nothing was changed, because another person changed the settings after you opened this page. ' +
  'Compare your changes with the current settings, and save again.';

/** Whether a client's new orders are paid from its wallet at once, and up to which caps. Off at first. */
@Injectable()
export class AutoPayService {
  constructor(
    private readonly database: Database,
    private readonly repository: AutoPayRepository,
    private readonly audit: AuditLog,
    @InjectRepository(AutoPaySetting) private readonly settings: Repository<AutoPaySetting>,
  ) {}

  async show(clientId: number): Promise<AutoPayView> {
    const { enabledAt, orderCap, dayCap } = toAutoPayValues(await this.settings.findOneBy({ clientId }));
    const amount = (cap: Minor | null) => cap && amountFromMinor(cap);
    return {
      client_id: clientId,
      enabled: enabledAt !== null,
      order_cap: amount(orderCap),
      day_cap: amount(dayCap),
    };
  }

  /**
   * Turning it on again pays only orders placed from then on. Concurrent changes of other fields are kept.
   */
  async set(clientId: number, change: AutoPayChange, actor: string): Promise<AutoPayView> {
    await this.database.transaction((transaction) => this.setWithin(transaction, clientId, change, actor));
    return this.show(clientId);
  }

  /** `check` may refuse the current setting. Returns false if nothing changes. */
  private async setWithin(
    { manager }: Transaction,
    clientId: number,
    change: AutoPayChange,
    actor: string,
    check?: (before: AutoPaySetting) => void,
  ): Promise<boolean> {
    const settings = manager.getRepository(AutoPaySetting);
    await settings.createQueryBuilder().insert().values({ clientId, changedBy: actor }).orIgnore().execute();
    const lock = { mode: 'pessimistic_write' } as const;
    const before = await settings.findOneOrFail({ where: { clientId }, lock });
    check?.(before);
    const values = changed(before, change);
    if (Object.keys(values).length === 0) return false;
    await settings.update({ clientId }, { ...values, changedBy: actor });
    return true;
  }

  async showToClient({
    clientId,
    timeZone,
  }: Pick<ClientPerson, 'clientId' | 'timeZone'>): Promise<ClientAutoPayView> {
    const setting = await this.settings.findOneBy({ clientId });
    const today = startOfDay(dayAt(Date.now(), timeZone), timeZone);
    return { ...toAutoPayValues(setting), paidToday: await this.repository.paidSince(clientId, today) };
  }

  /** Refuses a form that was made from an older setting, so a page left open undoes nothing. */
  async setByClient(person: ClientPerson, input: AutoPayInput): Promise<void> {
    requireRole(person, 'owner');
    const { clientId } = person;
    const { enabled, orderCap, dayCap } = readFields({
      enabled: () => input.enabled,
      orderCap: () => parseTypedCap(input.orderCap),
      dayCap: () => parseTypedCap(input.dayCap),
    });
    await this.database.transaction(async (transaction) => {
      const change = { enabled, orderCap: orderCap ?? 'none', dayCap: dayCap ?? 'none' };
      const isChanged = await this.setWithin(transaction, clientId, change, actorOf(person), (before) => {
        if (formatAutoPayValues(toAutoPayValues(before)) === input.reviewedValues) return;
        throw new DomainError('conflict', CHANGED_MEANWHILE);
      });
      if (isChanged)
        await this.audit.recordWithin(transaction, {
          person,
          action: 'auto-pay.changed',
          subject: 'auto-pay',
          details: { enabled, order_cap: orderCap, day_cap: dayCap },
        });
    });
  }
}

/** Uses the database's clock, which also dates the orders. */
function changed(
  before: AutoPaySetting,
  { enabled, ...caps }: AutoPayChange,
): QueryDeepPartialEntity<AutoPaySetting> {
  const isSwitched = enabled !== undefined && enabled !== (before.enabledAt !== null);
  const values: QueryDeepPartialEntity<AutoPaySetting> = isSwitched
    ? { enabledAt: enabled ? () => 'now()' : null }
    : {};
  for (const name of ['orderCap', 'dayCap'] as const) {
    const capText = caps[name];
    const cap = capText === undefined ? before[name] : parseCap(capText);
    if (cap !== before[name]) values[name] = cap;
  }
  return values;
}

/** The cap as numeric text; null for `none`. */
export function parseCap(text: string): string | null {
  if (text === 'none') return null;
  const parsed = parseAmount(text);
  if ('fault' in parsed) throw new DomainError('invalid_value', `The cap ${parsed.fault}, or none.`);
  if (parsed.hundredths <= 0) throw new DomainError('invalid_value', 'The cap must be more than 0, or none.');
  return numericFromMinor(parsed.hundredths);
}

function parseTypedCap(text: string): string | null {
  return text.trim() === '' ? null : parseCap(text);
}

function toAutoPayValues(setting: AutoPaySetting | null): AutoPayValues {
  return {
    enabledAt: setting?.enabledAt ?? null,
    orderCap: minorOrNull(setting?.orderCap),
    dayCap: minorOrNull(setting?.dayCap),
  };
}

function minorOrNull(numeric: string | null = null): Minor | null {
  return numeric === null ? null : minorFromNumeric(numeric);
}
