import { Get } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import {
  OrderReturnsService,
  type Receipt,
} from '../../../modules/fulfilment/returns/order-returns.service.js';
import {
  type ReturnShown,
  ReturnsRepository,
} from '../../../modules/fulfilment/returns/returns.repository.js';
import { InvoicingService } from '../../../modules/invoices/invoicing.service.js';
import { noted, NotesService } from '../../../modules/notes/notes.service.js';
import { isReceived, returnStateWords } from '../../../modules/orders/rules/return-request.js';
import { orAgain, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { quantitiesIn, unitsIn } from '../../shared/order-forms.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { withNotes } from '../notes/notes-card.js';
import { returnPath } from '../paths.js';
import {
  decidedPage,
  receiptEffects,
  receivePage,
  refusePage,
  RETURN_LIST,
  returnPageOf,
  returnsHead,
} from './returns-pages.js';
import { takeStep } from '../action.js';

type One = Visit<'number'>;

/** Goods that come back. Only staff see amounts and refund. */
@DeskPages('returns', 'packer')
export class ReturnsController {
  constructor(
    private readonly returns: OrderReturnsService,
    private readonly listed: ReturnsRepository,
    private readonly invoicing: InvoicingService,
    private readonly notes: NotesService,
  ) {}

  @Get()
  async list(@Visit() { me, fields }: Visit): Promise<Page> {
    const asked = RETURN_LIST.read(fields);
    const { state } = asked.chosen;
    const [found, open] = await Promise.all([
      RETURN_LIST.find((most) => this.listed.page(state, asked.mark, most)),
      this.listed.countOpen(),
    ]);
    const context = { showsRefunds: hasRole(me, 'staff') && isReceived(state) };
    return RETURN_LIST.page({ ...returnsHead(state, open), asked, found, context });
  }

  @Get(':number')
  async show(@Visit() { me, number }: One): Promise<Page> {
    const shown = await this.returns.show(number);
    const notes = await this.notes.of(noted('return', shown.number));
    const page = returnPageOf(shown, hasRole(me, 'staff'));
    return withNotes(page, { kind: 'return', subject: shown.number, notes, me });
  }

  @Get(':number/receive')
  async askReceipt(@Visit() { me, number }: One): Promise<Page> {
    const shown = await this.returns.show(number);
    return shown.state === 'requested' ? receivePage(shown, hasRole(me, 'staff')) : decidedPage(shown);
  }

  /** Shows a review, then receives the return. */
  @PostForm(':number/receive')
  async receive(@Visit() visit: One): Promise<Reply> {
    const { me, fields } = visit;
    const isStaff = hasRole(me, 'staff');
    const shown = await this.returns.show(visit.number);
    if (shown.state !== 'requested') return { ...decidedPage(shown), status: 409 };
    const { number } = shown;
    const path = returnPath(number);
    return takeStep(fields, {
      path: `${path}/receive`,
      back: { href: path, text: number },
      form: () => this.askReceipt(visit),
      review: async () => {
        const receipt = receiptIn(shown, fields, isStaff);
        const foreseen = await this.returns.foresee(shown, receipt, actorOf(me));
        const order = { clientId: shown.client_id, orderNumber: shown.order_number };
        return {
          title: `Receive ${number}?`,
          effects: receiptEffects(shown, foreseen, isStaff),
          warnings: receipt.refund ? await this.invoicing.warningsOf(order) : [],
          seen: { fingerprint: foreseen.fingerprint },
          button: 'Receive the return',
        };
      },
      run: async () => {
        const seen = { fingerprint: textIn(fields, 'fingerprint') };
        await this.returns.receive(number, receiptIn(shown, fields, isStaff), actorOf(me), seen);
        const { state } = await this.returns.show(number);
        return seeOther(path, `The return ${number} is ${returnStateWords(state)}.`);
      },
      told: ['conflict', 'illegal_transition', 'invalid_value'],
    });
  }

  @Get(':number/refuse')
  async askRefusal(@Visit() { number }: Pick<One, 'number'>): Promise<Page> {
    const shown = await this.returns.show(number);
    return shown.state === 'requested' ? refusePage(shown) : decidedPage(shown);
  }

  @PostForm(':number/refuse')
  refuse(@Visit() { me, number, fields }: One): Promise<Reply> {
    const refuse = async () => {
      await this.returns.refuse(number, textIn(fields, 'reason'), actorOf(me));
      return seeOther(returnPath(number), `The return ${number} is refused.`);
    };
    return orAgain(refuse, () => this.askRefusal({ number }), 'conflict', 'invalid_value');
  }
}

/** Packers receive without a refund. */
function receiptIn({ lines }: ReturnShown, fields: FormFields, isStaff: boolean): Receipt {
  const units = (what: string, name: string) =>
    unitsIn(lines, quantitiesIn(fields, name), { what, name, mayBeNone: true });
  return {
    lines: units('received', 'line'),
    restock: units('restocked', 'restock'),
    refund: isStaff && textIn(fields, 'refund') === 'yes',
    note: textIn(fields, 'note'),
  };
}
