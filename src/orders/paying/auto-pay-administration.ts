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

  /** `check` may still object to what it was before. */
  async setWithin(
    { manager }: Transaction,
    clientId: number,
    change: AutoPayChange,
    actor: string,
    check?: (before: AutoPaySetting) => void,
  ): Promise<void> {
    const settings = manager.getRepository(AutoPaySetting);
    await settings.createQueryBuilder().insert().values({ clientId, changedBy: actor }).orIgnore().execute();
    const lock = { mode: 'pessimistic_write' } as const;
    const before = await settings.findOneOrFail({ where: { clientId }, lock });
    check?.(before);
    await settings.update({ clientId }, { ...changed(before, change), changedBy: actor });
  }
}

/** By the clock of the database, by which orders are placed. */
function changed(
  { enabledAt }: AutoPaySetting,
  { enabled, orderCap, dayCap }: AutoPayChange,
): QueryDeepPartialEntity<AutoPaySetting> {
  const isSwitched = enabled !== undefined && enabled !== (enabledAt !== null);
  return {
    ...(isSwitched && { enabledAt: enabled ? () => 'now()' : null }),
    ...(orderCap !== undefined && { orderCap: capOf(orderCap) }),
    ...(dayCap !== undefined && { dayCap: capOf(dayCap) }),
  };
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
