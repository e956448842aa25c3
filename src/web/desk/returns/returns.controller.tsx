import { Get, Inject } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import type { ReceiveInput } from '../../../modules/fulfilment/returns/actions/receive.js';
import * as actions from '../../../modules/fulfilment/returns/actions/return-actions.js';
import {
  OrderReturnsService,
  type ReturnPreview,
} from '../../../modules/fulfilment/returns/order-returns.service.js';
import {
  type ReturnRecord,
  ReturnsRepository,
  type OpenReturns,
} from '../../../modules/fulfilment/returns/returns.repository.js';
import { InvoicingService } from '../../../modules/invoices/invoicing.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { noteSubject, NotesService } from '../../../modules/notes/notes.service.js';
import {
  isReceived,
  formatReturnState,
  MAX_ADDRESS_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_REASON_LENGTH,
  type ReturnState,
} from '../../../modules/orders/rules/return-request.js';
import { readTexts, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import {
  moneyRenderer,
  NameWithDetail,
  RelativeTime,
  ShortNumber,
} from '../../../shared/ui/components/values.js';
import { may, type DeskPerson } from '../../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, addDays } from '../../../platform/time/time.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { quantitiesIn, unitsIn, UnitFields } from '../../shared/order-forms.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { withNotes } from '../notes/notes-card.js';
import { returnPath, clientPaths, orderPath, RETURNS } from '../paths.js';
import { takeStep, type Effects, reviewedForm } from '../action.js';
import type { ReceivedLine } from '../../../modules/orders/rules/order-units.js';
import { Button, ButtonLink, Choices, Field, TextArea } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, Table, titleColumn } from '../../../shared/ui/components/lists.js';
import { countOf, formatCount, formatNumber } from '../../../platform/formats.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { capitalised } from '../../../platform/validation/texts.js';
import { formPage, unavailablePage } from '../../shared/form-page.js';
import { acceptanceFacts, nameWithVariation, ReturnState as State } from '../../shared/order-cards.js';
import { authorWords, DoneBy } from '../words.js';
import { formatVariation } from '../../../read-model/products/variations.js';

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
    const { state, lines } = orderReturn;
    if (state !== 'requested') return decidedPage(orderReturn);
    return reviewedForm({
      title: `Receive ${orderReturn.number}`,
      lead: 'Units that came and are not for sale again are written off.',
      back: backTo(orderReturn),
      fields: (
        <>
          <UnitFields items={lines} possible={lines} label="Came: " selected={lines} />
          <UnitFields
            items={lines}
            possible={lines}
            name="restock"
            label="For sale again: "
            selected={orderReturn.is_rto ? lines : []}
          />
          {may(me, 'decide about refunds') ? (
            <Choices label="Money" name="refund" options={REFUND} value="yes" required />
          ) : (
            <p>{NO_REFUND}</p>
          )}
          <Field label="Note" hint="The client can read it." name="note" maxlength={MAX_NOTE_LENGTH} />
        </>
      ),
    });
  }

  /** Shows a review, then receives the return. */
  @PostForm(':number/receive')
  async receive(@DeskPageRequest() request: One): Promise<Reply> {
    const { me, fields } = request;
    const decides = may(me, 'decide about refunds');
    const orderReturn = await this.returns.show(request.number);
    if (orderReturn.state !== 'requested') return { ...decidedPage(orderReturn), status: 409 };
    const { number } = orderReturn;
    return takeStep(fields, {
      back: backTo(orderReturn),
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
        return seeOther(returnPath(number), `The return ${number} is ${formatReturnState(state)}.`);
      },
    });
  }

  @Get(':number/accept')
  async askAcceptance(@DeskPageRequest() { number }: Pick<One, 'number'>): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    if (orderReturn.state !== 'requested') return decidedPage(orderReturn);
    const { name, address } = await this.sellers.asText();
    const sendTo = [name, address].filter(Boolean).join('\n');
    const today = dayAt(Date.now(), this.settings.timeZone);
    return formPage({
      title: `Accept ${orderReturn.number}`,
      lead: 'The client reads where to send the goods, and until when. Stock and money do not move.',
      back: backTo(orderReturn),
      fields: (
        <>
          <TextArea
            label="Send the goods to"
            name="sendTo"
            rows={4}
            maxlength={MAX_ADDRESS_LENGTH}
            value={orderReturn.send_to ?? sendTo}
            required
          />
          <Field
            label="Send them by"
            hint="Includes that day."
            name="sendBy"
            type="date"
            value={orderReturn.send_by ?? addDays(today, DEFAULT_DAYS)}
            required
          />
        </>
      ),
      buttons: <Button kind="primary">Accept the return</Button>,
    });
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
    if (!orderReturn.refund_open) return decidedPage(orderReturn);
    return reviewedForm({
      title: `Refund ${orderReturn.number}`,
      lead: 'The goods came. The refund is not decided yet.',
      back: backTo(orderReturn),
      fields: (
        <>
          <Choices label="Money" name="refund" options={REFUND} value="yes" required />
          <Field label="Reason" hint="Only without a refund" name="reason" maxlength={MAX_REASON_LENGTH} />
        </>
      ),
    });
  }

  /** Shows a review, then refunds the return or closes it without a refund. */
  @PostForm(':number/refund')
  async settle(@DeskPageRequest() request: One): Promise<Reply> {
    const { me, fields } = request;
    const orderReturn = await this.returns.show(request.number);
    if (!orderReturn.refund_open) return { ...decidedPage(orderReturn), status: 409 };
    const { number, currency } = orderReturn;
    const reason = textIn(fields, 'reason');
    const isRefund = textIn(fields, 'refund') === 'yes';
    const change = actions.refund.change(isRefund ? {} : { none: reason });
    return takeStep(fields, {
      back: backTo(orderReturn),
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
          returnPath(number),
          isRefund ? 'The refund is in the client’s wallet.' : 'Closed without a refund.',
        );
      },
    });
  }

  @Get(':number/refuse')
  async askRefusal(@DeskPageRequest() { number }: Pick<One, 'number'>): Promise<Page> {
    const orderReturn = await this.returns.show(number);
    if (orderReturn.state !== 'requested') return decidedPage(orderReturn);
    return formPage({
      title: `Refuse ${orderReturn.number}?`,
      lead: 'Nothing moves: no stock and no money. The goods can be returned again.',
      back: backTo(orderReturn),
      fields: (
        <>
          <Facts of={{ Items: orderReturn.lines.map((line) => <div>{lineWords(line)}</div>) }} />
          <Field
            label="Reason"
            hint="The client can read it."
            name="reason"
            maxlength={MAX_REASON_LENGTH}
            required
          />
        </>
      ),
      buttons: <Button kind="danger">Refuse the return</Button>,
    });
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

const lineWords = ({ name, variation, quantity }: ReturnRecord['lines'][number]) =>
  `${quantity} × ${nameWithVariation(name, variation)}`;

const COLUMNS: ListColumn<ReturnRecord>[] = [
  {
    ...titleColumn('Return', ({ number, order_number: order }) => ({
      text: <ShortNumber of={number} />,
      href: returnPath(number),
      detail: (
        <a href={orderPath(order)}>
          <ShortNumber of={order} />
        </a>
      ),
    })),
    nowrap: true,
  },
  { heading: 'Client', cell: ({ client }) => client },
  {
    heading: 'Items',
    as: 'line',
    cell: ({ lines }) => lines.map(lineWords).join(', '),
  },
  { heading: 'Reason', as: 'line', cell: ({ reason }) => reason },
  { heading: 'Requested', cell: ({ requested_at: at }) => <RelativeTime at={at} /> },
  { heading: 'State', as: 'state', cell: (one) => <State {...one} acceptedAt={one.accepted_at} /> },
];

const refundOf = ({ refunded, currency }: ReturnRecord) => moneyRenderer(currency)(minorFromAmount(refunded));

/** A refund of these lines by another way is no refund of the return, but it is one. */
function refundWords(orderReturn: ReturnRecord) {
  const { refunded, refunded_otherwise: otherwise, refund_open: isOpen, currency } = orderReturn;
  if (refunded > 0) return refundOf(orderReturn);
  if (otherwise > 0)
    return <>{moneyRenderer(currency)(minorFromAmount(otherwise))} by refunds of the order’s lines</>;
  return isOpen ? 'to decide' : 'nothing';
}

const REFUNDED: ListColumn<ReturnRecord> = {
  heading: 'Refunded',
  align: 'end',
  as: 'amount',
  cell: refundWords,
};

const RETURN_LIST = new ListPage({
  path: RETURNS,
  caption: 'Returns',
  filters: {
    state: {
      as: 'tabs',
      label: 'Returns by state',
      options: [
        { value: 'requested', text: 'Open' },
        { value: 'received', text: 'Received' },
        { value: 'partly_received', text: 'Partly received' },
        { value: 'refused', text: 'Refused' },
      ],
    },
  },
  mark: { name: 'after', kind: 'text', of: ({ number }: ReturnRecord) => number },
  columns: ({ showsRefunds }: { showsRefunds: boolean }) => (showsRefunds ? [...COLUMNS, REFUNDED] : COLUMNS),
  empty: { none: 'No returns are in this state now.' },
});

const LEADS: Record<ReturnState, string> = {
  requested: 'The oldest request comes first.',
  received: 'The newest request comes first.',
  partly_received: 'The newest request comes first. What did not come can be returned again.',
  refused: 'Also those that a client withdrew, the newest request first. The goods can be returned again.',
};

function returnsHead(state: ReturnState, open: OpenReturns) {
  return {
    title: state === 'requested' ? openTitle(open) : `${capitalised(formatReturnState(state))} returns`,
    lead: LEADS[state],
    counts: { requested: formatCount(open.all) },
  };
}

function openTitle({ all, toAnswer }: OpenReturns): string {
  if (all.orMore) return `${formatCount(all)} open returns`;
  if (all.count === 0) return 'No returns wait';
  const toReceive = all.count - toAnswer;
  const waiting = (count: number) => countOf(count, 'return waits', 'returns wait');
  if (toAnswer === 0) return `${waiting(toReceive)} to be received`;
  const answers = `${waiting(toAnswer)} for your answer`;
  return toReceive === 0 ? answers : `${answers}, ${formatNumber(toReceive)} to be received`;
}

const LINES: ListColumn<ReturnRecord['lines'][number]>[] = [
  {
    heading: 'Item',
    as: 'title',
    cell: ({ name, sku, variation }) => (
      <NameWithDetail detail={[sku, formatVariation(variation)].filter((text) => text !== '').join(' · ')}>
        {name}
      </NameWithDetail>
    ),
  },
  countColumn('Expected', ({ quantity }) => quantity),
];

const DECIDED: ListColumn<ReturnRecord['lines'][number]>[] = [
  countColumn('Came', ({ received }) => received ?? 0),
  countColumn('For sale again', ({ restocked }) => restocked),
  countColumn('Written off', ({ received, restocked }) => (received ?? 0) - restocked),
];

const back = { href: RETURNS, text: 'Returns' };

const backTo = ({ number }: ReturnRecord) => ({ href: returnPath(number), text: number });

function returnPageOf(orderReturn: ReturnRecord, me: DeskPerson): Page {
  const { number, state, order_number, client, reason, note, requested_at, requested_by, decision } =
    orderReturn;
  const { decided_at, decided_by, lines, store_return_id, accepted_at, accepted_by } = orderReturn;
  const { awaits_answer: isAnswerDue } = orderReturn;
  const path = returnPath(number);
  const stated = formatReturnState(state, decision);
  const waits = `waits for ${isAnswerDue ? 'your answer' : 'its goods'}`;
  const accept = (
    <ButtonLink href={`${path}/accept`} kind={isAnswerDue ? 'primary' : 'plain'}>
      {accepted_at ? 'Change where to send it' : 'Accept'}
    </ButtonLink>
  );
  const receive = (
    <ButtonLink href={`${path}/receive`} kind={isAnswerDue ? 'plain' : 'primary'}>
      Receive
    </ButtonLink>
  );
  return {
    title: `${number} ${state === 'requested' ? waits : `is ${stated}`}`,
    lead: `Of ${client}, because: ${reason}.`,
    back,
    actions:
      state === 'requested' ? (
        <>
          <ButtonLink href={`${path}/refuse`} kind="danger">
            Refuse
          </ButtonLink>
          {isAnswerDue ? [receive, accept] : [accept, receive]}
        </>
      ) : (
        isReceived(state) && (
          <>
            {may(me, 'order for clients') && (
              <ButtonLink href={withQuery(clientPaths(orderReturn.client_id).order, { again: order_number })}>
                Order again
              </ButtonLink>
            )}
            {may(me, 'decide about refunds') && orderReturn.refund_open && (
              <ButtonLink href={`${path}/refund`} kind="primary">
                Decide about the refund
              </ButtonLink>
            )}
          </>
        )
      ),
    content: (
      <>
        <Card title="Items" flush>
          <Table
            caption="Items of the return"
            columns={isReceived(state) ? [...LINES, ...DECIDED] : LINES}
            rows={lines}
          />
        </Card>
        <Card title="The return">
          <Facts
            of={{
              Order: <a href={orderPath(order_number)}>{order_number}</a>,
              'Return of the store': store_return_id,
              Note: note,
              Requested: <DoneBy at={requested_at} by={requested_by} />,
              Accepted: accepted_at && <DoneBy at={accepted_at} by={accepted_by} />,
              ...acceptanceFacts({ sendTo: orderReturn.send_to, sendBy: orderReturn.send_by }),
              ...(decided_at && {
                [isReceived(state) ? 'Received' : capitalised(stated)]: (
                  <DoneBy at={decided_at} by={decided_by} />
                ),
              }),
              Answer: decision,
              Refunded: may(me, 'see amounts') && isReceived(state) && refundWords(orderReturn),
            }}
          />
        </Card>
      </>
    ),
  };
}

function decidedPage({ number, state, decision, decided_by: by }: ReturnRecord): Page {
  const stated = formatReturnState(state, decision);
  return unavailablePage(
    `${number} was ${stated} already`,
    `It was ${stated}${by === null ? '' : ` ${authorWords(by)}`}.`,
    back,
    { href: returnPath(number), text: 'See the return' },
  );
}

const REFUND = [
  { value: 'yes', text: 'Refund the price of what came', hint: 'to the client’s wallet' },
  { value: 'no', text: 'No refund' },
];

const NO_REFUND = 'Staff decide about a refund later. The page Today lists the return until then.';

const DEFAULT_DAYS = 14;

/** The effects of the receipt. */
function receiptEffects(
  { lines, currency }: ReturnRecord,
  { arrived: units, refund }: ReturnPreview,
  decides: boolean,
): Effects {
  const formatUnitLines = (of: (unit: ReceivedLine) => number) => {
    const some = units.filter((unit) => of(unit) > 0);
    return some.length === 0
      ? 'nothing'
      : some.map((unit) => (
          <div>{lineWords({ ...lines.find(({ line }) => line === unit.line)!, quantity: of(unit) })}</div>
        ));
  };
  const missing = units.some(
    ({ line, received }) => received < lines.find((one) => one.line === line)!.quantity,
  );
  return {
    Came: formatUnitLines(({ received }) => received),
    'For sale again': formatUnitLines(({ restocked }) => restocked),
    'Written off': formatUnitLines(({ received, restocked }) => received - restocked),
    'Did not come': missing && 'can be returned again',
    'To the client’s wallet': decides && (refund === undefined ? 'nothing' : moneyRenderer(currency)(refund)),
    Refund: !decides && NO_REFUND,
  };
}
