import type { DocumentKind } from './rules/document-number.js';
import type { TaxDocumentRow } from './tax-documents.repository.js';

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
}: Pick<TaxDocumentRow, 'kind'> &
  Partial<Pick<TaxDocumentRow, 'credit_ended_on' | 'is_commercial'>>): string =>
  (endedOn ?? null) === null && !isCommercial
    ? DOCUMENT_WORDS[kind]
    : `Commercial ${DOCUMENT_WORDS[kind].toLowerCase()}`;
