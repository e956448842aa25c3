import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isMonth, type Month, periodOf, type TimeZone } from '../../../platform/time/time.js';
import type { PassbookFilter } from '../../../wallet/passbook.repository.js';
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
    month: isMonth(month) ? month : undefined,
    before: placeIn(query, 'before'),
  };
}

export function filterOf({ kind, month }: Chosen, timeZone: TimeZone): PassbookFilter {
  return { ...(kind && { kind }), ...(month !== undefined && periodOf(month, timeZone)) };
}

export function walletPath({ kind, month }: Chosen, before?: number): string {
  return withQuery(WALLET, { kind, month, before });
}

export function walletFilePath({ kind, month }: Chosen): string {
  return withQuery(`${WALLET}.csv`, { kind, month });
}

/** The wholesaler's statement of a month: every entry, whatever the page shows. */
export function statementPath(month: Month, kind: 'csv' | 'pdf'): string {
  return withQuery(`${WALLET}/statement.${kind}`, { month });
}
