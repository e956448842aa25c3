import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, answerWith, WantedType } from '../../../platform/http/admin-route.js';
import { amountFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readPeriodOf } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { CSV, fileResponse, PDF, ZIP } from '../../../platform/http/file-response.js';
import { rowsResponse, withNumbers } from '../../../shared/imports/csv-response.js';
import { entryResponse } from '../../../shared/pdf/zip-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { SalesService } from '../sales.service.js';
import { type Book, BOOK_AMOUNTS, BooksService } from '../vouchers/books.service.js';
import { VouchersService } from '../vouchers/vouchers.service.js';
import {
  LedgerQuery,
  LedgerRowResponse,
  RegisterQuery,
  RegisterRowResponse,
  SalesQuery,
  SalesRowResponse,
  VouchersQuery,
  VoucherSumResponse,
} from './sales-reports.dto.js';

/** Sales and books. */
@ApiTags('Reports')
@Controller('api/admin/reports')
export class AdminSalesReportsController {
  constructor(
    private readonly salesService: SalesService,
    private readonly books: BooksService,
    private readonly voucherService: VouchersService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    path: 'sales',
    role: roleToOpen('reports'),
    operationId: 'reportSales',
    summary: 'Adds up paid orders and refunds, each when its money moved.',
    answer: { rows: SalesRowResponse, files: [CSV] },
    errors: ['client_not_found', 'client_ambiguous', 'conflict'],
    command: 'report sales',
  })
  async sales(
    @ValidQuery() { by = 'day', client, excel, ...query }: SalesQuery,
    @WantedType([CSV]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const clientId = await this.clients.findForFilter(client);
    const sold = await this.salesService.soldBy(by, {
      clientId,
      ...readPeriodOf(query, this.settings.timeZone),
    });
    return rowsResponse(owner, type, { name: `sales-by-${by}`, ...sold, excel });
  }

  @AdminRoute({
    method: 'GET',
    path: 'ledger',
    role: roleToOpen('money/ledgers/:id'),
    operationId: 'reportLedger',
    summary: 'Shows the ledger of a client: each invoice, note, receipt and payment, with balances.',
    answer: { rows: LedgerRowResponse, files: [CSV, PDF] },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'report ledger',
    commandArguments: ['client'],
  })
  async ledger(
    @ValidQuery() { client, from, to, excel }: LedgerQuery,
    @WantedType([CSV, PDF]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const id = await this.clients.findExisting(client);
    return this.answerWithBook(owner, type, await this.books.ledger(id, from, to), excel);
  }

  @AdminRoute({
    method: 'GET',
    path: 'register',
    role: roleToOpen('money/register'),
    operationId: 'reportRegister',
    summary: 'Lists the invoices and notes of a period. Credit notes have negative amounts.',
    answer: { rows: RegisterRowResponse, files: [CSV, PDF] },
    command: 'report register',
  })
  async register(
    @ValidQuery() { from, to, excel }: RegisterQuery,
    @WantedType([CSV, PDF]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    return this.answerWithBook(owner, type, await this.books.register(from, to), excel);
  }

  @AdminRoute({
    method: 'GET',
    path: 'vouchers',
    role: roleToOpen('money/month/tally.zip'),
    operationId: 'reportVouchers',
    summary: 'Shows or has a month of the books as vouchers for Tally: sales, notes and money.',
    description:
      'As `application/zip` it has the files for Tally. With `file` it answers one of them: ' +
      '`1-ledgers.xml` to import as masters, then `2-vouchers.xml` as transactions.',
    answer: { rows: VoucherSumResponse, files: [ZIP] },
    command: 'report vouchers',
  })
  async vouchers(
    @ValidQuery() { month, file }: VouchersQuery,
    @WantedType([ZIP]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<object | StreamableFile> {
    if (file !== undefined) return entryResponse(owner, this.voucherService.files(month), file);
    if (type === ZIP) return fileResponse(owner, `tally-${month}.zip`, ZIP, this.voucherService.zipOf(month));
    const sums = await this.voucherService.sums(month);
    return answerWith(sums.map((sum) => ({ ...sum, amount: amountFromMinor(sum.amount) })));
  }

  private answerWithBook(
    owner: ThreadOwner,
    type: string,
    book: Book,
    excel?: boolean,
  ): Promise<StreamableFile> {
    if (type === PDF) return fileResponse(owner, `${book.name}.pdf`, PDF, this.books.pdfOf(book, owner));
    const { name, columns, rows } = book;
    return rowsResponse(owner, type, { name, columns, rows, excel, toData: withNumbers(...BOOK_AMOUNTS) });
  }
}
