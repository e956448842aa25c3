import type { DocumentKind } from '../../../invoices/rules/document-number.js';
import type { DocumentListed } from '../../../invoices/tax-documents.repository.js';
import { DownloadLink, FilterSelect } from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { amounts, type Column, ListCard, Pager, SearchForm } from '../../../pages/components/lists.js';
import { Named } from '../../../pages/components/values.js';
import { dayOf, nameOfMonth } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { Day, Month } from '../../../platform/time/time.js';
import { documentPath, INVOICES, orderPath } from '../paths.js';

export interface InvoicesQuery {
  /** A part of a number, of an order's number or of the store's id. */
  search: string | undefined;
  month: Month | undefined;
  /** The number of the last document of the page before. */
  before: string | undefined;
}

interface Props {
  documents: readonly DocumentListed[];
  older: string | undefined;
  chosen: InvoicesQuery;
  /** The months since the first document, latest first. */
  months: readonly Month[];
  currency: string;
}

export function invoicesPage(props: Props): Page {
  const { documents, older, months, currency } = props;
  const { search, month, before } = props.chosen;
  return {
    title: 'Invoices and credit notes',
    lead: 'Each parcel has an invoice. A refund of what was invoiced has a credit note.',
    content: (
      <>
        <div class="stack filter">
          <SearchForm
            action={INVOICES}
            name="search"
            label="Number of a document or an order"
            placeholder="Document or order"
            value={search}
            maxlength={64}
          >
            <FilterSelect
              name="month"
              label="Month"
              all="All months"
              options={months.map((value) => ({ value, text: nameOfMonth(value) }))}
              chosen={month}
            />
          </SearchForm>
        </div>
        <ListCard
          title={month === undefined ? 'All months' : nameOfMonth(month)}
          caption="Documents, newest first"
          actions={
            month !== undefined &&
            documents.length > 0 && (
              <DownloadLink href={withQuery(`${INVOICES}.zip`, { month })}>Whole month (ZIP)</DownloadLink>
            )
          }
          columns={columnsIn(currency)}
          rows={documents}
          empty={<NoDocuments isChosen={search !== undefined || month !== undefined} />}
          pager={
            <Pager
              newest={before === undefined ? undefined : withQuery(INVOICES, { search, month })}
              older={older === undefined ? undefined : withQuery(INVOICES, { search, month, before: older })}
            />
          }
        />
      </>
    ),
  };
}

const NoDocuments = ({ isChosen }: { isChosen: boolean }) =>
  isChosen ? (
    <Empty next={{ href: INVOICES, text: 'Show all documents' }}>No document matches.</Empty>
  ) : (
    <Empty>No documents yet. The first invoice comes with the first parcel.</Empty>
  );

const KINDS: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt_voucher: 'Receipt voucher',
};

/** The day stands on the document, whatever the zone of the page. */
const dateOf = (day: Day) => dayOf(Date.parse(day), 'UTC');

function columnsIn(currency: string): Column<DocumentListed>[] {
  return [
    {
      heading: 'Document',
      as: 'title',
      cell: ({ number, kind, against }) => (
        <Named detail={against === null ? KINDS[kind] : `${KINDS[kind]} for ${against}`}>
          <a href={documentPath(number)}>{number}</a>
        </Named>
      ),
    },
    { heading: 'Date', nowrap: true, cell: ({ issued_on }) => dateOf(issued_on) },
    {
      heading: 'Order',
      cell: ({ order_number: number }) => number !== null && <a href={orderPath(number)}>{number}</a>,
    },
    amounts('Amount', currency, signedAmount, 'amount'),
  ];
}

/** Credit notes reduce what was invoiced. */
function signedAmount({ kind, amount }: DocumentListed): number {
  const minor = Math.round(amount * 100);
  return kind === 'credit_note' ? -minor : minor;
}

/** The documents of an order, the oldest first. */
export const DocumentsCard = ({ documents }: { documents: readonly DocumentListed[] }) =>
  documents.length > 0 && (
    <Card title="Invoices">
      <Facts
        of={Object.fromEntries(
          documents.map((document) => [document.number, <DocumentLink document={document} />]),
        )}
      />
    </Card>
  );

export const DocumentLink = ({ document: { number, kind, issued_on } }: { document: DocumentListed }) => (
  <>
    <a href={documentPath(number)}>{KINDS[kind]}</a>, {dateOf(issued_on)}
  </>
);
