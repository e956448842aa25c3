import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import { type ZipEntry, zipOf } from '../../../documents/zip.js';
import { csvText } from '../../../imports/csv-format.js';
import { GstReportService } from '../../../invoices/gst-report.js';
import type { Gstr1File } from '../../../invoices/rules/gstr1.js';
import { SellersService } from '../../../invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import { OrderDeskService } from '../../../orders/records/order-desk.service.js';
import { IdParam, placeIn, textIn } from '../../../pages/forms.js';
import type { AskedOf } from '../../../pages/list-page.js';
import type { Page } from '../../../pages/page.js';
import { PaymentDeskService } from '../../../payments/payment-desk.service.js';
import { StatementsService } from '../../../payments/statements.service.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import {
  addMonths,
  isMonth,
  type Month,
  monthAt,
  monthsBetween,
  periodOf,
} from '../../../platform/time/time.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { PassbookRepository } from '../../../wallet/passbook.repository.js';
import {
  documentsOfMonth,
  documentsPage,
  type DocumentsQuery,
  monthOfDocuments,
  monthsOfDocuments,
  readDocumentsQuery,
} from '../../shared/documents-page.js';
import { csvFile, fileOf } from '../../shared/file-answer.js';
import { DeskPages } from '../desk-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';
import { invoicesHead, monthPage, type MonthOfClient, WALLET_LIST, walletsHead } from './books-pages.js';

const PAGE_SIZE = 50;

/** Each row of the month reads a wallet, so its page is shorter. */
const MONTH_PAGE_SIZE = 25;

const MONTHS_SHOWN = 24;

interface MonthQuery {
  month: Month | undefined;
  after: number | undefined;
}

/** Balances, what is owed, and the month's end. */
@DeskPages('money', 'staff')
export class BooksController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly payments: PaymentDeskService,
    private readonly passbook: PassbookRepository,
    private readonly statements: StatementsService,
    private readonly documents: TaxDocumentsService,
    private readonly gstReport: GstReportService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('wallets')
  async wallets(@QueryReadBy(WALLET_LIST.read) asked: AskedOf<typeof WALLET_LIST>): Promise<Page> {
    const { only } = asked.chosen;
    const filter = { ...(only !== 'all' && { only }), after: asked.mark };
    const [found, totals, counts] = await Promise.all([
      WALLET_LIST.find((most) => this.orders.accountsPage(filter, most)),
      this.orders.accountTotals(),
      this.payments.count(),
    ]);
    const { currency } = this.settings;
    return WALLET_LIST.page({
      ...walletsHead({ totals, counts, currency }),
      asked,
      found,
      context: currency,
    });
  }

  @Get('month')
  async month(@QueryReadBy(readMonthQuery) query: MonthQuery): Promise<Page> {
    const { currency, timeZone } = this.settings;
    const { month = this.lastMonth, after } = query;
    const found = await this.orders.accountsPage({ after }, MONTH_PAGE_SIZE + 1);
    const { rows, last } = onePage(found, MONTH_PAGE_SIZE);
    const clients: MonthOfClient[] = [];
    for (const { client_id: clientId, client } of rows) {
      const statement = await this.passbook.statement(clientId, periodOf(month, timeZone));
      clients.push({ clientId, client, ...statement });
    }
    const thisMonth = monthAt(Date.now(), timeZone);
    return monthPage({
      month,
      months: monthsBetween(addMonths(thisMonth, 1 - MONTHS_SHOWN), thisMonth),
      clients,
      after,
      next: last?.client_id,
      hasTax: await this.sellers.isTaxOn(),
      counts: await this.payments.count(),
      currency,
    });
  }

  @Get('invoices')
  async invoices(@QueryReadBy(readDocumentsQuery) chosen: DocumentsQuery): Promise<Page> {
    const [found, first, counts] = await Promise.all([
      this.documents.newest(chosen, PAGE_SIZE + 1),
      this.documents.firstDay(),
      this.payments.count(),
    ]);
    const { rows: documents, last } = onePage(found, PAGE_SIZE);
    const { currency } = this.settings;
    const page = invoicesHead(counts);
    const paths = DOCUMENT_PATHS;
    const months = monthsOfDocuments(first);
    return documentsPage({
      paths,
      page,
      showsClients: true,
      documents,
      older: last?.number,
      chosen,
      months,
      currency,
    });
  }

  @Get('invoices.zip')
  invoicesOfMonth(
    @ForAsker() asker: Asker,
    @QueryReadBy(readDocumentsQuery) { month = monthOfDocuments() }: DocumentsQuery,
  ): Promise<StreamableFile> {
    const zip = zipOf(documentsOfMonth(this.documents, month, asker), periodOf(month, 'UTC').to);
    return fileOf(`invoices-${month}.zip`, 'application/zip', zip);
  }

  @Get('invoices/:number.pdf')
  async invoice(@ForAsker() asker: Asker, @Param('number') number: string): Promise<StreamableFile> {
    const document = await this.documents.find(number);
    return fileOf(`${document.number}.pdf`, 'application/pdf', this.documents.pdfOf(document, asker));
  }

  @Get('statements/:id/:file')
  async statement(
    @ForAsker() asker: Asker,
    @IdParam() clientId: number,
    @Param('file') file: string,
  ): Promise<StreamableFile> {
    const [, month = '', kind] = /^(\d{4}-\d{2})\.(csv|pdf)$/.exec(file) ?? [];
    if (!isMonth(month)) throw new DomainError('route_not_found', 'There is no such page.');
    const statement = await this.statements.ofMonth(clientId, month);
    const name = `statement-${clientId}-${month}`;
    if (kind === 'pdf')
      return fileOf(`${name}.pdf`, 'application/pdf', this.statements.pdfOf(statement, asker));
    const { columns, rows } = this.statements.sheetOf(statement);
    return csvFile(name, columns, rows);
  }

  @Get('month/gstr1.zip')
  async gstReturn(
    @QueryReadBy(readMonthQuery) { month = this.lastMonth }: MonthQuery,
  ): Promise<StreamableFile> {
    const files = await this.gstReport.month(month);
    return fileOf(
      `gstr1-${month}.zip`,
      'application/zip',
      zipOf(entriesOf(files), periodOf(month, 'UTC').to),
    );
  }

  private get lastMonth(): Month {
    return addMonths(monthAt(Date.now(), this.settings.timeZone), -1);
  }
}

async function* entriesOf(files: readonly Gstr1File[]): AsyncGenerator<ZipEntry> {
  for (const { name, columns, rows } of files) {
    async function* each() {
      yield* rows;
    }
    yield { name: `${name}.csv`, content: csvText(columns, each()) };
  }
}

function readMonthQuery(query: FormFields): MonthQuery {
  const month = textIn(query, 'month');
  return { month: isMonth(month) ? month : undefined, after: placeIn(query, 'after') };
}
