import type { ComponentChildren } from 'preact';
import { describeDocument } from '../../modules/invoices/document-words.js';
import { creditEndedText } from '../../modules/invoices/rules/credit-time.js';
import { type DocumentKind, MAX_SEARCHED_DOCUMENTS } from '../../modules/invoices/rules/document-number.js';
import { monthsOfDocuments } from '../../modules/invoices/rules/law-time-zone.js';
import type { TaxDocumentRow } from '../../modules/invoices/tax-documents.repository.js';
import { DownloadLink } from '../../shared/ui/components/controls.js';
import { Card, Facts } from '../../shared/ui/components/layout.js';
import { amountColumn, type ListColumn, titleColumn } from '../../shared/ui/components/lists.js';
import { ShortNumber } from '../../shared/ui/components/values.js';
import { formatDay, formatNumber, formatMonth } from '../../platform/formats.js';
import { type QueryOf, ListPage } from '../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../shared/ui/page.js';
import type { OnePage } from '../../platform/lists/bounded-lists.js';
import { minorFromAmount } from '../../platform/money/money.js';
import type { Day } from '../../platform/time/time.js';

/** The addresses on the dashboard or on the desk. */
export interface DocumentPaths {
  /** The list. Its documents, and the ZIP file of a month, stand below it. */
  list: string;
  order(orderNumber: string): string;
  /** The wholesaler also prints the copies for transporter and supplier. */
  hasCopies?: true;
}

const REDUCING: ReadonlySet<DocumentKind> = new Set(['credit_note', 'refund_voucher']);

const detailOf = ({ against, ...document }: TaxDocumentRow) =>
  against === null
    ? describeDocument(document)
    : `${describeDocument(document)} for ${against}${creditEndedNote(document.credit_ended_on)}`;

const creditEndedNote = (endedOn: Day | null) => (endedOn === null ? '' : `: ${creditEndedText(endedOn)}`);

interface Context {
  paths: DocumentPaths;
  /** For the wholesaler, who has documents of all clients. */
  showsClients?: boolean;
  currency: string;
}

export const DOCUMENTS = new ListPage({
  caption: 'Documents, newest first',
  filters: {
    search: {
      as: 'search',
      label: 'Number of a document or an order',
      placeholder: 'Document or order',
      maxLength: 64,
    },
    month: { as: 'month', label: 'Month', all: 'All months' },
  },
  mark: { name: 'before', kind: 'text', of: ({ number }: TaxDocumentRow) => number },
  columns: ({ paths, showsClients, currency }: Context): ListColumn<TaxDocumentRow>[] => [
    titleColumn('Document', (document) => ({
      text: document.number,
      href: documentPath(paths, document.number),
      detail: detailOf(document),
    })),
    ...(showsClients ? [{ heading: 'Client', cell: ({ client }: TaxDocumentRow) => client }] : []),
    { heading: 'Date', nowrap: true, cell: ({ issued_on }) => formatDay(issued_on) },
    {
      heading: 'Order',
      cell: ({ order_number: number }) =>
        number !== null && (
          <a href={paths.order(number)}>
            <ShortNumber of={number} />
          </a>
        ),
    },
    // Credit notes reduce what was invoiced, and refund vouchers what was received.
    amountColumn(
      'Amount',
      currency,
      ({ kind, amount }) => minorFromAmount(REDUCING.has(kind) ? -amount : amount),
      'amount',
    ),
  ],
  empty: {
    none: 'No documents yet. The first invoice comes with the first parcel.',
    noMatch:
      `No document matches. A search covers the newest ${formatNumber(MAX_SEARCHED_DOCUMENTS)} documents. ` +
      'For older ones choose a month, or enter the complete number.',
    all: { text: 'Show all documents' },
  },
});

interface Props extends Context {
  /** Other texts than for a client, and content above the list. */
  page?: Pick<Page, 'title' | 'lead'> & { above?: ComponentChildren };
  query: QueryOf<typeof DOCUMENTS>;
  result: OnePage<TaxDocumentRow>;
  /** The day of the first document. */
  first: Day | null;
}

const FOR_CLIENT: NonNullable<Props['page']> = {
  title: 'Invoices and notes',
  lead:
    'Each parcel has an invoice. A refund of invoiced goods has a credit note. ' +
    'If the refund is taken back, it also has a debit note. Choose a month to download all at once.',
};

export function documentsPage({ page = FOR_CLIENT, query, result, first, ...context }: Props): Page {
  const { list } = context.paths;
  const { month } = query.selected;
  const zip = month !== undefined && result.rows.length > 0 && (
    <DownloadLink href={withQuery(`${list}.zip`, { month })}>Whole month (ZIP)</DownloadLink>
  );
  const card = { title: month === undefined ? 'All months' : formatMonth(month), actions: zip };
  return DOCUMENTS.page({
    ...page,
    query,
    result,
    context,
    path: list,
    months: monthsOfDocuments(first),
    card,
  });
}

interface DocumentsProps {
  paths: DocumentPaths;
  documents: readonly TaxDocumentRow[];
  /** Follows a document, for the wholesaler. */
  more?: ((document: TaxDocumentRow) => ComponentChildren) | undefined;
}

/** The documents of an order, the oldest first. */
export const DocumentsCard = ({ paths, documents, more }: DocumentsProps) =>
  documents.length > 0 && (
    <Card title="Invoices">
      <Facts
        of={Object.fromEntries(
          documents.map((document) => [
            document.number,
            <>
              <DocumentLink paths={paths} document={document} />
              {more?.(document)}
            </>,
          ]),
        )}
      />
    </Card>
  );

interface LinkProps {
  paths: DocumentPaths;
  document: TaxDocumentRow;
}

export const DocumentLink = ({ paths, document }: LinkProps) => (
  <>
    <a href={documentPath(paths, document.number)}>{describeDocument(document)}</a>,{' '}
    {formatDay(document.issued_on)}
    {creditEndedNote(document.credit_ended_on)}
    {paths.hasCopies && document.kind === 'invoice' && (
      <>
        , <a href={withQuery(documentPath(paths, document.number), { copies: 'all' })}>three copies</a>
      </>
    )}
  </>
);

export const documentPath = ({ list }: DocumentPaths, number: string) => `${list}/${number}.pdf`;
