import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  minorFromNumeric,
  numericFromMinor,
  parseHundredths,
} from '../../platform/money/money.js';
import { AutoPaySetting } from './auto-pay.entity.js';

export interface AutoPayShown {
  client_id: number;
  enabled: boolean;
  order_cap: number | null;
  day_cap: number | null;
}

/** What is given of it; `none` lifts a cap. */
export interface AutoPayChange {
  enabled?: boolean;
  orderCap?: string;
  dayCap?: string;
}

/** Whether a client's new orders are paid at once, and up to what. Off at first. */
@Injectable()
export class AutoPayAdministration {
  constructor(
    private readonly database: Database,
    @InjectRepository(AutoPaySetting) private readonly settings: Repository<AutoPaySetting>,
  ) {}

  async show(clientId: number): Promise<AutoPayShown> {
    return toShown(clientId, await this.settings.findOneBy({ clientId }));
  }

  /** Switching it on again begins anew: what was placed meanwhile is left alone. What others change at the same moment stays. */
  async set(clientId: number, change: AutoPayChange, actor: string): Promise<AutoPayShown> {
    await this.database.transaction((transaction) => this.setWithin(transaction, clientId, change, actor));
    return this.show(clientId);
  }

  /** `check` may object to the current setting. Returns false if nothing changes; then nothing is written. */
  async setWithin(
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
}

/** By the clock of the database, by which orders are placed. */
function changed(
  before: AutoPaySetting,
  { enabled, ...caps }: AutoPayChange,
): QueryDeepPartialEntity<AutoPaySetting> {
  const isSwitched = enabled !== undefined && enabled !== (before.enabledAt !== null);
  const values: QueryDeepPartialEntity<AutoPaySetting> = isSwitched
    ? { enabledAt: enabled ? () => 'now()' : null }
    : {};
  for (const name of ['orderCap', 'dayCap'] as const) {
    const given = caps[name];
    const cap = given === undefined ? before[name] : capOf(given);
    if (cap !== before[name]) values[name] = cap;
  }
  return values;
}

export function capOf(text: string): string | null {
  if (text === 'none') return null;
  const parsed = parseHundredths(text.trim());
  if ('fault' in parsed) throw new DomainError('invalid_value', `The cap ${parsed.fault}, or none.`);
  if (parsed.hundredths <= 0) throw new DomainError('invalid_value', 'The cap must be more than 0, or none.');
  return numericFromMinor(parsed.hundredths);
}

function toShown(clientId: number, setting: Omit<AutoPaySetting, 'changedBy'> | null): AutoPayShown {
  const amount = (numeric: string | null = null) =>
    numeric === null ? null : amountFromMinor(minorFromNumeric(numeric));
  return {
    client_id: clientId,
    enabled: (setting?.enabledAt ?? null) !== null,
    order_cap: amount(setting?.orderCap),
    day_cap: amount(setting?.dayCap),
  };
}
