import { textIn } from '../../pages/forms.js';
import type { FormFields } from '../../platform/http/parse-form.js';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day as a browser's field of dates gives it: "2026-11-20". What is none asks for nothing. */
export function dayIn(query: FormFields, name: string): string | undefined {
  const text = textIn(query, name);
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined) return undefined;
  // 30 February would be 2 March.
  return new Date(year, month! - 1, day).getDate() === day && year > 1970 ? text : undefined;
}

/** When it begins, by the clock of the service's own machine, by which times are shown too; so many days later. */
export function beginningOf(day: string, later = 0): Date {
  const [, year, month, date] = DAY.exec(day)!.map(Number);
  return new Date(year!, month! - 1, date! + later);
}
