import { dayOf, formatDay, formatMonth } from '../../../platform/formats.js';
import { actorName } from '../../audit/actor-of.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Day, Month } from '../../../platform/time/time.js';
import { LAW_TIME_ZONE } from './law-time-zone.js';

/** The mark that the return of a month was filed. */
export interface FiledMonth {
  period: Month;
  gstin: string;
  filedAt: Date;
  actor: string;
}

/** Two letters, twelve digits and a check character. */
const ARN = /^[A-Z]{2}\d{12}[0-9A-Z]$/;

/** The acknowledgement number of the portal. */
export function readArn(text: string): string | null {
  const arn = text.trim().toUpperCase();
  if (arn === '' || ARN.test(arn)) return arn || null;
  const message = 'must have 15 characters, such as AA2910260012345';
  throw new DomainError('invalid_value', `The ARN ${message}.`, {
    errors: [{ field: 'arn', code: 'invalid', message }],
  });
}

export function formatFiled({ period, gstin, filedAt, actor }: FiledMonth): string {
  const [month, day] = [formatMonth(period), dayOf(filedAt, LAW_TIME_ZONE)];
  return `The return of ${month} for ${gstin} was marked as filed on ${day} by ${actorName(actor)}.`;
}

/** The invoice of goods that left in a filed month would be missing in its return. */
export function filedMonthError(filed: FiledMonth, leftOn: Day): DomainError {
  return new DomainError(
    'conflict',
    `The goods left on ${formatDay(leftOn)}, in a filed month. ${formatFiled(filed)} ` +
      'Give the day of the invoice, today for a new one, as the day of shipping. ' +
      'Or an admin takes the mark back.',
  );
}

/** A change of a filed month. Its return needs an amendment. */
export interface FilingChange {
  month: Month;
  changed_at: Date;
  /** A document, the first number of several, or a GSTIN. */
  subject: string;
  change: string;
  to_do: string;
}
