import type { ReturnPreview } from '../../../modules/fulfilment/returns/order-returns.service.js';
import type { OpenReturns, ReturnRecord } from '../../../modules/fulfilment/returns/returns.repository.js';
import type { ReceivedLine } from '../../../modules/orders/rules/order-units.js';
import {
  isReceived,
  MAX_ADDRESS_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_REASON_LENGTH,
  type ReturnState,
  formatReturnState,
} from '../../../modules/orders/rules/return-request.js';
import { Button, ButtonLink, Choices, Field, TextArea } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, Table, titleColumn } from '../../../shared/ui/components/lists.js';
import {
  moneyRenderer,
  NameWithDetail,
  RelativeTime,
  ShortNumber,
} from '../../../shared/ui/components/values.js';
import { countOf, formatCount, formatNumber } from '../../../platform/formats.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { addDays, type Day } from '../../../platform/time/time.js';
import { capitalised } from '../../../platform/validation/texts.js';
import { formPage, unavailablePage } from '../../shared/form-page.js';
import { acceptanceFacts, nameWithVariation, ReturnState as State } from '../../shared/order-cards.js';
import { UnitFields } from '../../shared/order-forms.js';
import { type Effects, reviewedForm } from '../action.js';
import { clientPaths, orderPath, returnPath, RETURNS } from '../paths.js';
import { authorWords, DoneBy } from '../words.js';
import { formatVariation } from '../../../read-model/products/variations.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';

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

export const RETURN_LIST = new ListPage({
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

export function returnsHead(state: ReturnState, open: OpenReturns) {
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

export function returnPageOf(orderReturn: ReturnRecord, me: DeskPerson): Page {
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

export function decidedPage({ number, state, decision, decided_by: by }: ReturnRecord): Page {
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

/** `sendTo`: the company's address. */
export function acceptPage({ number, send_to, send_by }: ReturnRecord, sendTo: string, today: Day): Page {
  const path = returnPath(number);
  return formPage({
    title: `Accept ${number}`,
    lead: 'The client reads where to send the goods, and until when. Stock and money do not move.',
    back: { href: path, text: number },
    fields: (
      <>
        <TextArea
          label="Send the goods to"
          name="sendTo"
          rows={4}
          maxlength={MAX_ADDRESS_LENGTH}
          value={send_to ?? sendTo}
          required
        />
        <Field
          label="Send them by"
          hint="Includes that day."
          name="sendBy"
          type="date"
          value={send_by ?? addDays(today, DEFAULT_DAYS)}
          required
        />
      </>
    ),
    buttons: <Button kind="primary">Accept the return</Button>,
  });
}

export function settlePage(view: ReturnRecord): Page {
  const path = returnPath(view.number);
  return reviewedForm({
    title: `Refund ${view.number}`,
    lead: 'The goods came. The refund is not decided yet.',
    back: { href: path, text: view.number },
    fields: (
      <>
        <Choices label="Money" name="refund" options={REFUND} value="yes" required />
        <Field label="Reason" hint="Only without a refund" name="reason" maxlength={MAX_REASON_LENGTH} />
      </>
    ),
  });
}

export function receivePage({ number, lines, is_rto: isRto }: ReturnRecord, decides: boolean): Page {
  const path = returnPath(number);
  return reviewedForm({
    title: `Receive ${number}`,
    lead: 'Units that came and are not for sale again are written off.',
    back: { href: path, text: number },
    fields: (
      <>
        <UnitFields items={lines} possible={lines} label="Came: " selected={lines} />
        <UnitFields
          items={lines}
          possible={lines}
          name="restock"
          label="For sale again: "
          selected={isRto ? lines : []}
        />
        {decides ? (
          <Choices label="Money" name="refund" options={REFUND} value="yes" required />
        ) : (
          <p>{NO_REFUND}</p>
        )}
        <Field label="Note" hint="The client can read it." name="note" maxlength={MAX_NOTE_LENGTH} />
      </>
    ),
  });
}

/** The effects of the receipt. */
export function receiptEffects(
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

export function refusePage({ number, lines }: ReturnRecord): Page {
  const path = returnPath(number);
  const hint = 'The client can read it.';
  return formPage({
    title: `Refuse ${number}?`,
    lead: 'Nothing moves: no stock and no money. The goods can be returned again.',
    back: { href: path, text: number },
    fields: (
      <>
        <Facts of={{ Items: lines.map((line) => <div>{lineWords(line)}</div>) }} />
        <Field label="Reason" hint={hint} name="reason" maxlength={MAX_REASON_LENGTH} required />
      </>
    ),
    buttons: <Button kind="danger">Refuse the return</Button>,
  });
}
