import { randomUUID } from 'node:crypto';
import { Get, Inject } from '@nestjs/common';
import { ClientAdministration } from '../../../auth/clients/client-administration.js';
import { type DeskPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { ClientOrdersService } from '../../../orders/view/client-orders.service.js';
import { formatMoney } from '../../../pages/formats.js';
import { again, IdParam, readTexts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromAmount, ungrouped } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { monthAt, monthsBetween } from '../../../platform/time/time.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { PassbookRepository } from '../../../wallet/passbook.repository.js';
import { readAdjustment, WalletService } from '../../../wallet/wallet.service.js';
import { filterOf, readWalletQuery, type WalletQuery } from '../../shared/passbook-query.js';
import { DeskPages, For } from '../desk-pages.js';
import { clientWalletPath } from '../paths.js';
import { adjustPage, adjustReviewPage, clientWalletPage } from './client-wallet-pages.js';

const readAdjustQuery = readTexts('amount', 'reason', 'review');
const readAdjust = readTexts('amount', 'reason', 'key', 'last');

/** The wallet of one client. Staff read it, admins correct it. */
@DeskPages('clients/:id/wallet', 'staff')
export class ClientWalletController {
  constructor(
    private readonly clients: ClientAdministration,
    private readonly wallets: WalletService,
    private readonly passbook: PassbookRepository,
    private readonly orders: ClientOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @QueryReadBy(readWalletQuery) { before, ...chosen }: WalletQuery,
  ): Promise<Page> {
    const { currency, timeZone } = this.settings;
    const client = await this.clients.show(id);
    const [funds, page, since] = await Promise.all([
      this.wallets.funds(id),
      this.passbook.page(id, filterOf(chosen, timeZone), before),
      this.passbook.since(id),
    ]);
    const thisMonth = monthAt(Date.now(), timeZone);
    const numbers = page.lines.flatMap(({ orderNumber }) => orderNumber ?? []);
    return clientWalletPage({
      client,
      funds,
      isAdmin: hasRole(me, 'admin'),
      page,
      storeOrderIds: await this.orders.storeOrderIds(id, numbers),
      months: monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth),
      chosen,
      before,
      currency,
    });
  }

  /** First the amount and the reason, then what the correction does. */
  @Get('adjust')
  @For('admin')
  async askAdjust(
    @IdParam() id: number,
    @QueryReadBy(readAdjustQuery) given: ReturnType<typeof readAdjustQuery>,
  ): Promise<Page> {
    const { currency } = this.settings;
    const client = await this.clients.show(id);
    const page = adjustPage({ client, amount: given.amount, reason: given.reason, currency });
    if (given.review === '') return page;
    try {
      const { amount, reason } = readAdjustment(ungrouped(given.amount), given.reason);
      const [funds, last] = await Promise.all([this.wallets.funds(id), this.wallets.lastAdjustment(id)]);
      return adjustReviewPage({ client, amount, reason, funds, key: randomUUID(), last, currency });
    } catch (error) {
      return again(error, page);
    }
  }

  @PostForm('adjust')
  @For('admin')
  async adjust(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @BodyReadBy(readAdjust) { amount, reason, key, last }: ReturnType<typeof readAdjust>,
  ): Promise<SeeOther> {
    const path = clientWalletPath(id);
    try {
      const { balance } = await this.wallets.adjust(id, amount, reason, me, { key, last: Number(last) });
      const money = formatMoney(minorFromAmount(balance), this.settings.currency);
      return seeOther(path, `The wallet now holds ${money}.`);
    } catch (error) {
      if (!(error instanceof DomainError) || !TOLD.has(error.code)) throw error;
      return seeOther(path, { kind: 'warn', text: error.message });
    }
  }
}

/** What the passbook explains. */
const TOLD = new Set(['conflict', 'insufficient_balance']);
