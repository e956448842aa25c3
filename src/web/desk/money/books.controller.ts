import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import { GstReportService } from '../../../modules/invoices/gst-report.service.js';
import { monthOfDocuments } from '../../../modules/invoices/rules/law-time-zone.js';
import { isReturnPeriod, quarterEndedBy } from '../../../modules/invoices/rules/return-period.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { OrderDeskRepository } from '../../../modules/orders/records/order-desk.repository.js';
import { monthIn } from '../../../shared/ui/components/list-filter.js';
import { textIn } from '../../../shared/ui/forms.js';
import type { Page } from '../../../shared/ui/page.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { StatementsService } from '../../../modules/payments/statements.service.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Asker } from '../../../platform/worker-threads/thread-owner.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { firstRows, onePage } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addMonths, isDay, isMonth, type Month, monthsBetween } from '../../../platform/time/time.js';
import { VouchersService } from '../../../modules/sales/vouchers/vouchers.service.js';
import { DOCUMENTS, documentsPage } from '../../shared/documents-page.js';
import { csvFile, fileOf } from '../../shared/file-response.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';
import {
  eInvoicesPage,
  invoicesHead,
  MONTH_LIST,
  monthPage,
  type ReturnLink,
  WALLET_LIST,
  walletsHead,
} from './books-pages.js';

/** Each row of the month reads a wallet, so its page is shorter. */
const MONTH_PAGE_SIZE = 25;

const MONTHS_SHOWN = 24;

const WAITING_SHOWN = 50;

/** Balances, what is owed, and the month's end. */
@DeskPages('money', 'staff')
export class BooksController {
  constructor(
    private readonly accounts: OrderDeskRepository,
    private readonly payments: PaymentDeskService,
    private readonly statements: StatementsService,
    private readonly documents: TaxDocumentsService,
    private readonly eInvoices: EInvoicesService,
    private readonly gstReport: GstReportService,
    private readonly vouchers: VouchersService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('wallets')
  async wallets(@Visit() { fields }: Visit): Promise<Page> {
    const asked = WALLET_LIST.read(fields);
    const { only } = asked.chosen;
    const filter = { ...(only !== 'all' && { only }), after: asked.mark };
    const [found, totals, counts] = await Promise.all([
      WALLET_LIST.find((most) => this.accounts.accountsPage(filter, most)),
      this.accounts.accountTotals(),
      this.payments.count(),
    ]);
    const { currency } = this.settings;
    return WALLET_LIST.page({ ...walletsHead(totals, counts, currency), asked, found, context: currency });
  }

  @Get('month')
  async month(@Visit() { fields }: Visit): Promise<Page> {
    const asked = MONTH_LIST.read(fields);
    const { month = this.lastMonth } = asked.chosen;
    const clients = await this.accounts.accountsPage({ after: asked.mark }, MONTH_PAGE_SIZE + 1);
    const found = onePage(clients, MONTH_PAGE_SIZE);
    const rows = await this.statements.sumsOf(found.rows, month);
    const thisMonth = addMonths(this.lastMonth, 1);
    return monthPage({
      month,
      months: monthsBetween(addMonths(thisMonth, 1 - MONTHS_SHOWN), thisMonth),
      asked,
      found: { rows, last: found.last && rows.at(-1) },
      returns: (await this.sellers.isTaxOn()) ? await this.returnsOf(month) : [],
      counts: await this.payments.count(),
      currency: this.settings.currency,
    });
  }

  @Get('invoices')
  async invoices(@Visit() { fields }: Visit): Promise<Page> {
    const asked = DOCUMENTS.read(fields);
    const filter = { ...asked.chosen, before: asked.mark };
    const [found, first, counts] = await Promise.all([
      DOCUMENTS.find((most) => this.documents.newest(filter, most)),
      this.documents.firstDay(),
      this.payments.count(),
    ]);
    const context = { paths: DOCUMENT_PATHS, showsClients: true, currency: this.settings.currency };
    return documentsPage({
      page: invoicesHead(counts, this.eInvoices.isOn),
      asked,
      found,
      first,
      ...context,
    });
  }

  /** The documents that wait for their IRN. */
  @Get('e-invoices')
  async eInvoiceList(): Promise<Page> {
    const [waiting, cancelled, gstins, counts] = await Promise.all([
      firstRows(this.eInvoices.waiting(WAITING_SHOWN)),
      this.eInvoices.cancelled(WAITING_SHOWN),
      this.eInvoices.gstins(),
      this.payments.count(),
    ]);
    return eInvoicesPage({ ...waiting, cancelled, gstins }, counts, this.eInvoices.isOn);
  }

  @Get('e-invoices.json')
  eInvoiceFile(@ForAsker() asker: Asker, @Visit() { fields }: Visit): Promise<StreamableFile> {
    const [on, gstin] = [textIn(fields, 'on') || undefined, textIn(fields, 'gstin') || undefined];
    if (on !== undefined && !isDay(on))
      throw new DomainError('invalid_value', 'The day must be one such as 2026-11-26.');
    const name = ['e-invoices', on, gstin?.replaceAll(/[^0-9A-Za-z]/g, '')].filter(Boolean).join('-');
    return fileOf(asker, `${name}.json`, 'application/json', this.eInvoices.file({ on, gstin }));
  }

  @Get('invoices.zip')
  invoicesOfMonth(@ForAsker() asker: Asker, @Visit() { fields }: Visit): Promise<StreamableFile> {
    const { month = monthOfDocuments() } = readMonth(fields);
    return fileOf(asker, `invoices-${month}.zip`, 'application/zip', this.documents.zipOf(month, asker));
  }

  @Get('invoices/:number.pdf')
  async invoice(
    @ForAsker() asker: Asker,
    @Visit() { number, fields }: Visit<'number'>,
  ): Promise<StreamableFile> {
    const document = await this.documents.find(number);
    const pdf = this.documents.pdfOf(document, asker, fields.copies === 'all' ? 'all' : 'original');
    return fileOf(asker, `${document.number}.pdf`, 'application/pdf', pdf);
  }

  @Get('statements/:id/:file')
  async statement(@ForAsker() asker: Asker, @Visit() { id, file }: Visit<'file'>): Promise<StreamableFile> {
    const [, month = '', kind] = /^(\d{4}-\d{2})\.(csv|pdf)$/.exec(file) ?? [];
    if (!isMonth(month)) throw new DomainError('route_not_found', 'There is no such page.');
    const statement = await this.statements.ofMonth(id, month);
    const name = `statement-${id}-${month}`;
    if (kind === 'pdf')
      return fileOf(asker, `${name}.pdf`, 'application/pdf', this.statements.pdfOf(statement, asker));
    const { columns, rows } = this.statements.sheetOf(statement);
    return csvFile(asker, name, columns, rows);
  }

  @Get('month/gstr1.zip')
  async gstReturn(@ForAsker() asker: Asker, @Visit() { fields }: Visit): Promise<StreamableFile> {
    const asked = textIn(fields, 'month');
    const period = isReturnPeriod(asked) ? asked : this.lastMonth;
    const { name, content } = await this.gstReport.zipOf(period, textIn(fields, 'gstin') || undefined);
    return fileOf(asker, name, 'application/zip', content);
  }

  @Get('month/tally.zip')
  tally(@ForAsker() asker: Asker, @Visit() { fields }: Visit): Promise<StreamableFile> {
    const { month = this.lastMonth } = readMonth(fields);
    return fileOf(asker, `tally-${month}.zip`, 'application/zip', this.vouchers.zipOf(month));
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

const readMonth = (fields: FormFields) => ({ month: monthIn(fields, 'month') });
