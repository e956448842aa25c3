import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/addresses.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { PassbookFilter } from '../../../wallet/passbook/passbook.js';
import { POSTING_KINDS, type PostingKind } from '../../../wallet/rules/posting.js';
import { placeIn } from '../place-in.js';
import { isMonth, type Month, periodOf } from './months.js';

export const WALLET = '/dashboard/wallet';
export const TOP_UP = `${WALLET}/top-up`;
export const TRANSFERS = `${WALLET}/transfers`;
export const AUTO_PAY = `${WALLET}/auto-pay`;

/** What of the passbook is shown. */
export interface Chosen {
  kind: PostingKind | undefined;
  month: Month | undefined;
}

export interface WalletQuery extends Chosen {
  before: number | undefined;
}

/** What makes no sense asks for nothing. */
export function readWalletQuery(query: FormFields): WalletQuery {
  const month = textIn(query, 'month');
  return {
    kind: POSTING_KINDS.find((kind) => kind === textIn(query, 'kind')),
    month: isMonth(month) ? month : undefined,
    before: placeIn(query, 'before'),
  };
}

export function filterOf({ kind, month }: Chosen): PassbookFilter {
  return { ...(kind && { kind }), ...(month !== undefined && periodOf(month)) };
}

/** The address of the page that shows it. */
export function walletPath({ kind, month }: Chosen, before?: number): string {
  return withQuery(WALLET, { kind, month, before });
}

/** The address of all of it as a file. */
export function walletFilePath({ kind, month }: Chosen): string {
  return withQuery(`${WALLET}.csv`, { kind, month });
}
