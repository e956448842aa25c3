import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { PassbookFilter, Period } from '../../../wallet/passbook.repository.js';
import { POSTING_KINDS, type PostingKind } from '../../../wallet/rules/posting.js';
import { placeIn, WALLET } from '../paths.js';

/** The filter in the page's address. */
export interface Chosen {
  kind: PostingKind | undefined;
  month: Month | undefined;
}

export interface WalletQuery extends Chosen {
  before: number | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readWalletQuery(query: FormFields): WalletQuery {
  const month = textIn(query, 'month');
  return {
    kind: POSTING_KINDS.find((kind) => kind === textIn(query, 'kind')),
    month: MONTH.test(month) ? month : undefined,
    before: placeIn(query, 'before'),
  };
}

export function filterOf({ kind, month }: Chosen): PassbookFilter {
  return { ...(kind && { kind }), ...(month !== undefined && periodOf(month)) };
}

export function walletPath({ kind, month }: Chosen, before?: number): string {
  return withQuery(WALLET, { kind, month, before });
}

export function walletFilePath({ kind, month }: Chosen): string {
  return withQuery(`${WALLET}.csv`, { kind, month });
}

/** A calendar month in the machine's time zone, which the pages also use: "2026-11". */
export type Month = string;

const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/;

/** A longer list would be hard to use. */
const MOST = 60;

const NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

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
