import { placeIn, textIn } from '../../pages/forms.js';
import { withQuery } from '../../pages/page.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { isMonth, type Month, periodOf, type TimeZone } from '../../platform/time/time.js';
import type { PassbookFilter } from '../../wallet/passbook.repository.js';
import { POSTING_KINDS, type PostingKind } from '../../wallet/rules/posting.js';

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
    before: placeIn(query, 'before', 15),
  };
}

export function filterOf({ kind, month }: Chosen, timeZone: TimeZone): PassbookFilter {
  return { ...(kind && { kind }), ...(month !== undefined && periodOf(month, timeZone)) };
}

/** The passbook in the wallet at this address. */
export function passbookPath(wallet: string, { kind, month }: Chosen, before?: number): string {
  return withQuery(wallet, { kind, month, before });
}
