import type { ComponentChildren } from 'preact';
import type { ZipEntry } from '../../documents/zip.js';
import type { TaxDocumentsService } from '../../invoices/tax-documents.service.js';
import type { DocumentKind } from '../../invoices/rules/document-number.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import type { DocumentListed } from '../../invoices/tax-documents.repository.js';
import { DownloadLink, FilterSelect } from '../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../pages/components/layout.js';
import { amounts, type Column, ListCard, Pager, SearchForm, titles } from '../../pages/components/lists.js';
import { dayOf, nameOfMonth } from '../../pages/formats.js';
import { wordIn } from '../../pages/forms.js';
import { type Page, withQuery } from '../../pages/page.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import type { Asker } from '../../platform/heavy-work/asker.js';
import { type Day, isMonth, type Month, monthAt, monthsBetween } from '../../platform/time/time.js';

/** The addresses of one door. */
export interface DocumentPaths {
  /** The list. Its documents, and the ZIP file of a month, stand below it. */
  list: string;
  order(orderNumber: string): string;
}

export interface DocumentsQuery {
  /** A part of a number, of an order's number or of the store's id. */
  search: string | undefined;
  month: Month | undefined;
  /** The number of the last document of the page before. */
  before: string | undefined;
}

interface Props {
  paths: DocumentPaths;
  /** Other words than those for a client, and what stands above the list. */
  page?: Pick<Page, 'title' | 'lead'> & { above?: ComponentChildren };
  /** For the wholesaler, who has documents of all clients. */
  showsClients?: boolean;
  documents: readonly DocumentListed[];
  older: string | undefined;
  chosen: DocumentsQuery;
  /** The months since the first document, latest first. */
  months: readonly Month[];
  currency: string;
}

const FOR_CLIENT: NonNullable<Props['page']> = {
  title: 'Invoices and credit notes',
  lead: 'Each parcel has an invoice. A refund of what was invoiced has a credit note.',
};

export function documentsPage(props: Props): Page {
  const { paths, page: { above, ...head } = FOR_CLIENT, documents, older, months } = props;
  const { search, month, before } = props.chosen;
  return {
    ...head,
    content: (
      <>
        {above}
        <div class="stack filter">
          <SearchForm
            action={paths.list}
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
              <DownloadLink href={withQuery(`${paths.list}.zip`, { month })}>Whole month (ZIP)</DownloadLink>
            )
          }
          columns={columnsIn(props)}
          rows={documents}
          empty={<NoDocuments paths={paths} isChosen={search !== undefined || month !== undefined} />}
          pager={
            <Pager
              at={before}
              next={older}
              path={(from) => withQuery(paths.list, { search, month, before: from })}
            />
          }
        />
      </>
    ),
  };
}

const NoDocuments = ({ paths, isChosen }: Pick<Props, 'paths'> & { isChosen: boolean }) =>
  isChosen ? (
    <Empty next={{ href: paths.list, text: 'Show all documents' }}>No document matches.</Empty>
  ) : (
    <Empty>No documents yet. The first invoice comes with the first parcel.</Empty>
  );

const KINDS: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt_voucher: 'Receipt voucher',
};

/** The day that the document shows. The zone of the page does not change it. */
const dateOf = (day: Day) => dayOf(Date.parse(day), 'UTC');

function columnsIn({ paths, showsClients, currency }: Props): Column<DocumentListed>[] {
  return [
    titles('Document', ({ number, kind, against }) => ({
      text: number,
      href: documentPath(paths, number),
      detail: against === null ? KINDS[kind] : `${KINDS[kind]} for ${against}`,
    })),
    ...(showsClients ? [{ heading: 'Client', cell: ({ client }: DocumentListed) => client }] : []),
    { heading: 'Date', nowrap: true, cell: ({ issued_on }) => dateOf(issued_on) },
    {
      heading: 'Order',
      cell: ({ order_number: number }) => number !== null && <a href={paths.order(number)}>{number}</a>,
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
export const DocumentsCard = ({ paths, documents }: Pick<Props, 'paths' | 'documents'>) =>
  documents.length > 0 && (
    <Card title="Invoices">
      <Facts
        of={Object.fromEntries(
          documents.map((document) => [document.number, <DocumentLink paths={paths} document={document} />]),
        )}
      />
    </Card>
  );

interface LinkProps {
  paths: DocumentPaths;
  document: DocumentListed;
}

export const DocumentLink = ({ paths, document: { number, kind, issued_on } }: LinkProps) => (
  <>
    <a href={documentPath(paths, number)}>{KINDS[kind]}</a>, {dateOf(issued_on)}
  </>
);

const documentPath = ({ list }: DocumentPaths, number: string) => `${list}/${number}.pdf`;

/** Parts of the address that make no sense are ignored. */
export function readDocumentsQuery(query: FormFields): DocumentsQuery {
  const month = wordIn(query, 'month');
  return {
    search: wordIn(query, 'search'),
    month: month !== undefined && isMonth(month) ? month : undefined,
    before: wordIn(query, 'before'),
  };
}

/** Documents have the days of India. */
export function monthOfDocuments(): Month {
  return monthAt(Date.now(), LAW_TIME_ZONE);
}

/** The months since the first document, latest first. */
export function monthsOfDocuments(first: Day | null): Month[] {
  return first === null ? [] : monthsBetween(first.slice(0, 7), monthOfDocuments());
}

/**
 * The documents of a month. Each one is a query and a drawing of its own, so a slow reader holds no
 * connection and no thread.
 */
export async function* documentsOfMonth(
  documents: TaxDocumentsService,
  month: Month,
  asker: Asker,
  clientId?: number,
): AsyncGenerator<ZipEntry> {
  const found = await documents.newest({ clientId, month });
  for (const { number } of found.reverse()) {
    const document = await documents.find(number, clientId);
    yield { name: `${number}.pdf`, content: documents.pdfOf(document, asker) };
  }
}
