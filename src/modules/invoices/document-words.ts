import type { Day } from '../../platform/time/time.js';
import type { DocumentKind } from './rules/document-number.js';

const DOCUMENT_WORDS: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  debit_note: 'Debit note',
  receipt_voucher: 'Receipt voucher',
  refund_voucher: 'Refund voucher',
};

/** A note that changes no tax is commercial. */
export const describeDocument = ({
  kind,
  credit_ended_on: endedOn,
  is_commercial: isCommercial,
}: {
  kind: DocumentKind;
  credit_ended_on?: Day | null;
  is_commercial?: boolean;
}): string =>
  (endedOn ?? null) === null && !isCommercial
    ? DOCUMENT_WORDS[kind]
    : `Commercial ${DOCUMENT_WORDS[kind].toLowerCase()}`;
