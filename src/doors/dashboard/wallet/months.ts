import type { Period } from '../../../wallet/passbook.repository.js';

/** A calendar month in the machine's time zone, which the pages also use: "2026-11". */
export type Month = string;

const FORM = /^(20\d\d)-(0[1-9]|1[0-2])$/;

/** A longer list would be hard to use. */
const MOST = 60;

const NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

export function isMonth(text: string): boolean {
  return FORM.test(text);
}

export function monthOf(at: Date): Month {
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`;
}

export function periodOf(month: Month): Required<Period> {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { from: new Date(year, number - 1), to: new Date(year, number) };
}

export function nameOf(month: Month): string {
  return NAME.format(periodOf(month).from);
}

/** Latest first. */
export function monthsBetween(first: Date, last: Date): Month[] {
  const months: Month[] = [];
  const at = new Date(last.getFullYear(), last.getMonth());
  while (monthOf(at) >= monthOf(first) && months.length < MOST) {
    months.push(monthOf(at));
    at.setMonth(at.getMonth() - 1);
  }
  return months;
}
