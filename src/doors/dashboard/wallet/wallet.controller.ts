import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { AutoPayService } from '../../../orders/auto-pay/auto-pay.service.js';
import type { Page } from '../../../pages/page.js';
import { ClientPaymentsRepository } from '../../../payments/client-payments.repository.js';
import { BankTransfersService } from '../../../payments/bank-transfers.service.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { PASSBOOK_COLUMNS, PassbookRepository } from '../../../wallet/passbook.repository.js';
import { WalletService } from '../../../wallet/wallet.service.js';
import { csvFile } from '../csv-file.js';
import { DashboardPages } from '../dashboard-pages.js';
import { monthOf, periodOf } from './months.js';
import { walletPage } from './wallet-page.js';
import { filterOf, readWalletQuery, type WalletQuery } from './wallet-query.js';

@DashboardPages()
export class WalletPagesController {
  constructor(
    private readonly wallet: WalletService,
    private readonly passbook: PassbookRepository,
    private readonly payments: ClientPaymentsRepository,
    private readonly transfers: BankTransfersService,
    private readonly autoPay: AutoPayService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('wallet')
  async show(
    @CurrentPerson() person: ClientPerson,
    @QueryReadBy(readWalletQuery) { before, ...chosen }: WalletQuery,
  ): Promise<Page> {
    const { clientId } = person;
    const now = new Date();
    const [balance, statement, page, since, payments, transfers, autoPay] = await Promise.all([
      this.wallet.balance(clientId),
      this.passbook.statement(clientId, periodOf(chosen.month ?? monthOf(now))),
      this.passbook.page(clientId, filterOf(chosen), before),
      this.passbook.since(clientId),
      this.payments.recent(clientId),
      this.transfers.recent(clientId),
      this.autoPay.showToClient(clientId),
    ]);
    return walletPage({
      balance,
      statement,
      page,
      since: since ?? now,
      payments,
      transfers,
      autoPay,
      mayPay: hasRole(person, 'buyer'),
      chosen,
      before,
      currency: this.settings.currency,
    });
  }

  @Get('wallet.csv')
  file(
    @CurrentPerson() { clientId }: ClientPerson,
    @QueryReadBy(readWalletQuery) chosen: WalletQuery,
  ): Promise<StreamableFile> {
    const name = `passbook-${chosen.month ?? new Date().toISOString().slice(0, 10)}`;
    return csvFile(name, PASSBOOK_COLUMNS, this.passbook.rows(clientId, filterOf(chosen)));
  }
}
