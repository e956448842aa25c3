import { Get, Inject } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import type { ReceiveInput } from '../../../modules/fulfilment/returns/actions/receive.js';
import * as actions from '../../../modules/fulfilment/returns/actions/return-actions.js';
import { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import {
  type ReturnRecord,
  ReturnsRepository,
} from '../../../modules/fulfilment/returns/returns.repository.js';
import { InvoicingService } from '../../../modules/invoices/invoicing.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { noteSubject, NotesService } from '../../../modules/notes/notes.service.js';
import { isReceived, formatReturnState } from '../../../modules/orders/rules/return-request.js';
import { readTexts, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { moneyRenderer } from '../../../shared/ui/components/values.js';
import { may } from '../../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { quantitiesIn, unitsIn } from '../../shared/order-forms.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { withNotes } from '../notes/notes-card.js';
import { returnPath } from '../paths.js';
import {
  acceptPage,
  decidedPage,
  receiptEffects,
  receivePage,
  refusePage,
  RETURN_LIST,
  returnPageOf,
  settlePage,
  returnsHead,
} from './returns-pages.js';
import { takeStep } from '../action.js';

type One = DeskPageRequest<'number'>;

/** Goods that come back. */
@DeskPages('returns')
export class ReturnsController {
  constructor(
    private readonly returns: OrderReturnsService,
    private readonly returnList: ReturnsRepository,
    private readonly invoicing: InvoicingService,
    private readonly notes: NotesService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    const query = RETURN_LIST.read(fields);
    const { state } = query.selected;
    const [found, open] = await Promise.all([
      RETURN_LIST.find((limit) => this.returnList.page(state, query.mark, limit)),
      this.returnList.countOpen(),
    ]);
    const context = { showsRefunds: may(me, 'see amounts') && isReceived(state) };
    return RETURN_LIST.page({ ...returnsHead(state, open), query, result: found, context });
  }

  @Get(':number')
  async show(@DeskPageRequest() { me, number }: One): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    const notes = await this.notes.of(noteSubject('return', orderReturn.number));
    const page = returnPageOf(orderReturn, me);
    return withNotes(page, { kind: 'return', subject: orderReturn.number, notes, me });
  }

  @Get(':number/receive')
  async askReceipt(@DeskPageRequest() { me, number }: One): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    return orderReturn.state === 'requested'
      ? receivePage(orderReturn, may(me, 'decide about refunds'))
      : decidedPage(orderReturn);
  }

  /** Shows a review, then receives the return. */
  @PostForm(':number/receive')
  async receive(@DeskPageRequest() request: One): Promise<Reply> {
    const { me, fields } = request;
    const decides = may(me, 'decide about refunds');
    const orderReturn = await this.returns.show(request.number);
    if (orderReturn.state !== 'requested') return { ...decidedPage(orderReturn), status: 409 };
    const { number } = orderReturn;
    const path = returnPath(number);
    return takeStep(fields, {
      back: { href: path, text: number },
      form: () => this.askReceipt(request),
      review: async () => {
        const receipt = receiptIn(orderReturn, fields, decides);
        const preview = await this.returns.preview(orderReturn, actions.receive.change(receipt), actorOf(me));
        const order = { clientId: orderReturn.client_id, orderNumber: orderReturn.order_number };
        return {
          title: `Receive ${number}?`,
          effects: receiptEffects(orderReturn, preview, decides),
          warnings: receipt.refund ? await this.invoicing.warningsOf(order) : [],
          reviewedFields: { fingerprint: preview.fingerprint },
          button: 'Receive the return',
        };
      },
      run: async () => {
        const reviewed = { fingerprint: textIn(fields, 'fingerprint') };
        const change = actions.receive.change(receiptIn(orderReturn, fields, decides));
        const { state } = await this.returns.act(number, change, actorOf(me), reviewed);
        return seeOther(path, `The return ${number} is ${formatReturnState(state)}.`);
      },
    });
  }

  @Get(':number/accept')
  async askAcceptance(@DeskPageRequest() { number }: Pick<One, 'number'>): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    if (orderReturn.state !== 'requested') return decidedPage(orderReturn);
    const { name, address } = await this.sellers.asText();
    const sendTo = [name, address].filter(Boolean).join('\n');
    return acceptPage(orderReturn, sendTo, dayAt(Date.now(), this.settings.timeZone));
  }

  @PostForm(':number/accept')
  accept(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    const accept = async () => {
      await this.returns.act(number, actions.accept.change(readAcceptanceFields(fields)), actorOf(me));
      return seeOther(returnPath(number), `The return ${number} is accepted.`);
    };
    return submitForm(accept, () => this.askAcceptance({ number }));
  }

  @Get(':number/refund')
  async askRefund(@DeskPageRequest() { number }: Pick<One, 'number'>): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    return orderReturn.refund_open ? settlePage(orderReturn) : decidedPage(orderReturn);
  }

  /** Shows a review, then refunds the return or closes it without a refund. */
  @PostForm(':number/refund')
  async settle(@DeskPageRequest() request: One): Promise<Reply> {
    const { me, fields } = request;
    const orderReturn = await this.returns.show(request.number);
    if (!orderReturn.refund_open) return { ...decidedPage(orderReturn), status: 409 };
    const { number, currency } = orderReturn;
    const path = returnPath(number);
    const reason = textIn(fields, 'reason');
    const isRefund = textIn(fields, 'refund') === 'yes';
    const change = actions.refund.change(isRefund ? {} : { none: reason });
    return takeStep(fields, {
      back: { href: path, text: number },
      form: () => this.askRefund(request),
      review: async () => {
        const order = { clientId: orderReturn.client_id, orderNumber: orderReturn.order_number };
        const preview = await this.returns.preview(orderReturn, change, actorOf(me));
        const amount = moneyRenderer(currency)(preview.refund ?? 0);
        return {
          title: isRefund ? `Refund ${number}?` : `Close ${number} without a refund?`,
          effects: {
            'To the client’s wallet': isRefund ? amount : 'nothing',
            Reason: !isRefund && reason.trim(),
          },
          warnings: isRefund ? await this.invoicing.warningsOf(order) : [],
          reviewedFields: { fingerprint: preview.fingerprint },
          button: isRefund ? 'Refund the return' : 'Close it without a refund',
        };
      },
      run: async () => {
        const reviewed = { fingerprint: textIn(fields, 'fingerprint') };
        await this.returns.act(number, change, actorOf(me), reviewed);
        return seeOther(
          path,
          isRefund ? 'The refund is in the client’s wallet.' : 'Closed without a refund.',
        );
      },
    });
  }

  @Get(':number/refuse')
  async askRefusal(@DeskPageRequest() { number }: Pick<One, 'number'>): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    return orderReturn.state === 'requested' ? refusePage(orderReturn) : decidedPage(orderReturn);
  }

  @PostForm(':number/refuse')
  refuse(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    const refuse = async () => {
      await this.returns.act(
        number,
        actions.refuse.change({ reason: textIn(fields, 'reason') }),
        actorOf(me),
      );
      return seeOther(returnPath(number), `The return ${number} is refused.`);
    };
    return submitForm(refuse, () => this.askRefusal({ number }));
  }
}

const readAcceptanceFields = readTexts('sendTo', 'sendBy');

/** Packers receive without a decision about the refund. */
function receiptIn({ lines }: ReturnRecord, fields: FormFields, decides: boolean): ReceiveInput {
  const units = (what: string, name: string) =>
    unitsIn(lines, quantitiesIn(fields, name), { what, name, canBeEmpty: true });
  return {
    lines: units('received', 'line'),
    restock: units('restocked', 'restock'),
    refund: decides ? textIn(fields, 'refund') === 'yes' : undefined,
    note: textIn(fields, 'note'),
  };
}
