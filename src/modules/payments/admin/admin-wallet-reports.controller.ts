import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, WantedType } from '../../../platform/http/admin-route.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readPeriodOf } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { CSV, fileResponse, jsonResponse, PDF } from '../../../platform/http/file-response.js';
import { rowsResponse, withNumbers } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { BALANCE_COLUMNS } from '../rules/balance-columns.js';
import { StatementsService } from '../statements.service.js';
import { WalletBooks } from '../wallet-books.repository.js';
import { BalanceResponse, BalancesQuery, StatementQuery, StatementResponse } from './wallet-reports.dto.js';

/** Wallets for the books. */
@ApiTags('Reports')
@Controller('api/admin/reports')
export class AdminWalletReportsController {
  constructor(
    private readonly statements: StatementsService,
    private readonly books: WalletBooks,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    path: 'statement',
    role: roleToOpen('money/statements/:id/:file'),
    operationId: 'reportStatement',
    summary: 'Shows a month of a wallet: balances, and each entry with its order.',
    answer: { data: StatementResponse, files: [CSV, PDF], description: 'The statement.' },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'report statement',
    commandArguments: ['client'],
  })
  async statement(
    @ValidQuery() { client, month, excel }: StatementQuery,
    @WantedType([CSV, PDF]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const id = await this.clients.findExisting(client);
    const statement = await this.statements.ofMonth(id, month);
    const name = `statement-${id}-${month}`;
    if (type === PDF) return fileResponse(owner, `${name}.pdf`, PDF, this.statements.pdfOf(statement, owner));
    if (type === CSV)
      return rowsResponse(owner, type, { name, ...this.statements.spreadsheetOf(statement), excel });
    const head = JSON.stringify({ ...this.statements.headOf(statement), documents: statement.documents });
    const around = [`{"success":true,"data":${head.slice(0, -1)},"entries":[`, ']}}'] as const;
    return jsonResponse(owner, this.statements.entriesOf(statement), around);
  }

  @AdminRoute({
    method: 'GET',
    path: 'balances',
    role: roleToOpen('money/wallets'),
    operationId: 'reportBalances',
    summary: 'Lists what each client had paid in advance at the end of a day, for the accountant.',
    answer: { rows: BalanceResponse, files: [CSV] },
    command: 'report balances',
  })
  balances(
    @ValidQuery() { on, excel }: BalancesQuery,
    @WantedType([CSV]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const { to: end = new Date() } = readPeriodOf({ to: on }, this.settings.timeZone);
    return rowsResponse(owner, type, {
      name: 'balances',
      columns: BALANCE_COLUMNS,
      rows: this.books.balances(end),
      excel,
      toData: withNumbers(...BALANCE_COLUMNS.filter((column) => column !== 'client')),
    });
  }
}
