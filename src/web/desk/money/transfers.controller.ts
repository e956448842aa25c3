import { Get, Inject } from '@nestjs/common';
import { ClientFinderService, isUnclearClient } from '../../../modules/clients/client-finder.service.js';
import { formatMoney } from '../../../platform/formats.js';
import { redisplayForm, errorAtField, submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { BankTransfersService } from '../../../modules/payments/bank-transfers.service.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { MONEY, transferPath } from '../paths.js';
import { MoneyTabs } from './money-frame.js';
import { meansOf, newTransferPage, transferPage, TRANSFERS, transfersHead } from './transfers-pages.js';

/** Reports an unknown client at its field. */
function errorAtClient(error: unknown): never {
  if (!isUnclearClient(error)) throw error;
  throw validationFailed([{ field: 'client', code: error.code, message: error.message }]);
}

const readTransfer = readTexts('client', 'sent', 'tds', 'kind', 'utr', 'payer');

/** Money that clients have sent by bank. Staff compare it with the bank statement. */
@DeskPages('money')
export class TransfersController {
  constructor(
    private readonly transfers: BankTransfersService,
    private readonly payments: PaymentDeskService,
    private readonly wallets: WalletService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const query = TRANSFERS.read(fields);
    const { status, utr } = query.selected;
    const filter = { ...(status !== 'all' && { status }), utr, before: query.mark };
    const [found, waiting, counts] = await Promise.all([
      TRANSFERS.find((limit) => this.transfers.newest(filter, limit)),
      this.transfers.waiting(),
      this.payments.count(),
    ]);
    const { currency } = this.settings;
    const above = MoneyTabs({ at: MONEY, counts });
    const head = transfersHead(waiting, currency);
    return TRANSFERS.page({ ...head, above, query, result: found, context: currency });
  }

  @Get('transfers/new')
  newTransfer(@DeskPageRequest() { fields }: Pick<DeskPageRequest, 'fields'>): Page {
    return newTransferPage(this.settings.currency, textIn(fields, 'client'));
  }

  /** For a client that did not report it. It is confirmed on its own page, like the others. */
  @PostForm('transfers')
  announce(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const { client, ...transfer } = readTransfer(fields);
    const announce = async () => {
      const clientId = await this.clients.find(client).catch(errorAtClient);
      await this.clients.check(clientId).catch(errorAtClient);
      const { transfer_id: id, utr } = await this.transfers.announceFor(clientId, transfer, me);
      return seeOther(
        transferPath(id),
        `The ${meansOf(utr)} is recorded. Confirm it, and the money is in the wallet.`,
      );
    };
    const earlierOf = (error: unknown) =>
      error instanceof DomainError ? error.errors?.find((fault) => fault.transfer)?.transfer : undefined;
    const page = (error: unknown) =>
      newTransferPage(this.settings.currency, client, earlierOf(error) as number | undefined);
    return submitForm(announce, page);
  }

  @Get('transfers/:id')
  async show(@DeskPageRequest() { id }: Pick<DeskPageRequest, 'id'>): Promise<Page> {
    const transfer = await this.transfers.show(id);
    const amount = minorFromAmount(transfer.amount);
    const [funds, reference] = await Promise.all([
      this.wallets.funds(transfer.client_id),
      this.wallets.reviewReference(transfer.utr, amount),
    ]);
    return transferPage({ transfer, funds, reference, currency: this.settings.currency });
  }

  @PostForm('transfers/:id/confirm')
  confirm(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    return this.decide(id, 'payer', async () => {
      const arrival = {
        ...readTexts('payer', 'tds', 'amount', 'difference')(fields),
        acceptedUses: textIn(fields, 'shared').split(' '),
      };
      const { amount, received, tds, client } = await this.transfers.confirm(id, me, arrival);
      const credited = minorFromAmount(received ?? amount) + minorFromAmount(tds);
      const money = formatMoney(credited, this.settings.currency);
      return `${money} is in the wallet of ${client}.`;
    });
  }

  @PostForm('transfers/:id/refuse')
  refuse(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    return this.decide(id, 'reason', async () => {
      const { client, utr } = await this.transfers.refuse(id, textIn(fields, 'reason'), me);
      return `The ${meansOf(utr)} of ${client} is refused. No money moved.`;
    });
  }

  /** After a refusal the page shows who has decided, or what another client claims. */
  private async decide(id: number, field: string, run: () => Promise<string>): Promise<Reply> {
    try {
      return seeOther(MONEY, await run());
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'conflict')
        return redisplayForm(errorAtField(field, error), await this.show({ id }));
      return seeOther(transferPath(id), {
        kind: 'warn',
        text: `Nothing was changed. ${error.message}`,
      });
    }
  }
}
