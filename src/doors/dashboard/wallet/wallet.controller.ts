import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { ClientAutoPay } from '../../../orders/paying/client-auto-pay.js';
import type { Page } from '../../../pages/page.js';
import { RecentPayments } from '../../../payments/recent-payments.js';
import { ClientTransfers } from '../../../payments/transfers/client-transfers.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { PASSBOOK_COLUMNS } from '../../../wallet/passbook/passbook-line.js';
import { Passbook } from '../../../wallet/passbook/passbook.js';
import { csvFile } from '../csv-file.js';
import { DashboardPages } from '../dashboard-pages.js';
import { monthOf, periodOf } from './months.js';
import { walletPage } from './wallet-page.js';
import { filterOf, readWalletQuery, type WalletQuery } from './wallet-query.js';

@DashboardPages()
export class WalletPagesController {
  constructor(
    private readonly passbook: Passbook,
    private readonly payments: RecentPayments,
    private readonly transfers: ClientTransfers,
    private readonly autoPay: ClientAutoPay,
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
      this.passbook.balance(clientId),
      this.passbook.statement(clientId, periodOf(chosen.month ?? monthOf(now))),
      this.passbook.page(clientId, filterOf(chosen), before),
      this.passbook.since(clientId),
      this.payments.of(clientId),
      this.transfers.recent(clientId),
      this.autoPay.show(clientId),
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
