import { Get, Inject } from '@nestjs/common';
import type { DeskPerson } from '../../../auth/people/signed-in-person.js';
import { formatMoney } from '../../../pages/formats.js';
import { again, atField, IdParam, oneOf, placeIn, Texts, wordIn } from '../../../pages/forms.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { BankTransfersService } from '../../../payments/bank-transfers.service.js';
import { PaymentDeskService } from '../../../payments/payment-desk.service.js';
import { TRANSFER_STATUSES } from '../../../payments/rules/payment-status.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { WalletService } from '../../../wallet/wallet.service.js';
import { DeskPages } from '../desk-pages.js';
import { MONEY, transferPath } from '../paths.js';
import { transferPage, transfersPage, type TransfersQuery } from './transfers-pages.js';

const PAGE_SIZE = 50;

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
  async list(@QueryReadBy(readTransfersQuery) chosen: TransfersQuery): Promise<Page> {
    const { status, utr, before } = chosen;
    const filter = { ...(status !== 'all' && { status }), utr, before };
    const [found, waiting, counts] = await Promise.all([
      this.transfers.newest(filter, PAGE_SIZE + 1),
      this.transfers.waiting(),
      this.payments.count(),
    ]);
    const { rows: transfers, last } = onePage(found, PAGE_SIZE);
    const { currency } = this.settings;
    return transfersPage({ transfers, older: last?.transfer_id, waiting, chosen, counts, currency });
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

function readTransfersQuery(query: FormFields): TransfersQuery {
  const status = oneOf(query, 'status', [...TRANSFER_STATUSES, 'all']) ?? 'announced';
  return { status, utr: wordIn(query, 'utr'), before: placeIn(query, 'before') };
}
