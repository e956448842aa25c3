import { Get, Inject } from '@nestjs/common';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { formatMoney } from '../../../pages/formats.js';
import { again, atField, IdParam, Texts } from '../../../pages/forms.js';
import type { AskedOf } from '../../../pages/list-page.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { BankTransfersService } from '../../../payments/bank-transfers.service.js';
import { PaymentDeskService } from '../../../payments/payment-desk.service.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { WalletService } from '../../../wallet/wallet.service.js';
import { DeskPages } from '../desk-pages.js';
import { MONEY, transferPath } from '../paths.js';
import { MoneyTabs } from './money-frame.js';
import { transferPage, TRANSFERS, transfersHead } from './transfers-pages.js';

/** Money that clients have sent by bank. Staff compare it with the bank statement. */
@DeskPages('money', 'staff')
export class TransfersController {
  constructor(
    private readonly transfers: BankTransfersService,
    private readonly payments: PaymentDeskService,
    private readonly wallets: WalletService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@QueryReadBy(TRANSFERS.read) asked: AskedOf<typeof TRANSFERS>): Promise<Page> {
    const { status, utr } = asked.chosen;
    const filter = { ...(status !== 'all' && { status }), utr, before: asked.mark };
    const [found, waiting, counts] = await Promise.all([
      TRANSFERS.find((most) => this.transfers.newest(filter, most)),
      this.transfers.waiting(),
      this.payments.count(),
    ]);
    const { currency } = this.settings;
    const head = transfersHead(waiting, currency);
    return TRANSFERS.page({
      ...head,
      above: MoneyTabs({ at: MONEY, counts }),
      asked,
      found,
      context: currency,
    });
  }

  @Get('transfers/:id')
  async show(@IdParam() id: number): Promise<Page> {
    const transfer = await this.transfers.show(id);
    const funds = await this.wallets.funds(transfer.client_id);
    return transferPage({ transfer, funds, currency: this.settings.currency });
  }

  @PostForm('transfers/:id/confirm')
  async confirm(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('payer') { payer }: Texts<'payer'>,
  ): Promise<Reply> {
    try {
      const { amount, client } = await this.transfers.confirm(id, me, payer);
      const money = formatMoney(minorFromAmount(amount), this.settings.currency);
      return seeOther(MONEY, `${money} are in the wallet of ${client}.`);
    } catch (error) {
      return this.afterDecision(atField('payer', error), id);
    }
  }

  @PostForm('transfers/:id/refuse')
  async refuse(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('reason') { reason }: Texts<'reason'>,
  ): Promise<Reply> {
    try {
      const { client } = await this.transfers.refuse(id, reason, me);
      return seeOther(MONEY, `The transfer of ${client} is refused. No money moved.`);
    } catch (error) {
      return this.afterDecision(atField('reason', error), id);
    }
  }

  /** The page then shows who has decided, or what another client claims. */
  private async afterDecision(error: unknown, id: number): Promise<Reply> {
    if (!(error instanceof DomainError) || error.code !== 'conflict')
      return again(error, await this.show(id));
    return seeOther(transferPath(id), { kind: 'warn', text: `Nothing was changed. ${error.message}` });
  }
}
