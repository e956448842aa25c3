import * as actions from '../../../modules/orders/actions/order-actions.js';
import { hasReference, PAYMENT_METHODS, paymentNote } from '../../../modules/orders/actions/pay.js';
import type { DeskOrderPage } from '../../../modules/orders/records/order-desk.service.js';
import {
  listOverdueWarnings,
  packingNotice,
} from '../../../modules/orders/records/order-warnings.service.js';
import { NOTE_REASONS, noteReasonOf } from '../../../modules/invoices/rules/note-reasons.js';
import { allUnits, type LineQuantity } from '../../../modules/orders/rules/order-units.js';
import { joinReference } from '../../../modules/wallet/rules/payment-reference.js';
import { deliveryToRefund, lossesToRefund } from '../../../modules/orders/rules/parcel-exception.js';
import { refundsInForce } from '../../../modules/orders/rules/take-back.js';
import { AmountField, Checks, Choices, Field, Select } from '../../../shared/ui/components/controls.js';
import { ExactTime, Money, moneyRenderer } from '../../../shared/ui/components/values.js';
import { formatMoney } from '../../../platform/formats.js';
import { textIn } from '../../../shared/ui/forms.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { fundsToPay } from '../money/money-frame.js';
import { Units } from '../../shared/order-cards.js';
import { quantitiesIn, UnitFields, unitsIn } from '../../shared/order-forms.js';
import {
  changeAction,
  CLIENT_READS,
  requireText,
  numberIn,
  orderAfter,
  ReasonField,
  formatUnits,
  sharedIn,
} from './action-shape.js';

export const cancel = changeAction({
  name: 'Cancel',
  isDanger: true,
  role: actions.cancel.role,
  title: 'Cancel',
  lead:
    'For units that are not shipped. The client gets their money back, the delivery charge only with the ' +
    'whole order. All are for sale again, except those that you count as broken.',
  isOffered: ({ status }) => status === 'awaiting_payment' || status === 'pending',
  units: { what: 'cancelled', canBeEmpty: isUnpaid },
  fields: (order, { units }) => (
    <>
      {!isUnpaid(order) && units}
      {!isUnpaid(order) && (
        <UnitFields
          items={order.items}
          possible={allUnits(order.items, 'cancelled')}
          name={WRITE_OFF}
          label="Of these, broken or lost: "
        />
      )}
      <ReasonField hint="The client and its store can read it." />
    </>
  ),
  change: ({ order, fields, units, key }) =>
    actions.cancel.change({
      reason: requireText(fields, 'reason'),
      lines: isUnpaid(order) ? undefined : units,
      writtenOff: writtenOffIn(order, fields),
      key,
    }),
  effects: ({ order, fields, units, step }) => {
    const back = step.refund?.amount ?? 0;
    const writtenOff = writtenOffIn(order, fields);
    const cancelled = isUnpaid(order) ? allUnits(order.items, 'cancelled') : units;
    const forSale = lessUnits(cancelled, writtenOff);
    return {
      'For sale again': forSale.length > 0 ? <Units order={order} lines={forSale} /> : 'nothing',
      'Written off': writtenOff.length > 0 && <Units order={order} lines={writtenOff} />,
      'To the client’s wallet':
        back > 0 ? <Money minor={back} currency={order.currency} /> : `nothing: ${whyNothing(order)}`,
      Reason: textIn(fields, 'reason'),
      'Packing list': packingNotice(order.packingList, step.status),
      ...orderAfter(step),
    };
  },
  button: ({ order, units }) => (isUnpaid(order) ? 'Cancel the order' : `Cancel ${formatUnits(units)}`),
  done: ({ order, fields }) =>
    writtenOffIn(order, fields).length > 0
      ? 'Cancelled. What was not written off is for sale again.'
      : 'Cancelled. The goods are for sale again.',
});

const WRITE_OFF = 'writeOff';

function writtenOffIn({ items, ...order }: DeskOrderPage, fields: FormFields): LineQuantity[] {
  if (isUnpaid({ items, ...order })) return [];
  const rules = { what: 'written off', name: WRITE_OFF, canBeEmpty: true };
  return unitsIn(items, quantitiesIn(fields, WRITE_OFF), rules);
}

const lessUnits = (units: readonly LineQuantity[], less: readonly LineQuantity[]): LineQuantity[] =>
  units
    .map(({ line, quantity }) => ({
      line,
      quantity: quantity - (less.find((one) => one.line === line)?.quantity ?? 0),
    }))
    .filter(({ quantity }) => quantity > 0);

const whyNothing = (order: DeskOrderPage) =>
  isUnpaid(order) ? 'it was not paid' : 'it was refunded before, or cost nothing';

/** It is cancelled as a whole. */
function isUnpaid({ status }: DeskOrderPage): boolean {
  return status === 'awaiting_payment';
}

const PAID_BY = [
  ...PAYMENT_METHODS.map((method) => ({ value: method as string, text: method as string })),
  { value: 'wallet', text: 'The client’s wallet', hint: 'only with its consent' },
];

export const pay = changeAction({
  name: 'Record a payment',
  role: actions.pay.role,
  title: 'Record a payment of',
  lead: 'For money that came outside the dashboard, or a client that asks. The order is paid in full.',
  isOffered: isUnpaid,
  fields: () => (
    <>
      <Choices label="Paid by" name="method" options={PAID_BY} value="Cash" required />
      <Field
        label="Reference"
        hint="The number of the cheque, the UPI reference or the UTR. From the wallet: who agreed, and how."
        name="reference"
        maxlength={200}
      />
    </>
  ),
  change: ({ fields }) => {
    const method = textIn(fields, 'method');
    if (!PAID_BY.some(({ value }) => value === method))
      throw new DomainError('invalid_value', 'The form must name how it was paid.');
    if (method === 'wallet') return actions.pay.change({ consent: requireText(fields, 'reference') });
    const reference = (hasReference(method) ? requireText : textIn)(fields, 'reference');
    return actions.pay.change({ method, reference, acceptedUses: sharedIn(fields) });
  },
  payment: ({ order: { total: amount }, fields }) => {
    const [method, reference] = [textIn(fields, 'method'), textIn(fields, 'reference')];
    return method === 'wallet' ? null : { reference: paymentNote(method, joinReference(reference)), amount };
  },
  effects: async ({ order: { total, currency }, fields, readFunds }) => {
    const [method, reference] = [textIn(fields, 'method'), textIn(fields, 'reference').trim()];
    const money = moneyRenderer(currency);
    const fromWallet = method === 'wallet';
    const funds = fromWallet && (await readFunds());
    return {
      Amount: money(total),
      'Paid by': fromWallet ? 'the client’s wallet' : method,
      ...(funds && fundsToPay(funds, total, currency)),
      [fromWallet ? 'Consent' : 'Reference']: reference,
      'The order then': 'is paid and waits to be shipped',
    };
  },
  button: () => 'Record the payment',
  done: 'The payment is recorded.',
});

export const unpay = changeAction({
  name: 'Undo the payment',
  role: actions.unpay.role,
  title: 'Undo the payment of',
  lead:
    'For a payment that was recorded by mistake: its money goes out of the books. Auto-pay may pay the ' +
    'order from the wallet at once. To give money back, cancel the order or refund it.',
  isOffered: ({ status, isPaymentRecorded }) => status === 'pending' && isPaymentRecorded,
  fields: () => <ReasonField hint={CLIENT_READS} />,
  change: ({ fields }) => actions.unpay.change({ reason: requireText(fields, 'reason') }),
  warnings: async ({ order }) => listOverdueWarnings(order.paymentDueAt),
  effects: ({ order, fields, step, isTaxOn }) => ({
    'Out of the books': <Money minor={order.total} currency={order.currency} />,
    'Recorded as': paymentNote(order.paymentMethod, order.paymentReference),
    'Refund voucher': isTaxOn && 'issued, if the payment has a receipt voucher',
    Reason: textIn(fields, 'reason'),
    'Packing list': packingNotice(order.packingList, step.status),
    ...orderAfter(step),
    'Pay by': <ExactTime at={order.paymentDueAt} />,
  }),
  button: () => 'Undo the payment',
  done: 'The payment is undone. The order waits for payment.',
});

const Paid = ({ order, less }: { order: DeskOrderPage; less: number }) => {
  const { total, refundedAmount, currency } = order;
  return (
    <>
      <Money minor={total - refundedAmount} currency={currency} /> →{' '}
      <Money minor={total - refundedAmount - less} currency={currency} />
    </>
  );
};

const NOTE_REASON_OPTIONS = [
  { value: '', text: 'The usual one of this refund' },
  ...Object.entries(NOTE_REASONS).map(([value, text]) => ({ value, text: `${value} ${text}` })),
];

const NOTE_TAX = [
  { value: '', text: 'Lowers the tax', hint: 'the usual credit note, in your GST return' },
  {
    value: 'commercial',
    text: 'Commercial: changes no tax',
    hint: 'only for an amount, such as a discount that was not agreed before the supply',
  },
];

const isCommercial = (fields: FormFields) => textIn(fields, 'note_tax') === 'commercial';

const amountIn = (fields: FormFields) => textIn(fields, 'amount').trim() || undefined;

const hasDelivery = (fields: FormFields) => textIn(fields, 'delivery') !== '';

export const refund = changeAction({
  name: 'Refund',
  role: actions.refund.role,
  credits: true,
  title: 'Refund',
  lead: 'The money goes to the client’s wallet. Goods do not move.',
  isOffered: ({ paymentStatus }) => paymentStatus === 'paid',
  units: {
    what: 'refunded',
    canBeEmpty: (_, fields) => hasDelivery(fields) || amountIn(fields) !== undefined,
  },
  fields: ({ currency, total, refundedAmount, ...order }, { units, parcel, isTaxOn }) => (
    <>
      {units}
      {deliveryToRefund(order) > 0 && (
        <Checks
          label="Delivery charge"
          name="delivery"
          options={[{ value: 'yes', text: `Refund ${formatMoney(order.delivery, currency)}` }]}
          values={lossesToRefund(order).some((one) => one.parcel === parcel && one.delivery) ? ['yes'] : []}
        />
      )}
      <AmountField
        label="Or an amount alone"
        hint={
          <>
            Without units and delivery: up to <Money minor={total - refundedAmount} currency={currency} />
          </>
        }
        name="amount"
        currency={currency}
      />
      <ReasonField hint={CLIENT_READS} />
      {isTaxOn && (
        <>
          <Select
            label="Code of the reason"
            hint="Usual: 01 for units, 02 for an amount, 07 for the delivery and for lost units."
            name="reason_code"
            options={NOTE_REASON_OPTIONS}
            value=""
          />
          <Choices label="Credit note" name="note_tax" options={NOTE_TAX} value="" />
        </>
      )}
    </>
  ),
  change: ({ fields, units, key }) =>
    actions.refund.change({
      reason: requireText(fields, 'reason'),
      key,
      reasonCode: textIn(fields, 'reason_code'),
      commercial: isCommercial(fields),
      lines: units.length > 0 ? units : undefined,
      delivery: hasDelivery(fields),
      amount: amountIn(fields),
    }),
  effects: ({ order, units, fields, steps, isTaxOn }) => {
    const refunds = steps.map((step) => step.refund!);
    const amount = refunds.reduce((sum, one) => sum + one.amount, 0);
    return {
      'To the client’s wallet': <Money minor={amount} currency={order.currency} />,
      For: (
        <>
          <Units order={order} lines={units} />
          {hasDelivery(fields) && <div>the delivery</div>}
          {amountIn(fields) && 'an amount'}
        </>
      ),
      Reason: textIn(fields, 'reason'),
      'Paid and not refunded': <Paid order={order} less={amount} />,
      'Credit note':
        isTaxOn &&
        `issued for the part that was invoiced${isCommercial(fields) ? ', without a change of tax' : ''}`,
      'Code of the reason':
        isTaxOn && [...new Set(refunds.map((one) => NOTE_REASONS[noteReasonOf(one)]))].join(', '),
    };
  },
  button: () => 'Refund',
  done: 'The refund is in the client’s wallet.',
});

export const takeBack = changeAction({
  name: 'Take a refund back',
  role: actions.takeBack.role,
  title: 'Take back a refund of',
  lead: 'For a refund that was too high, or a mistake. Its money leaves the client’s wallet again.',
  isOffered: ({ status, refunds }) => status !== 'cancelled' && refundsInForce(refunds).length > 0,
  fields: ({ refunds, currency }) => {
    const options = refundsInForce(refunds).map(({ refund: number, left, reason }) => ({
      value: String(number),
      text: `Refund ${number}: ${formatMoney(left, currency)}`,
      hint: reason,
    }));
    return (
      <>
        <Choices
          label="Refund"
          name="refund"
          options={options}
          value={options.length === 1 ? options[0]!.value : ''}
          required
        />
        <AmountField
          label="Amount"
          hint="Only for a part of a refund of an amount. Empty: all of it."
          name="amount"
          currency={currency}
        />
        <ReasonField hint={CLIENT_READS} />
      </>
    );
  },
  change: ({ fields, key }) => {
    const number = numberIn(fields, 'refund');
    if (number === undefined) throw new DomainError('invalid_value', 'The form must name a refund.');
    const reason = requireText(fields, 'reason');
    return actions.takeBack.change({ refund: number, amount: amountIn(fields), reason, key });
  },
  effects: ({ order, fields, step: { refund: taken }, isTaxOn }) => {
    const back = -taken!.amount;
    const first = order.refunds.find(({ refund: number }) => number === taken!.takesBack)!;
    return {
      'From the client’s wallet': <Money minor={back} currency={order.currency} />,
      Refund: `${first.refund}: ${first.reason}`,
      Reason: requireText(fields, 'reason'),
      'Paid and not refunded': <Paid order={order} less={-back} />,
      'Debit note': isTaxOn && 'issued for the part that was credited, with the tax of the credit',
    };
  },
  button: () => 'Take it back',
  done: 'The refund is taken back.',
});
