import type { ComponentChildren } from 'preact';
import type { FiledReturn } from '../../../modules/invoices/entities/filed-return.entity.js';
import type { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import { describeDocument } from '../../../modules/invoices/document-words.js';
import type { CancelledRow } from '../../../modules/invoices/tax-documents.repository.js';
import { type FilingChange, formatFiled, readArn } from '../../../modules/invoices/rules/filed-return.js';
import type { ReturnPeriod } from '../../../modules/invoices/rules/return-period.js';
import type {
  ClientAccountRow,
  AccountTotals,
} from '../../../modules/orders/records/order-desk.repository.js';
import { formatNames, type StatementMailing } from '../../../modules/notices/statement-mailing.js';
import { Button, ButtonLink, DownloadLink, Field, Form } from '../../../shared/ui/components/controls.js';
import { Card, Facts, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  countColumn as countsOf,
  ListCard,
  timeColumn,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { DayFields, type DayPeriod } from '../../../shared/ui/components/period-fields.js';
import { moneyRenderer, ShortNumber } from '../../../shared/ui/components/values.js';
import { countOf, formatDay, formatNumber, formatMonth } from '../../../platform/formats.js';
import { textIn } from '../../../shared/ui/forms.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FirstRows, OnePage } from '../../../platform/lists/bounded-lists.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { addDays, addMonths, type Month } from '../../../platform/time/time.js';
import type { StatementTotals } from '../../../modules/wallet/passbook.repository.js';
import { documentPath } from '../../shared/documents-page.js';
import { type Review, reviewedForm } from '../action.js';
import { amountText } from '../goods/goods-page.js';
import {
  clientPath,
  clientPaths,
  DOCUMENT_PATHS,
  E_INVOICES,
  E_WAY_BILLS,
  IMPORTS,
  INVOICES,
  LEDGERS,
  MAIL_STATEMENTS,
  MONEY,
  MONTH_END,
  statementPath,
  WALLETS,
} from '../paths.js';
import { DoneBy } from '../words.js';
import { type MoneyCounts, MoneyTabs } from './money-frame.js';

export const WALLET_LIST = new ListPage({
  path: WALLETS,
  caption: 'Wallets, by the number of the client',
  filters: {
    only: {
      as: 'tabs',
      label: 'Wallets',
      options: [
        { value: 'all', text: 'All' },
        { value: 'balance', text: 'With money' },
        { value: 'unpaid', text: 'With unpaid orders' },
      ],
    },
  },
  mark: { name: 'after', kind: 'number', of: ({ clientId: id }: ClientAccountRow) => id },
  columns: (currency: string): ListColumn<ClientAccountRow>[] => [
    titleColumn('Client', ({ clientId: id, client }) => ({ text: client, href: clientPaths(id).wallet })),
    amountColumn('Reserved', currency, ({ reserved }) => minorFromNumeric(reserved)),
    countsOf('Unpaid orders', ({ unpaidOrders }) => unpaidOrders),
    amountColumn('To be paid', currency, ({ unpaidTotal }) => minorFromNumeric(unpaidTotal)),
    amountColumn('In the wallet', currency, ({ balance }) => minorFromNumeric(balance), 'amount'),
  ],
  empty: { none: 'No wallet matches.' },
});

/** What the clients have, and what they owe. */
export function walletsHead(totals: AccountTotals, counts: MoneyCounts, currency: string) {
  const amount = (numeric: string) => moneyRenderer(currency)(minorFromNumeric(numeric));
  return {
    title: `${amountText(totals.balance, currency)} in ${countOf(totals.clients, 'wallet', 'wallets')}`,
    lead: 'Wallet money belongs to the clients until they pay orders with it.',
    above: (
      <>
        <MoneyTabs at={WALLETS} counts={counts} />
        <Tiles>
          <Tile label="In the wallets" note="of all clients">
            {amount(totals.balance)}
          </Tile>
          <Tile label="Reserved" note="for payments that are open">
            {amount(totals.reserved)}
          </Tile>
          <Tile label="To be paid" note={countOf(totals.unpaidOrders, 'unpaid order', 'unpaid orders')}>
            {amount(totals.unpaidTotal)}
          </Tile>
        </Tiles>
      </>
    ),
  };
}

/** Above the documents of all clients. */
export function invoicesHead(counts: MoneyCounts, hasEInvoices: boolean, hasEWayBills: boolean) {
  return {
    title: 'Invoices and notes',
    lead: 'The documents of all clients. They are never changed.',
    above: (
      <>
        <MoneyTabs at={INVOICES} counts={counts} />
        {hasEInvoices && (
          <p>
            <a href={E_INVOICES}>E-invoices: documents that wait for their IRN</a>
          </p>
        )}
        {hasEWayBills && (
          <p>
            <a href={E_WAY_BILLS}>E-way bills: invoices whose goods need one</a>
          </p>
        )}
      </>
    ),
  };
}

type MonthOfClient = ClientAccountRow & StatementTotals;

interface MonthContext {
  month: Month;
  currency: string;
  /** The month is over, and the service can send mail. */
  canMail: boolean;
}

export const MONTH_LIST = new ListPage({
  path: MONTH_END,
  caption: 'Statements, by the number of the client',
  filters: { month: { as: 'month', label: 'Month', all: 'Last month' } },
  mark: { name: 'after', kind: 'number', of: ({ clientId: id }: MonthOfClient) => id },
  columns: ({ month, currency, canMail }: MonthContext): ListColumn<MonthOfClient>[] => [
    titleColumn('Client', ({ clientId: id, client }) => ({ text: client, href: clientPath(id) })),
    amountColumn('Opening', currency, ({ opening }) => opening),
    amountColumn('Money in', currency, ({ moneyIn }) => moneyIn),
    amountColumn('Money out', currency, ({ moneyOut }) => moneyOut),
    amountColumn('Closing', currency, ({ closing }) => closing, 'amount'),
    { heading: 'Statement', as: 'line', cell: (row) => <Files of={row} month={month} canMail={canMail} /> },
  ],
  empty: { none: 'No clients yet.' },
});

/** A month or a quarter, and the GSTIN if the period has several. */
export interface ReturnLink {
  month: ReturnPeriod;
  gstin?: string;
}

interface MonthProps extends MonthContext {
  /** Latest first. */
  months: readonly Month[];
  query: QueryOf<typeof MONTH_LIST>;
  result: OnePage<MonthOfClient>;
  /** None without tax. */
  returns: readonly ReturnLink[];
  filings: readonly Filing[];
  isOver: boolean;
  mayMark: boolean;
  counts: MoneyCounts;
}

/** The statement of each client, and the files of the tax return. */
export function monthPage({ returns, filings, isOver, mayMark, counts, ...list }: MonthProps): Page {
  const { month, canMail } = list;
  return {
    title: `Month’s end: ${formatMonth(month)}`,
    lead: isOver
      ? canMail
        ? 'Send each client its statement, all of them or one alone.'
        : 'No mail can be sent without the setting SMTP_URL: download the statements, and send them yourself.'
      : 'This month still changes. Mail its statements ' +
        `${filings.length > 0 ? 'and mark it as filed ' : ''}when it is over.`,
    content: (
      <>
        <MoneyTabs at={MONTH_END} counts={counts} />
        {MONTH_LIST.card({
          title: 'Statements',
          context: list,
          actions: canMail && (
            <Form action={MAIL_STATEMENTS} hidden={{ month }} bare>
              <Button>Mail the statements</Button>
            </Form>
          ),
          ...list,
        })}
        {returns.length > 0 && (
          <BookCard
            title="Sales register"
            action={`${MONEY}/register`}
            from={`${month}-01`}
            to={addDays(`${addMonths(month, 1)}-01`, -1)}
          >
            Invoices and notes, one row each. Amounts of credit notes are negative, so the columns add up.
          </BookCard>
        )}
        {returns.length > 0 && (
          <Card
            title="For the accountant"
            actions={
              <>
                {returns.map((one) => (
                  <DownloadLink href={withQuery(`${MONTH_END}/gstr1.zip`, { ...one })}>
                    GSTR-1{one.month !== month && ' of the quarter'}
                    {one.gstin && ` for ${one.gstin}`} (ZIP)
                  </DownloadLink>
                ))}
                <DownloadLink href={withQuery(`${MONTH_END}/tally.zip`, { month })}>Tally (ZIP)</DownloadLink>
                <DownloadLink href={withQuery(`${INVOICES}.zip`, { month })}>Invoices (ZIP)</DownloadLink>
              </>
            }
          >
            <p>
              GSTR-1 has the JSON file of the GST portal, the CSV files of its offline tool, and a summary for
              GSTR-3B. Tally has ledgers and vouchers as XML: import the ledgers first. An admin names them in
              the settings, {mayMark ? <a href={LEDGERS}>Ledgers in Tally</a> : 'Ledgers in Tally'}. Both
              files have the days of India, as the documents. The statements have the days of the zone that
              this page names below.
            </p>
          </Card>
        )}
        {filings.map((filing) => (
          <FilingCard filing={filing} isOver={isOver} mayMark={isOver && mayMark} />
        ))}
      </>
    ),
  };
}

export const mailingPlace = (month: Month) => ({
  back: { href: withQuery(MONTH_END, { month }), text: formatMonth(month) },
  hasForm: false,
});

/** `client`: the name, if it is one alone. */
export function reviewMailing(
  { month, clients, alreadyMailed, toMail, unreachable }: StatementMailing,
  client?: string,
): Review {
  return {
    title:
      client === undefined
        ? `Mail the statements of ${formatMonth(month)}?`
        : `Mail the statement of ${formatMonth(month)} to ${client}?`,
    effects: {
      'Clients with a statement': client === undefined && clients,
      'Mailed before': alreadyMailed > 0 && alreadyMailed,
      'Mailed now': toMail,
      'Without a person who gets this notice': unreachable.length > 0 && formatNames(unreachable),
    },
    button: toMail > 0 && `Mail ${countOf(toMail, 'statement', 'statements')}`,
  };
}

/** The return of a month of one GSTIN. */
export interface Filing {
  month: Month;
  gstin: string;
  /** Undefined until a person marks it. */
  filed: FiledReturn | undefined;
  changes: readonly FilingChange[];
}

const FilingCard = ({ filing, isOver, mayMark }: { filing: Filing; isOver: boolean; mayMark: boolean }) => {
  const { month, gstin, filed, changes } = filing;
  const action = filed ? 'Take the mark back' : 'Mark as filed';
  return (
    <>
      <Card
        title="Filing of GSTR-1"
        actions={
          mayMark && (
            <ButtonLink href={withQuery(`${MONTH_END}/filed`, { month, gstin })}>{action}</ButtonLink>
          )
        }
      >
        <Facts
          of={{
            GSTIN: gstin,
            Filed: filed ? <DoneBy at={filed.filedAt} by={filed.actor} /> : isOver ? 'no' : 'when it is over',
            ARN: filed?.arn,
          }}
        />
      </Card>
      <ListCard
        title="Changed since the filing: amendments are due"
        columns={[
          titleColumn('What', ({ subject, change }: FilingChange) => ({ text: subject, detail: change })),
          timeColumn('Changed', ({ changed_at: at }: FilingChange) => at),
          { heading: 'What to do', cell: ({ to_do: next }) => next },
        ]}
        rows={changes}
      />
    </>
  );
};

export const filedPlace = ({ month }: Filing) => ({
  back: { href: withQuery(MONTH_END, { month }), text: formatMonth(month) },
});

export function filedPage(filing: Filing): Page {
  const { month, gstin, filed } = filing;
  return reviewedForm({
    title: filed ? `Take back the mark of ${formatMonth(month)}` : `Mark ${formatMonth(month)} as filed`,
    lead: `GSTR-1 of ${gstin}`,
    ...filedPlace(filing),
    hidden: { month, gstin },
    fields: filed ? (
      <Field label="Reason" name="reason" maxlength={200} required />
    ) : (
      <Field
        label="ARN"
        hint="The portal’s acknowledgement number, if you have it."
        name="arn"
        maxlength={20}
      />
    ),
  });
}

export function reviewFiling(filing: Filing, fields: FormFields, takesBack: boolean): Review {
  const { month, gstin, filed } = filing;
  if (filed && !takesBack) throw new DomainError('conflict', formatFiled(filed));
  return {
    title: takesBack ? 'Take the mark back?' : `Mark ${formatMonth(month)} as filed?`,
    effects: {
      GSTIN: gstin,
      ...(takesBack
        ? { Filed: filed && <DoneBy at={filed.filedAt} by={filed.actor} />, Reason: textIn(fields, 'reason') }
        : { ARN: readArn(textIn(fields, 'arn')) }),
      'Goods that left in this month': takesBack ? 'can be recorded again' : 'are refused from now on',
    },
    button: takesBack ? 'Take the mark back' : 'Mark as filed',
  };
}
interface BookProps extends DayPeriod {
  title: string;
  action: string;
  children: ComponentChildren;
}

/** Chooses the days of a book and gets its file. */
export const BookCard = ({ title, action, children, ...period }: BookProps) => (
  <Card title={title}>
    <p>{children} Days are those of India.</p>
    <form class="search" action={action}>
      <DayFields period={period} />
      <Button name="as" value="pdf">
        PDF
      </Button>
      <Button name="as" value="csv">
        CSV
      </Button>
    </form>
  </Card>
);

const Files = ({
  of: { clientId: id, client },
  month,
  canMail,
}: Pick<MonthContext, 'month' | 'canMail'> & { of: MonthOfClient }) => {
  const file = (kind: 'pdf' | 'csv', name: string) => (
    <a href={statementPath(id, month, kind)} aria-label={`Statement of ${client} as ${name}`} download>
      {name}
    </a>
  );
  return (
    <div class="actions">
      {file('pdf', 'PDF')} {file('csv', 'CSV')}
      {canMail && (
        <Form action={MAIL_STATEMENTS} hidden={{ month, client: String(id) }} bare>
          <Button aria-label={`Mail the statement of ${client}`}>Mail</Button>
        </Form>
      )}
    </div>
  );
};

type Waiting = ReturnType<EInvoicesService['waiting']> extends AsyncGenerator<infer One> ? One : never;

const FILE = `${E_INVOICES}.json`;

const REASON: ListColumn<Waiting> = {
  heading: 'Not in the file, because',
  cell: ({ fault }) => fault,
};

const IMPORT_ANSWERS = (
  <ButtonLink href={withQuery(IMPORTS, { kind: 'e-invoices' })}>Import the answers</ButtonLink>
);

const toDocument = (document: Parameters<typeof describeDocument>[0] & { number: string }) => ({
  text: document.number,
  href: documentPath(DOCUMENT_PATHS, document.number),
  detail: describeDocument(document),
});

/** The documents that wait for their IRN, oldest first, with the file for the tax portal. */
export function eInvoicesPage(
  { rows, more, cancelled, gstins }: FirstRows<Waiting> & { cancelled: CancelledRow[]; gstins: string[] },
  counts: MoneyCounts,
  isOn: boolean,
): Page {
  const hasFaults = rows.some(({ fault }) => fault !== undefined);
  return {
    title: 'E-invoices',
    lead: 'Invoices and notes for clients with a GSTIN need an IRN of the tax portal (Rule 48(4)).',
    back: { href: INVOICES, text: 'Invoices' },
    content: (
      <>
        <MoneyTabs at={INVOICES} counts={counts} />
        {rows.length === 0 ? (
          <Card
            title={isOn ? 'No document waits for its IRN' : 'E-invoices are off'}
            actions={isOn && IMPORT_ANSWERS}
          >
            {isOn ? (
              <p>The next invoice for a client with a GSTIN appears here.</p>
            ) : (
              <p>The setting E_INVOICES_FROM turns them on: it names the first day.</p>
            )}
          </Card>
        ) : (
          <ListCard
            title={`${formatNumber(rows.length + more)} wait for their IRN, oldest first`}
            actions={
              <>
                {gstins.length > 1 ? (
                  gstins.map((gstin) => (
                    <DownloadLink href={withQuery(FILE, { gstin })}>{`File of ${gstin} (JSON)`}</DownloadLink>
                  ))
                ) : (
                  <DownloadLink href={FILE}>File for the portal (JSON)</DownloadLink>
                )}
                {IMPORT_ANSWERS}
              </>
            }
            columns={[
              { ...titleColumn('Document', ({ document }: Waiting) => toDocument(document)), nowrap: true },
              { heading: 'Client', cell: ({ document }) => document.facts.client.name },
              {
                heading: 'Date',
                nowrap: true,
                cell: ({ document }) => formatDay(document.issuedOn),
              },
              ...(hasFaults ? [REASON] : []),
            ]}
            rows={rows}
          />
        )}
        <ListCard
          title="IRN cancelled at the portal, which accepts no number twice"
          columns={[
            { ...titleColumn<CancelledRow>('Document', toDocument), nowrap: true },
            { heading: 'Client', cell: ({ client }) => client },
            {
              heading: 'Next: “Invoice again” or “Undo the shipment” at the parcel',
              cell: ({ order_number: order, has_irn: hasIrn }) => (
                <>
                  <a href={DOCUMENT_PATHS.order(order)}>
                    <ShortNumber of={order} />
                  </a>
                  {hasIrn && ' First cancel the IRN of this note too, at the portal.'}
                </>
              ),
            },
          ]}
          rows={cancelled}
        />
      </>
    ),
  };
}
