import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
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
  constructor(@InjectRepository(AutoPaySetting) private readonly settings: Repository<AutoPaySetting>) {}

  async show(clientId: number): Promise<AutoPayShown> {
    return toShown(clientId, await this.settings.findOneBy({ clientId }));
  }

  /** Switching it on again begins anew: what was placed meanwhile is left alone. */
  async set(
    clientId: number,
    { enabled, orderCap, dayCap }: AutoPayChange,
    actor: string,
  ): Promise<AutoPayShown> {
    const before = await this.settings.findOneBy({ clientId });
    const enabledAt = before?.enabledAt ?? null;
    const setting = {
      clientId,
      enabledAt: enabled === undefined || enabled === (enabledAt !== null) ? enabledAt : startOf(enabled),
      orderCap: capOf(orderCap, before?.orderCap ?? null),
      dayCap: capOf(dayCap, before?.dayCap ?? null),
      changedBy: actor,
    };
    await this.settings.upsert(setting, ['clientId']);
    return toShown(clientId, { ...setting });
  }
}

function startOf(enabled: boolean): Date | null {
  return enabled ? new Date() : null;
}

function capOf(text: string | undefined, before: string | null): string | null {
  if (text === undefined) return before;
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
