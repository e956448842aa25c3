import { Get, Param } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import { type DeskPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { OrderDeskService } from '../../../orders/records/order-desk.service.js';
import {
  OrderReturnsService,
  type Receipt,
  type ReturnShown,
} from '../../../fulfilment/returns/order-returns.service.js';
import { receivedUnits } from '../../../orders/rules/order-units.js';
import { again, SentFields, textIn, Texts } from '../../../pages/forms.js';
import type { AskedOf } from '../../../pages/list-page.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { Me } from '../../../platform/access/access.decorators.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { Minor } from '../../../platform/money/money.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { quantitiesIn, unitsIn } from '../../shared/order-forms.js';
import { DeskPages } from '../desk-pages.js';
import { returnPath } from '../paths.js';
import { type Review, takeStep } from '../action.js';
import {
  decidedPage,
  receiptEffects,
  receivePage,
  refusePage,
  RETURN_LIST,
  returnPageOf,
  returnsHead,
} from './returns-pages.js';

/** Goods that come back. Only staff see amounts and refund. */
@DeskPages('returns', 'packer')
export class ReturnsController {
  constructor(
    private readonly returns: OrderReturnsService,
    private readonly orders: OrderDeskService,
  ) {}

  @Get()
  async list(
    @Me() me: DeskPerson,
    @QueryReadBy(RETURN_LIST.read) asked: AskedOf<typeof RETURN_LIST>,
  ): Promise<Page> {
    const { state } = asked.chosen;
    const [found, open] = await Promise.all([
      RETURN_LIST.find((most) => this.returns.page(state, asked.mark, most)),
      this.returns.countOpen(),
    ]);
    const context = { showsRefunds: hasRole(me, 'staff') && state === 'received' };
    return RETURN_LIST.page({ ...returnsHead(state, open), asked, found, context });
  }

  @Get(':number')
  async show(@Me() me: DeskPerson, @Param('number') number: string): Promise<Page> {
    return returnPageOf(await this.returns.show(number), hasRole(me, 'staff'));
  }

  @Get(':number/receive')
  async askReceipt(@Me() me: DeskPerson, @Param('number') number: string): Promise<Page> {
    const shown = await this.returns.show(number);
    return shown.state === 'requested' ? receivePage(shown, hasRole(me, 'staff')) : decidedPage(shown);
  }

  /** First shows what the receipt will do, then does it. */
  @PostForm(':number/receive')
  async receive(
    @Me() me: DeskPerson,
    @Param('number') number: string,
    @SentFields() fields: FormFields,
  ): Promise<Reply> {
    const isStaff = hasRole(me, 'staff');
    const shown = await this.returns.show(number);
    if (shown.state !== 'requested') return { ...decidedPage(shown), status: 409 };
    const path = returnPath(shown.number);
    return takeStep(fields, {
      path: `${path}/receive`,
      back: { href: path, text: shown.number },
      form: () => this.askReceipt(me, number),
      review: () => this.reviewOf(shown, receiptIn(shown, fields, isStaff), isStaff),
      run: async () => {
        const seen = { fingerprint: textIn(fields, 'fingerprint') };
        await this.returns.receive(shown.number, receiptIn(shown, fields, isStaff), actorOf(me), seen);
        return seeOther(path, `The return ${shown.number} is received.`);
      },
      told: ['conflict', 'illegal_transition', 'invalid_value'],
    });
  }

  @Get(':number/refuse')
  async askRefusal(@Param('number') number: string): Promise<Page> {
    const shown = await this.returns.show(number);
    return shown.state === 'requested' ? refusePage(shown) : decidedPage(shown);
  }

  @PostForm(':number/refuse')
  async refuse(
    @Me() me: DeskPerson,
    @Param('number') number: string,
    @Texts('reason') { reason }: Texts<'reason'>,
  ): Promise<Reply> {
    try {
      await this.returns.refuse(number, reason, actorOf(me));
    } catch (error) {
      return again(error, await this.askRefusal(number), 'conflict', 'invalid_value');
    }
    return seeOther(returnPath(number), `The return ${number} is refused.`);
  }

  private async reviewOf(shown: ReturnShown, receipt: Receipt, isStaff: boolean): Promise<Review> {
    const order = await this.orders.details(shown.order_number);
    const units = receivedUnits(shown.lines, receipt);
    const lines = units
      .filter(({ received }) => received > 0)
      .map(({ line, received }) => ({ line, quantity: received }));
    const { number: returnNumber, reason } = shown;
    const request = { kind: 'returned', lines, returnNumber, reason, key: returnNumber } as const;
    const refund: Minor | undefined = receipt.refund
      ? (this.orders.foresee(order, { action: 'refund', request }).refund?.amount ?? 0)
      : undefined;
    return {
      title: `Receive ${shown.number}?`,
      effects: receiptEffects({ shown, units, refund, isStaff }),
      seen: { fingerprint: order.fingerprint },
      button: 'Receive the return',
    };
  }
}

/** Packers receive without a refund. */
function receiptIn({ lines }: ReturnShown, fields: FormFields, isStaff: boolean): Receipt {
  return {
    lines: unitsIn(lines, quantitiesIn(fields), { what: 'received', mayBeNone: true }),
    restock: unitsIn(lines, quantitiesIn(fields, 'restock'), {
      what: 'restocked',
      name: 'restock',
      mayBeNone: true,
    }),
    refund: isStaff && textIn(fields, 'refund') === 'yes',
    note: textIn(fields, 'note'),
  };
}
