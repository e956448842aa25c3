import type { Month } from '../../platform/time/time.js';
import { formatMonth } from '../../platform/formats.js';

/** Who gets a mail about the statement of a month. */
export interface StatementMailing {
  month: Month;
  /** Clients that have a statement. */
  clients: number;
  alreadyMailed: number;
  toMail: number;
  /** Clients without a person who gets this notice. */
  unreachable: string[];
}

/** The result as a sentence. */
export function describeMailing({ month, toMail, alreadyMailed, unreachable }: StatementMailing): string {
  const others = unreachable.length > 0 ? ` Without a mail: ${formatNames(unreachable)}.` : '';
  return `Statements of ${formatMonth(month)}: ${toMail} mailed now, ${alreadyMailed} before.${others}`;
}

export const formatNames = (names: readonly string[]): string =>
  names.slice(0, 10).join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');
