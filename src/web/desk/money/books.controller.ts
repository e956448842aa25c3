import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { FiledReturnsService } from '../../../modules/invoices/filed-returns.service.js';
import { GstReportService } from '../../../modules/invoices/gst-report.service.js';
import { monthOfDocuments } from '../../../modules/invoices/rules/law-time-zone.js';
import { parseReturnPeriod, quarterEndedBy } from '../../../modules/invoices/rules/return-period.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { OrderDeskRepository } from '../../../modules/orders/records/order-desk.repository.js';
import { fileMonthIn, readPeriod, idIn, textIn } from '../../../shared/ui/forms.js';
import { formatMonth } from '../../../platform/formats.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { describeMailing } from '../../../modules/notices/statement-mailing.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { StatementMailsService } from '../../../modules/notices/statement-mails.service.js';
import { StatementsService } from '../../../modules/payments/statements.service.js';
import { may } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { firstRows, onePage } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import {
  addMonths,
  type Day,
  type Month,
  monthsBetween,
  parseDay,
  parseMonth,
} from '../../../platform/time/time.js';
import { type Book, BooksService } from '../../../modules/sales/vouchers/books.service.js';
import { VouchersService } from '../../../modules/sales/vouchers/vouchers.service.js';
import { DOCUMENTS, documentsPage } from '../../shared/documents-page.js';
import { fileResponse, PDF, ZIP } from '../../../platform/http/file-response.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { takeStep } from '../action.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { DOCUMENT_PATHS, MONTH_END } from '../paths.js';
import {
  eInvoicesPage,
  filedPage,
  filedPlace,
  type Filing,
  invoicesHead,
  mailingPlace,
  MONTH_LIST,
  monthPage,
  type ReturnLink,
  reviewFiling,
  reviewMailing,
  WALLET_LIST,
  walletsHead,
} from './books-pages.js';

/** Each row of the month reads a wallet, so its page is shorter. */
const MONTH_PAGE_SIZE = 25;

const MAX_MONTHS = 24;

const MAX_WAITING = 50;

/** Balances, what is owed, and the month's end. */
@DeskPages('money')
export class BooksController {
  constructor(
    private readonly accounts: OrderDeskRepository,
    private readonly clients: ClientAdministrationService,
    private readonly payments: PaymentDeskService,
    private readonly statements: StatementsService,
    private readonly mailings: StatementMailsService,
    private readonly documents: TaxDocumentsService,
    private readonly eInvoices: EInvoicesService,
    private readonly eWayBills: EWayBillsService,
    private readonly gstReport: GstReportService,
    private readonly filedReturns: FiledReturnsService,
    private readonly vouchers: VouchersService,
    private readonly books: BooksService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('wallets')
  async wallets(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const query = WALLET_LIST.read(fields);
    const { only } = query.selected;
    const filter = { ...(only !== 'all' && { only }), after: query.mark };
    const [result, totals, counts] = await Promise.all([
      WALLET_LIST.find((limit) => this.accounts.accountsPage(filter, limit)),
      this.accounts.accountTotals(),
      this.payments.count(),
    ]);
    const { currency } = this.settings;
    const head = walletsHead(totals, counts, currency);
    return WALLET_LIST.page({ ...head, query, result, context: currency });
  }

  @Get('month')
  async month(@DeskPageRequest() { me, fields }: Pick<DeskPageRequest, 'me' | 'fields'>): Promise<Page> {
    const query = MONTH_LIST.read(fields);
    const { month = this.lastMonth } = query.selected;
    const clients = await this.accounts.accountsPage({ after: query.mark }, MONTH_PAGE_SIZE + 1);
    const result = onePage(clients, MONTH_PAGE_SIZE);
    const rows = await this.statements.sumsOf(result.rows, month);
    const thisMonth = addMonths(this.lastMonth, 1);
    return monthPage({
      month,
      months: monthsBetween(addMonths(thisMonth, 1 - MAX_MONTHS), thisMonth),
      query,
      result: { rows, last: result.last && rows.at(-1) },
      returns: (await this.sellers.isTaxOn()) ? await this.returnsOf(month) : [],
      filings: await this.filingsOf(month),
      isOver: month <= this.lastMonth,
      canMail: month <= this.lastMonth && this.settings.mail !== undefined,
      mayMark: may(me, 'close the books'),
      counts: await this.payments.count(),
      currency: this.settings.currency,
    });
  }

  @Get('invoices')
  async invoices(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const query = DOCUMENTS.read(fields);
    const filter = { ...query.selected, before: query.mark };
    const [result, first, counts] = await Promise.all([
      DOCUMENTS.find((limit) => this.documents.newest(filter, limit)),
      this.documents.firstDay(),
      this.payments.count(),
    ]);
    const context = { paths: DOCUMENT_PATHS, showsClients: true, currency: this.settings.currency };
    return documentsPage({
      page: invoicesHead(counts, this.eInvoices.isOn, this.eWayBills.isOn),
      query,
      result,
      first,
      ...context,
    });
  }

  /** The documents that wait for their IRN. */
  @Get('e-invoices')
  async eInvoiceList(): Promise<Page> {
    const [waiting, cancelled, gstins, counts] = await Promise.all([
      firstRows(this.eInvoices.waiting(MAX_WAITING)),
      this.eInvoices.cancelled(MAX_WAITING),
      this.eInvoices.gstins(),
      this.payments.count(),
    ]);
    return eInvoicesPage({ ...waiting, cancelled, gstins }, counts, this.eInvoices.isOn);
  }

  @Get('e-invoices.json')
  eInvoiceFile(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const [on, gstin] = [
      readPeriod(textIn(fields, 'on'), 'day', parseDay),
      textIn(fields, 'gstin') || undefined,
    ];
    const name = ['e-invoices', on, gstin?.replaceAll(/[^0-9A-Za-z]/g, '')].filter(Boolean).join('-');
    return fileResponse(owner, `${name}.json`, 'application/json', this.eInvoices.file({ on, gstin }));
  }

  @Get('invoices.zip')
  invoicesOfMonth(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const month = fileMonthIn(fields) ?? monthOfDocuments();
    return fileResponse(owner, `invoices-${month}.zip`, ZIP, this.documents.zipOf(month, owner));
  }

  @Get('invoices/:number.pdf')
  async invoice(
    @DeskPageRequest() { owner, number, fields }: DeskPageRequest<'number'>,
  ): Promise<StreamableFile> {
    const document = await this.documents.find(number);
    const pdf = this.documents.pdfOf(document, owner, fields.copies === 'all' ? 'all' : 'original');
    return fileResponse(owner, `${document.number}.pdf`, PDF, pdf);
  }

  @Get('statements/:id/:file')
  async statement(@DeskPageRequest() { owner, id, file }: DeskPageRequest<'file'>): Promise<StreamableFile> {
    const [, text = '', kind] = /^(\d{4}-\d{2})\.(csv|pdf)$/.exec(file) ?? [];
    const month = parseMonth(text);
    if (month === undefined) throw new DomainError('route_not_found', 'There is no such page.');
    const statement = await this.statements.ofMonth(id, month);
    const name = `statement-${id}-${month}`;
    if (kind === 'pdf')
      return fileResponse(owner, `${name}.pdf`, PDF, this.statements.pdfOf(statement, owner));
    const { columns, rows } = this.statements.spreadsheetOf(statement);
    return csvResponse(owner, name, columns, rows);
  }

  @Get('month/gstr1.zip')
  async gstReturn(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const period = readPeriod(textIn(fields, 'month'), 'month', parseReturnPeriod) ?? this.lastMonth;
    const { name, content } = await this.gstReport.zipOf(period, textIn(fields, 'gstin') || undefined);
    return fileResponse(owner, name, ZIP, content);
  }

  /** The mails that the statements of a month are ready, to all clients or one: a review, then the action. */
  @PostForm('month/statements')
  async mailStatements(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const month = fileMonthIn(fields) ?? this.lastMonth;
    const client =
      fields.client === undefined ? undefined : await this.clients.find(idIn(textIn(fields, 'client')));
    return takeStep(fields, {
      ...mailingPlace(month),
      form: () => this.month({ me, fields: { month } }),
      review: async () => reviewMailing(await this.mailings.preview(month, client?.id), client?.name),
      run: async () => {
        const { back } = mailingPlace(month);
        return seeOther(back.href, describeMailing(await this.mailings.send(month, me, client?.id)));
      },
    });
  }

  /** The form to mark a month as filed, or to take the mark back. */
  @Get('month/filed')
  async filedForm(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    return filedPage(await this.filingIn(fields));
  }

  @PostForm('month/filed')
  async markFiled(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const filing = await this.filingIn(fields);
    const { month, gstin } = filing;
    // Only the form that takes a mark back asks for a reason.
    const takesBack = fields.reason !== undefined;
    return takeStep(fields, {
      ...filedPlace(filing),
      form: () => filedPage(filing),
      review: () => reviewFiling(filing, fields, takesBack),
      run: async () => {
        if (takesBack)
          await this.filedReturns.takeBack(month, { gstin, reason: textIn(fields, 'reason') }, me);
        else await this.filedReturns.mark(month, { gstin, arn: textIn(fields, 'arn') }, me);
        const done = takesBack ? 'not marked as filed any more' : 'marked as filed';
        return seeOther(withQuery(MONTH_END, { month }), `${formatMonth(month)} is ${done}.`);
      },
    });
  }

  private async filingIn(fields: FormFields): Promise<Filing> {
    const month = fileMonthIn(fields) ?? this.lastMonth;
    const { gstin, filed, changes } = await this.gstReport.summaryOf(
      month,
      textIn(fields, 'gstin') || undefined,
    );
    if (gstin === null)
      throw new DomainError('route_not_found', 'There is no seller, so there is no return.');
    return { month, gstin, filed: filed[0], changes };
  }

  /** The returns of the month, one for each GSTIN. */
  private async filingsOf(month: Month): Promise<Filing[]> {
    if (!(await this.sellers.isTaxOn())) return [];
    const gstins = await this.gstReport.gstinsOf(month);
    return Promise.all(gstins.map((gstin) => this.filingIn({ month, gstin })));
  }

  @Get('month/tally.zip')
  tally(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const month = fileMonthIn(fields) ?? this.lastMonth;
    return fileResponse(owner, `tally-${month}.zip`, ZIP, this.vouchers.zipOf(month));
  }

  @Get('register')
  register(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    return this.bookFile(owner, fields, (from, to) => this.books.register(from, to));
  }

  @Get('ledgers/:id')
  ledger(@DeskPageRequest() { owner, id, fields }: DeskPageRequest): Promise<StreamableFile> {
    return this.bookFile(owner, fields, (from, to) => this.books.ledger(id, from, to));
  }

  private async bookFile(
    owner: ThreadOwner,
    fields: FormFields,
    find: (from?: Day, to?: Day) => Promise<Book>,
  ): Promise<StreamableFile> {
    const [from, to] = ['from', 'to'].map((name) => readPeriod(textIn(fields, name), 'day', parseDay));
    const book = await find(from, to);
    return textIn(fields, 'as') === 'pdf'
      ? fileResponse(owner, `${book.name}.pdf`, PDF, this.books.pdfOf(book, owner))
      : csvResponse(owner, book.name, book.columns, book.rows);
  }

  /** The returns that end with this month, with the GSTIN if a period has several. */
  private async returnsOf(month: Month): Promise<ReturnLink[]> {
    const periods = [month, quarterEndedBy(month)].filter((period) => period !== undefined);
    const each = periods.map(async (period) => {
      const gstins = await this.gstReport.gstinsOf(period);
      return gstins.map((gstin) => ({ month: period, ...(gstins.length > 1 && { gstin }) }));
    });
    return (await Promise.all(each)).flat();
  }

  private get lastMonth(): Month {
    return addMonths(monthOfDocuments(), -1);
  }
}
