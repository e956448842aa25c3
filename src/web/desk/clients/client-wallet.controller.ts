import { Get, Inject } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { formatMoney } from '../../../shared/ui/formats.js';
import { orWarn, readTexts } from '../../../shared/ui/forms.js';
import type { Page, Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { minorFromAmount, ungrouped } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { monthAt, monthsBetween } from '../../../platform/time/time.js';
import { Passbook } from '../../../modules/wallet/passbook.repository.js';
import { readAdjustment, WalletService } from '../../../modules/wallet/wallet.service.js';
import { filterOf, PASSBOOK } from '../../shared/passbook.js';
import { DeskPages, For, Visit } from '../desk-pages.js';
import { clientPaths } from '../paths.js';
import { adjustForm, adjustReview, clientWalletPage } from './client-wallet-pages.js';
import { takeStep } from '../action.js';

const readAdjust = readTexts('amount', 'reason', 'key', 'last');

/** The wallet of one client. Staff read it, admins correct it. */
@DeskPages('clients/:id/wallet', 'staff')
export class ClientWalletController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly wallets: WalletService,
    private readonly passbook: Passbook,
    private readonly orders: ClientOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@Visit() { me, id, fields }: Visit): Promise<Page> {
    const { currency, timeZone } = this.settings;
    const asked = PASSBOOK.read(fields);
    const client = await this.clients.show(id);
    const [funds, found, since] = await Promise.all([
      this.wallets.funds(id),
      PASSBOOK.find((most) => this.passbook.newest(id, filterOf(asked.chosen, timeZone), asked.mark, most)),
      this.passbook.since(id),
    ]);
    const thisMonth = monthAt(Date.now(), timeZone);
    const numbers = found.rows.flatMap(({ orderNumber }) => orderNumber ?? []);
    const storeOrderIds = await this.orders.storeOrderIds(id, numbers);
    const months = monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth);
    const isAdmin = hasRole(me, 'admin');
    return clientWalletPage({ client, funds, isAdmin, found, storeOrderIds, months, asked, currency });
  }

  @Get('adjust')
  @For('admin')
  async askAdjust(@Visit() { id }: Pick<Visit, 'id'>): Promise<Page> {
    return adjustForm(await this.clients.show(id), this.settings.currency);
  }

  /** Shows a review, then corrects the wallet. */
  @PostForm('adjust')
  @For('admin')
  adjust(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const { currency } = this.settings;
    const wallet = clientPaths(id).wallet;
    const { amount, reason, key, last } = readAdjust(fields);
    return takeStep(fields, {
      path: clientPaths(id).adjust,
      back: { href: wallet, text: 'Wallet' },
      form: () => this.askAdjust({ id }),
      review: async () => {
        const given = readAdjustment(ungrouped(amount), reason);
        const [client, funds, shown] = await Promise.all([
          this.clients.show(id),
          this.wallets.funds(id),
          this.wallets.lastAdjustment(id),
        ]);
        return adjustReview({ client, ...given, funds, last: shown, currency });
      },
      run: () =>
        orWarn(wallet, ['conflict', 'insufficient_balance'], async () => {
          const { balance } = await this.wallets.adjust(id, amount, reason, me, { key, last: Number(last) });
          return `The wallet now holds ${formatMoney(minorFromAmount(balance), currency)}.`;
        }),
    });
  }
}
