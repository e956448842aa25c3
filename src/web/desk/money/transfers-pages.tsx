import {
  AmountField,
  Button,
  ButtonLink,
  Choices,
  Field,
  FormCard,
} from '../../../shared/ui/components/controls.js';
import { Card, Facts, Notice } from '../../../shared/ui/components/layout.js';
import { amountColumn, type ListColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import {
  moneyRenderer,
  NameWithDetail,
  RelativeTime,
  StateLabel,
  stateLabel,
  type States,
} from '../../../shared/ui/components/values.js';
import { countOf, formatMoney } from '../../../platform/formats.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../../../modules/payments/rules/payment-status.js';
import { describeMeans } from '../../../modules/payments/rules/read-inputs.js';
import type { TransferRow } from '../../../modules/payments/transfer-list.repository.js';
import { type Minor, minorFromAmount, numericFromMinor } from '../../../platform/money/money.js';
import type { Funds, ReferenceReview } from '../../../modules/wallet/wallet.service.js';
import { TdsField, TransferFields } from '../../shared/transfer-fields.js';
import { clientPath, MONEY, NEW_TRANSFER, TRANSFER_REPORTS, transferPath } from '../paths.js';
import { authorWords, DoneBy } from '../words.js';
import { acceptedIn, referenceWarnings } from './reference-warnings.js';

const STATES: States<TransferStatus> = {
  announced: { name: 'To confirm', kind: 'warn' },
  confirmed: { name: 'Confirmed', kind: 'accent' },
  refused: { name: 'Refused', kind: 'bad' },
  withdrawn: { name: 'Withdrawn', kind: 'quiet' },
};

export const TRANSFERS = new ListPage({
  path: MONEY,
  caption: 'Transfers, newest first',
  filters: {
    status: {
      as: 'tabs',
      label: 'Transfers by state',
      options: [
        ...TRANSFER_STATUSES.map((value) => ({ value, text: STATES[value].name })),
        { value: 'all', text: 'All' },
      ],
    },
    utr: { as: 'search', label: 'Reference', maxLength: 80 },
  },
  mark: { name: 'before', kind: 'number', of: ({ transfer_id: id }: TransferRow) => id },
  columns: (currency: string): ListColumn<TransferRow>[] => [
    titleColumn('Client', ({ transfer_id: id, client, payer }) => ({
      text: client,
      href: transferPath(id),
      detail: payer === null ? null : `Account of ${payer}`,
    })),
    { heading: 'Reference', cell: ({ utr }) => <code>{utr}</code> },
    {
      heading: 'Recorded',
      cell: ({ announced_at: at, announced_by: by }) => (
        <NameWithDetail detail={by && authorWords(by)}>
          <RelativeTime at={at} />
        </NameWithDetail>
      ),
    },
    { heading: 'State', as: 'state', cell: (transfer) => <State transfer={transfer} /> },
    amountColumn('Amount', currency, ({ amount, received }) => minorFromAmount(received ?? amount), 'amount'),
  ],
  empty: {
    none: 'Nothing waits. Transfers that clients report appear here.',
    noMatch: 'No transfer matches.',
    all: { text: 'Show all transfers', selected: { status: 'all' } },
  },
});

const State = ({ transfer: { status, other_claims: others } }: { transfer: TransferRow }) =>
  status === 'announced' && others.length > 0 ? (
    <StateLabel kind="bad">Claimed twice</StateLabel>
  ) : (
    stateLabel(STATES[status])
  );

export const RECORD = 'Record a transfer, cheque or cash';

/** The words for money by how it came: where its payer and amount stand, and what to compare. */
const MEANS_WORDS = {
  'Bank transfer': {
    on: ' on your bank statement',
    compare: 'Compare the reference, the amount and the payer with your bank statement.',
    again: ' and can report the transfer again',
  },
  Cheque: {
    on: ' on the cheque',
    compare:
      'Compare the number, the amount and the payer with the cheque. Confirm it when your bank has paid.',
    again: '',
  },
  Cash: { on: '', compare: 'Compare the receipt, the amount and the payer with your cash.', again: '' },
};

/** "bank transfer", "cheque" or "cash". */
export const meansOf = (reference: string) => describeMeans(reference).toLowerCase();

/** The head of the list: the work that waits. */
export function transfersHead({ transfers, amount }: { transfers: number; amount: Minor }, currency: string) {
  const actions = <ButtonLink href={NEW_TRANSFER}>{RECORD}</ButtonLink>;
  if (transfers === 0)
    return {
      actions,
      title: 'No transfer waits',
      lead: 'Clients report a bank transfer with its UTR. You confirm it when the money has arrived.',
    };
  return {
    actions,
    title: `${countOf(transfers, 'transfer waits', 'transfers wait')} to be confirmed`,
    lead: `${formatMoney(amount, currency)} in all. Look for each reference on your bank statement.`,
  };
}

const CAME_AS = [
  { value: 'utr', text: 'Bank transfer or UPI' },
  { value: 'cheque', text: 'Cheque' },
  { value: 'cash', text: 'Cash' },
];

const ReferenceFields = () => (
  <>
    <Choices label="Came as" name="kind" options={CAME_AS} value="utr" required />
    <Field
      label="Reference"
      name="utr"
      hint="UTR or UPI reference. Cheque: number and bank, such as 123456 HDFC. Cash: your receipt number."
      maxlength={60}
      required
    />
  </>
);

/** For a client that did not report its transfer. `earlier`: the report with the typed reference. */
export const newTransferPage = (currency: string, client?: string, earlier?: number): Page => ({
  title: RECORD,
  lead: 'For money that its client did not report.',
  back: { href: MONEY, text: 'Transfers' },
  content: (
    <FormCard action={TRANSFER_REPORTS}>
      {earlier !== undefined && (
        <Notice kind="warn">
          <a href={transferPath(earlier)}>Transfer {earlier}</a> has this reference.
        </Notice>
      )}
      <Field
        label="Client"
        name="client"
        value={client}
        hint="Number, name, e-mail address or domain."
        maxlength={100}
        required
      />
      <TransferFields currency={currency} reference={<ReferenceFields />} />
      <Button kind="primary">Record the money</Button>
    </FormCard>
  ),
});

interface Props {
  transfer: TransferRow;
  funds: Funds;
  /** Other uses of its reference. */
  reference: ReferenceReview;
  currency: string;
}

/** One transfer. While it waits, the page says what a decision will do. */
export function transferPage({ transfer, funds, reference, currency }: Props): Page {
  const { transfer_id: id, status, client, payer, other_claims: others } = transfer;
  const amount = minorFromAmount(transfer.amount);
  const tds = minorFromAmount(transfer.tds);
  const waits = status === 'announced';
  const words = MEANS_WORDS[describeMeans(transfer.utr)];
  const money = moneyRenderer(currency);
  return {
    title: `${formatMoney(amount, currency)} from ${client}: ${STATES[status].name.toLowerCase()}`,
    lead: waits && words.compare,
    back: { href: MONEY, text: 'Transfers' },
    content: (
      <>
        {waits && others.length > 0 && <DisputedNotice others={others} />}
        {waits && referenceWarnings(reference).map((warning) => <Notice kind="warn">{warning}</Notice>)}
        <Card title="What was recorded">
          <Facts
            of={{
              Client: <a href={clientPath(transfer.client_id)}>{client}</a>,
              'Account holder, as recorded': payer ?? 'Not named: the client itself',
              [`Payer${words.on}`]: transfer.received_from,
              Reference: <code>{transfer.utr}</code>,
              Amount: money(amount),
              'Amount received': transfer.received !== null && money(minorFromAmount(transfer.received)),
              'Tax deducted (TDS)': tds > 0 && money(tds),
              Recorded: <DoneBy at={transfer.announced_at} by={transfer.announced_by} />,
              [STATES[status].name]: transfer.decided_at !== null && (
                <DoneBy at={transfer.decided_at} by={transfer.decided_by} />
              ),
              Reason: transfer.reason,
            }}
          />
        </Card>
        {waits && (
          <div class="columns">
            <FormCard
              title="The money has arrived"
              action={`${transferPath(id)}/confirm`}
              hidden={{ shared: acceptedIn(reference) }}
            >
              <Facts
                sums
                of={{
                  'In the wallet now': money(funds.balance),
                  'As recorded': money(amount, true),
                  'Tax deducted (TDS)': tds > 0 && money(tds, true),
                  'Afterwards, if all of it arrived': money(funds.balance + amount + tds),
                }}
              />
              <Field
                label={`Payer${words.on}`}
                name="payer"
                hint={`Recorded: ${payer ?? client}. Do not confirm a payment of a stranger.`}
                maxlength={200}
                required
              />
              <AmountField
                label={`Amount${words.on}`}
                name="amount"
                value={numericFromMinor(amount)}
                currency={currency}
                required
              />
              <Field
                label="Reason for another amount"
                name="difference"
                hint="Only if it differs from the report. The client reads it."
                maxlength={200}
              />
              <TdsField value={tds > 0 ? numericFromMinor(tds) : ''} currency={currency} />
              <Button kind="primary">Confirm the {meansOf(transfer.utr)}</Button>
            </FormCard>
            <FormCard title="The money has not arrived" action={`${transferPath(id)}/refuse`}>
              <p>No money moves. The client reads the reason{words.again}.</p>
              <Field label="Reason" name="reason" maxlength={200} required />
              <Button kind="danger">Refuse</Button>
            </FormCard>
          </div>
        )}
      </>
    ),
  };
}

const DisputedNotice = ({ others }: { others: readonly number[] }) => (
  <Notice kind="bad">
    Another client claims this reference too:{' '}
    {others.map((id, at) => (
      <>
        {at > 0 && ', '}
        <a href={transferPath(id)}>transfer {id}</a>
      </>
    ))}
    . Ask your bank who sent it, and refuse the wrong report first.
  </Notice>
);
