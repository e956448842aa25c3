import type { ComponentChildren } from 'preact';
import { actorOf } from '../../../audit/actor-of.js';
import type { OrderReturnsService } from '../../../fulfilment/returns/order-returns.service.js';
import type { OrderChange } from '../../../orders/lifecycle/lifecycle.repository.js';
import { changedFields } from '../../../orders/lifecycle/order-corrections.service.js';
import type { ParcelView } from '../../../orders/records/after-sale.mapper.js';
import {
  cancelOf,
  type DeskOrderPage,
  type OrderDeskService,
  payOf,
  refundOf,
  shipOf,
  takeBackOf,
  undoOf,
} from '../../../orders/records/order-desk.service.js';
import type { Step } from '../../../orders/rules/order-steps.js';
import { correctionRefusal, type OrderStatus } from '../../../orders/rules/order-transitions.js';
import { allUnits, type LineQuantity, type UnitAction } from '../../../orders/rules/order-units.js';
import { refundsInForce } from '../../../orders/rules/take-back.js';
import { parcelNumbered, type UndoAction } from '../../../orders/rules/undo-steps.js';
import { AmountField, Choices, Field } from '../../../pages/components/controls.js';
import { Money, When } from '../../../pages/components/values.js';
import { countOf, formatMoney } from '../../../pages/formats.js';
import { readTexts, textIn } from '../../../pages/forms.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { Minor } from '../../../platform/money/money.js';
import { isIndia } from '../../../platform/validation/countries.js';
import { Units } from '../../shared/order-cards.js';
import { DELIVERY_FIELDS, deliveryChanges, DeliveryFields, ReturnReason } from '../../shared/order-forms.js';
import { type Effects, fromTo } from '../action.js';

/** What a form asks for, about an order as the page showed it. */
export interface Asked {
  order: DeskOrderPage;
  fields: FormFields;
  units: LineQuantity[];
  /** Keeps a form that is posted twice from doing it twice. */
  key: string;
}

export interface ActionServices {
  orders: OrderDeskService;
  returns: OrderReturnsService;
  /** Parcels have invoices. */
  isTaxOn: boolean;
}

interface Given {
  /** The fields for the units. */
  units: ComponentChildren;
  parcel: number | undefined;
  /** Parcels have invoices. */
  isTaxOn: boolean;
}

/** An action on one order: a form, then a page with its effects, then the deed. */
export interface OrderAction {
  /** The button on the order's page. */
  name: string;
  isDanger?: true;
  role: 'packer' | 'staff';
  /** It credits what was invoiced. */
  credits?: true;
  isOffered(order: DeskOrderPage): boolean;
  title: string;
  lead?: string;
  /** The units that the form asks for. They all begin chosen, or none. */
  units?: {
    what: UnitAction;
    all?: boolean;
    mayBeNone?: (order: DeskOrderPage, fields: FormFields) => boolean;
  };
  /** Without fields there is nothing to ask. */
  fields?(order: DeskOrderPage, given: Given): ComponentChildren;
  /** What it will do. Refuses what cannot be done. */
  effects(asked: Asked, services: ActionServices): Effects;
  /** For a change of the order. Its review tries it first. */
  change?(asked: Asked): OrderChange;
  /** The money that it moves, if high amounts need two people. */
  money?(asked: Asked, services: ActionServices): Minor | undefined;
  /** The words of the button that does it. */
  button(asked: Asked): string;
  /** Returns what was done. */
  run(asked: Asked, services: ActionServices, by: DeskPerson, seen: string): Promise<string>;
}

/** What is asked for, with what it would make of the order. */
interface Foreseen extends Asked {
  step: Step;
  isTaxOn: boolean;
}

interface Changing extends Omit<OrderAction, 'effects' | 'change' | 'money' | 'run'> {
  change(asked: Asked): OrderChange;
  effects(foreseen: Foreseen): Effects;
  money?(foreseen: Foreseen): Minor | undefined;
  /** Said when it is done. */
  done: string | ((asked: Asked) => string);
}

const foresee = (
  change: Changing['change'],
  asked: Asked,
  { orders, isTaxOn }: ActionServices,
): Foreseen => ({
  ...asked,
  step: orders.foresee(asked.order, change(asked)),
  isTaxOn,
});

/** An action whose deed is a change of the order. Its effects are foreseen. */
const changing = ({ change, effects, money, done, ...action }: Changing): OrderAction => ({
  ...action,
  change,
  effects: (asked, services) => effects(foresee(change, asked, services)),
  money: money && ((asked, services) => money(foresee(change, asked, services))),
  run: async (asked, { orders }, by, fingerprint) => {
    await orders.change(asked.order.orderNumber, change(asked), actorOf(by), { fingerprint });
    return typeof done === 'string' ? done : done(asked);
  },
});

const unitsTold = (units: readonly LineQuantity[]) =>
  countOf(
    units.reduce((sum, { quantity }) => sum + quantity, 0),
    'unit',
    'units',
  );

const AFTERWARDS: Record<OrderStatus, string> = {
  awaiting_payment: 'waits for payment',
  pending: 'still has goods to ship',
  shipped: 'is shipped',
  delivered: 'is delivered',
  cancelled: 'is cancelled',
};

const orderAfter = ({ status }: Pick<Step, 'status'>): Effects => ({ 'The order then': AFTERWARDS[status] });

/** The fields of a parcel's tracking, by their names in the form. */
const SHIPMENT = {
  courier: { label: 'Courier', name: 'courier', maxlength: 100, required: true, autocomplete: 'on' },
  trackingNumber: { label: 'Tracking number', name: 'tracking_number', maxlength: 100 },
  trackingUrl: {
    label: 'Tracking page',
    hint: 'The address where the customer follows the parcel.',
    name: 'tracking_url',
    type: 'url',
    maxlength: 2000,
  },
} as const;

const readShipment = (fields: FormFields) => ({
  courier: textIn(fields, SHIPMENT.courier.name).trim(),
  trackingNumber: textIn(fields, SHIPMENT.trackingNumber.name).trim() || null,
  trackingUrl: textIn(fields, SHIPMENT.trackingUrl.name).trim() || null,
});

type ShipmentGiven = { [Name in keyof ReturnType<typeof readShipment>]?: string | null | undefined };

/** The first field that is still empty may take the focus. */
export const ShipmentFields = ({ focus = false, ...given }: ShipmentGiven & { focus?: boolean }) => (
  <>
    <Field {...SHIPMENT.courier} value={given.courier ?? ''} autofocus={focus && !given.courier} />
    <Field
      {...SHIPMENT.trackingNumber}
      value={given.trackingNumber ?? ''}
      autofocus={focus && Boolean(given.courier)}
    />
    <Field {...SHIPMENT.trackingUrl} value={given.trackingUrl ?? ''} />
  </>
);

const ReasonField = ({ hint }: { hint: string }) => (
  <Field label="Reason" hint={hint} name="reason" maxlength={200} required />
);

const CLIENT_READS = 'The client can read it.';

const ship = changing({
  name: 'Ship',
  role: 'packer',
  title: 'Ship',
  lead: 'Goods of a parcel leave the stock. Units that are left out stay to be shipped.',
  isOffered: ({ status }) => status === 'pending',
  units: { what: 'shipped', all: true },
  fields: ({ shippingCountry }, { units, isTaxOn }) => (
    <>
      {units}
      <ShipmentFields />
      {isTaxOn && !isIndia(shippingCountry) && (
        <Field
          label="Reason to ship without an invoice"
          hint="Invoices of exports are not supported here, such as “export under LUT, invoice 12”."
          name="no_invoice"
          maxlength={200}
        />
      )}
    </>
  ),
  change: shipChange,
  effects: ({ isTaxOn, ...asked }) => ({
    'Leave the stock': <Units order={asked.order} lines={asked.units} />,
    ...shipmentEffects(asked),
    Invoice: isTaxOn && (waiverIn(asked) ? `none: ${waiverIn(asked)}` : 'issued for this parcel'),
  }),
  button: ({ units }) => `Ship ${unitsTold(units)}`,
  done: ({ units }) => `${unitsTold(units)} shipped.`,
});

/** A shipment may have several boxes. The further ones have no goods of their own. */
const box = changing({
  name: 'Add a box',
  role: 'packer',
  title: 'Add a box to',
  lead: 'All goods have left. A further box only adds its tracking.',
  isOffered: ({ status }) => status === 'shipped',
  fields: () => <ShipmentFields />,
  change: shipChange,
  effects: (asked) => ({ 'Leave the stock': 'no goods', ...shipmentEffects(asked) }),
  button: () => 'Add the box',
  done: 'The box is added.',
});

/** No units are a further box. */
function shipChange(asked: Asked) {
  return shipOf({ ...readShipment(asked.fields), shippedAt: null }, asked.units, waiverIn(asked));
}

/** Only of an export. */
function waiverIn({ order, fields }: Asked): string | undefined {
  return isIndia(order.shippingCountry) ? undefined : textIn(fields, 'no_invoice').trim() || undefined;
}

function shipmentEffects({ fields, step }: Pick<Foreseen, 'fields' | 'step'>): Effects {
  const { courier, trackingNumber, trackingUrl } = readShipment(fields);
  return {
    Courier: [courier, trackingNumber].filter(Boolean).join(' '),
    'Tracking page': trackingUrl,
    ...orderAfter(step),
  };
}

export const parcelIn = (fields: FormFields) => numberIn(fields, 'parcel');

/** The packing list that the form was opened from. */
export const listIn = (fields: FormFields) => numberIn(fields, 'list');

function numberIn(fields: FormFields, name: string): number | undefined {
  const text = textIn(fields, name);
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** Such as "2: BlueDart BD5". */
const ParcelName = ({ of: { parcel, courier, trackingNumber } }: { of: ParcelView }) => (
  <>
    {parcel}: {[courier, trackingNumber].filter(Boolean).join(' ')}
  </>
);

const deliver = changing({
  name: 'Delivered',
  role: 'packer',
  title: 'Record the delivery of',
  isOffered: ({ parcels }) => parcels.some(({ deliveredAt }) => deliveredAt === null),
  change: ({ fields }) => ({ action: 'deliver', parcel: parcelIn(fields) }),
  effects: ({ order, fields, step }) => {
    const chosen = parcelIn(fields);
    const now = order.parcels.filter(
      ({ parcel, deliveredAt }) => deliveredAt === null && parcel === (chosen ?? parcel),
    );
    return {
      Delivered: now.map((one) => (
        <div>
          Parcel <ParcelName of={one} />
        </div>
      )),
      ...orderAfter(step),
    };
  },
  button: () => 'Record the delivery',
  done: 'The delivery is recorded.',
});

const NOTHING_CHANGES = new DomainError('conflict', 'Nothing is changed: these are the stored values.');

const correct: OrderAction = {
  name: 'Correct',
  role: 'packer',
  title: 'Correct the tracking of',
  lead: 'The history of the order keeps the old values.',
  isOffered: ({ parcels }) => parcels.length > 0,
  fields: ({ parcels }, { parcel }) => (
    <ShipmentFields {...(parcels.find((one) => one.parcel === parcel) ?? parcels.at(-1))} />
  ),
  effects: ({ order: { parcels }, fields }) => {
    const number = parcelIn(fields) ?? parcels.at(-1)?.parcel;
    const parcel = parcels.find((one) => one.parcel === number);
    if (!parcel) throw new DomainError('illegal_transition', 'The order has no such parcel.');
    const given = readShipment(fields);
    const changed = changedFields(parcel, given);
    if (changed.length === 0) throw NOTHING_CHANGES;
    const told = changed.map((name) => [SHIPMENT[name].label, fromTo(parcel[name], given[name])]);
    return { Parcel: parcel.parcel, ...Object.fromEntries(told) };
  },
  button: () => 'Save the correction',
  run: async ({ order, fields }, { orders }, by, fingerprint) => {
    const [parcel, given] = [parcelIn(fields), readShipment(fields)];
    await orders.correct(order.orderNumber, actorOf(by), given, parcel, { fingerprint });
    return 'The tracking is corrected.';
  },
};

type AboutUndoing = 'name' | 'role' | 'credits' | 'title' | 'lead' | 'isOffered' | 'money' | 'done';

interface Undoing extends Pick<Changing, AboutUndoing> {
  deed: string;
  effects(parcel: ParcelView, foreseen: Foreseen): Effects;
}

/** Undoes what was recorded of a parcel: of the newest one, if the address names none. */
const undo = (action: UndoAction, { deed, effects, ...words }: Undoing) =>
  changing({
    ...words,
    isDanger: true,
    fields: () => <ReasonField hint={CLIENT_READS} />,
    change: ({ fields }) => undoOf(action, needed(fields, 'reason'), parcelIn(fields)),
    effects: (foreseen) => {
      const { order, fields, step } = foreseen;
      const parcel = parcelNumbered(order.parcels, parcelIn(fields))!;
      return {
        Parcel: <ParcelName of={parcel} />,
        ...effects(parcel, foreseen),
        Reason: needed(fields, 'reason'),
        ...(step.status !== order.status && orderAfter(step)),
      };
    },
    button: () => deed,
  });

const withdraw = undo('withdraw', {
  name: 'Never left',
  role: 'packer',
  credits: true,
  title: 'Withdraw a parcel of',
  lead: 'For a parcel that was recorded by mistake, or stopped before it left.',
  isOffered: ({ parcels }) => parcels.at(-1)?.deliveredAt === null,
  deed: 'Withdraw the parcel',
  done: 'The parcel is withdrawn.',
  effects: ({ lines }, { order, isTaxOn }) => ({
    'In the stock again, and to ship': lines.length > 0 && <Units order={order} lines={lines} />,
    Invoice: isTaxOn && lines.length > 0 && 'credited in full; the next parcel gets a new one',
    'The store': 'reads that this parcel is gone',
  }),
});

const undeliver = undo('undeliver', {
  name: 'Not delivered',
  role: 'packer',
  title: 'Take back a delivery of',
  lead: 'For a delivery that was recorded by mistake.',
  isOffered: ({ parcels }) => parcels.some(({ deliveredAt }) => deliveredAt !== null),
  deed: 'Take back the delivery',
  done: 'The delivery is taken back.',
  effects: ({ deliveredAt }) => ({ 'Delivered on': deliveredAt && <When at={deliveredAt} /> }),
});

const reissue = undo('reissue', {
  name: 'Invoice again',
  role: 'staff',
  title: 'Issue an invoice again for',
  lead:
    'For an invoice with a wrong GSTIN, state or rate, or a cancelled IRN. First correct the tax data of ' +
    'the client, the product or the seller. Goods and money stay as they are.',
  isOffered: ({ parcels }) => parcels.length > 0,
  money: ({ order }) => order.total,
  deed: 'Credit it and issue it again',
  done: 'The invoice is credited in full and issued again.',
  effects: () => ({
    'Old invoice': 'credited in full by a credit note',
    'New invoice': 'with the tax data of now; it names the old one',
  }),
});

const readDelivery = readTexts(...DELIVERY_FIELDS);

const delivery: OrderAction = {
  name: 'Change',
  role: 'staff',
  title: 'Change the delivery of',
  lead: 'The history of the order keeps the old values. Another recipient needs a reason.',
  isOffered: ({ status }) => correctionRefusal(status) === undefined,
  fields: (order) => (
    <>
      <DeliveryFields order={order} />
      <Field label="Reason" hint={CLIENT_READS} name="reason" maxlength={200} />
    </>
  ),
  effects: ({ order, fields }, { orders }) => {
    const given = readDelivery(fields);
    orders.checkRedirection(order, given, textIn(fields, 'reason').trim() || null);
    const changes = deliveryChanges(order, given);
    if (changes.length === 0) throw NOTHING_CHANGES;
    return {
      ...Object.fromEntries(changes.map(([label, before, after]) => [label, fromTo(before, after)])),
      'Packing list': order.packingList !== null && `print its slip on list ${order.packingList} again`,
    };
  },
  button: () => 'Save the delivery',
  run: async ({ order, fields }, { orders }, by, fingerprint) => {
    const reason = textIn(fields, 'reason').trim() || undefined;
    await orders.redirect(order.orderNumber, actorOf(by), readDelivery(fields), reason, { fingerprint });
    return 'The delivery is saved.';
  },
};

const cancel = changing({
  name: 'Cancel',
  isDanger: true,
  role: 'staff',
  title: 'Cancel',
  lead: 'Cancels units that are not shipped. They are for sale again, and the client gets the money back.',
  isOffered: ({ status }) => status === 'awaiting_payment' || status === 'pending',
  units: { what: 'cancelled', all: true, mayBeNone: isUnpaid },
  fields: (_, { units }) => (
    <>
      {units}
      <ReasonField hint="The client and its store can read it." />
    </>
  ),
  change: ({ order, fields, units, key }) =>
    cancelOf({ reason: needed(fields, 'reason'), lines: isUnpaid(order) ? undefined : units, key }),
  effects: ({ order, fields, units, step }) => {
    const back = step.refund?.amount ?? 0;
    return {
      'For sale again': (
        <Units order={order} lines={isUnpaid(order) ? allUnits(order.items, 'cancelled') : units} />
      ),
      'To the client’s wallet':
        back > 0 ? <Money minor={back} currency={order.currency} /> : 'nothing: it was not paid',
      Reason: textIn(fields, 'reason'),
      ...orderAfter(step),
    };
  },
  money: ({ step }) => step.refund?.amount,
  button: ({ order, units }) => (isUnpaid(order) ? 'Cancel the order' : `Cancel ${unitsTold(units)}`),
  done: 'Cancelled. The goods are for sale again.',
});

/** It is cancelled as a whole. */
function isUnpaid({ status }: DeskOrderPage): boolean {
  return status === 'awaiting_payment';
}

function needed(fields: FormFields, field: string): string {
  const text = textIn(fields, field).trim();
  if (text !== '') return text;
  throw new DomainError('invalid_value', `The ${field} is missing.`, {
    errors: [{ field, code: 'required', message: 'must not be empty' }],
  });
}

const PAID_BY = [
  { value: 'Cash', text: 'Cash' },
  { value: 'Cheque', text: 'Cheque' },
  { value: 'UPI', text: 'UPI' },
  { value: 'Bank transfer', text: 'Bank transfer' },
  { value: 'wallet', text: 'The client’s wallet', hint: 'only with its consent' },
];

const pay = changing({
  name: 'Record a payment',
  role: 'staff',
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
    if (method === 'wallet') return payOf({ consent: needed(fields, 'reference') });
    const reference = method === 'Cash' ? textIn(fields, 'reference') : needed(fields, 'reference');
    return payOf({ method, reference });
  },
  effects: ({ order, fields, step }) => {
    const [method, reference] = [textIn(fields, 'method'), textIn(fields, 'reference').trim()];
    return {
      Amount: <Money minor={order.total} currency={order.currency} />,
      'Paid by': method === 'wallet' ? 'the client’s wallet' : method,
      [method === 'wallet' ? 'Consent' : 'Reference']: reference,
      ...orderAfter(step),
    };
  },
  money: ({ order }) => order.total,
  button: () => 'Record the payment',
  done: 'The payment is recorded.',
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

const REFUNDED = [
  { value: 'lines', text: 'Units of lines', hint: 'their price, as far as it is not refunded' },
  { value: 'delivery', text: 'The delivery charge' },
  { value: 'amount', text: 'An amount' },
];

const NAMED = new Map([
  ['delivery', 'the delivery'],
  ['amount', 'an amount'],
]);

const refund = changing({
  name: 'Refund',
  role: 'staff',
  credits: true,
  title: 'Refund',
  lead: 'The money goes to the client’s wallet. Goods do not move.',
  isOffered: ({ paymentStatus }) => paymentStatus === 'paid',
  units: { what: 'refunded', mayBeNone: (_, fields) => textIn(fields, 'kind') !== 'lines' },
  fields: ({ currency, total, refundedAmount }, { units }) => (
    <>
      <Choices label="What is refunded" name="kind" options={REFUNDED} value="lines" required />
      {units}
      <AmountField
        label="Amount"
        hint={
          <>
            Only for an amount: up to <Money minor={total - refundedAmount} currency={currency} />
          </>
        }
        name="amount"
        currency={currency}
      />
      <ReasonField hint={CLIENT_READS} />
    </>
  ),
  change: ({ fields, units, key }) => {
    const reason = needed(fields, 'reason');
    switch (textIn(fields, 'kind')) {
      case 'delivery':
        return refundOf({ reason, key, delivery: true });
      case 'amount':
        return refundOf({ reason, key, amount: needed(fields, 'amount') });
      default:
        return refundOf({ reason, key, lines: units });
    }
  },
  effects: ({ order, units, fields, step, isTaxOn }) => {
    const { amount } = step.refund!;
    const kind = textIn(fields, 'kind');
    return {
      'To the client’s wallet': <Money minor={amount} currency={order.currency} />,
      For: NAMED.get(kind) ?? <Units order={order} lines={units} />,
      Reason: textIn(fields, 'reason'),
      'Paid and not refunded': <Paid order={order} less={amount} />,
      'Credit note': isTaxOn && 'issued for the part that was invoiced',
    };
  },
  money: ({ step }) => step.refund!.amount,
  button: () => 'Refund',
  done: 'The refund is in the client’s wallet.',
});

const takeBack = changing({
  name: 'Take a refund back',
  role: 'staff',
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
    const amount = textIn(fields, 'amount').trim() || undefined;
    return takeBackOf({ refund: number, amount, reason: needed(fields, 'reason'), key });
  },
  effects: ({ order, fields, step: { refund: taken }, isTaxOn }) => {
    const back = -taken!.amount;
    const first = order.refunds.find(({ refund: number }) => number === taken!.takesBack)!;
    return {
      'From the client’s wallet': <Money minor={back} currency={order.currency} />,
      Refund: `${first.refund}: ${first.reason}`,
      Reason: needed(fields, 'reason'),
      'Paid and not refunded': <Paid order={order} less={-back} />,
      'Debit note': isTaxOn && 'issued for the part that was credited, with the tax of the credit',
    };
  },
  money: ({ step }) => -step.refund!.amount,
  button: () => 'Take it back',
  done: 'The refund is taken back.',
});

const askReturn: OrderAction = {
  name: 'Return',
  role: 'staff',
  title: 'Ask for a return of',
  lead: 'For a client that asks by phone. Goods and money move when the return is received.',
  isOffered: ({ items }) => allUnits(items, 'returned').length > 0,
  units: { what: 'returned' },
  fields: (_, { units }) => (
    <>
      {units}
      <ReturnReason note="Note" />
    </>
  ),
  effects: ({ order, units, fields }) => ({
    'Come back': <Units order={order} lines={units} />,
    Reason: [needed(fields, 'reason'), textIn(fields, 'note')].filter(Boolean).join(': '),
    'The client': 'sees the return in its dashboard',
  }),
  button: ({ units }) => `Ask for the return of ${unitsTold(units)}`,
  run: async ({ order, fields, units: lines, key }, { returns }, by) => {
    const given = { lines, reason: needed(fields, 'reason'), note: textIn(fields, 'note'), key };
    const { number } = await returns.add(order.orderNumber, given, actorOf(by));
    return `The return ${number} is requested.`;
  },
};

export const ACTIONS = {
  ship,
  box,
  deliver,
  correct,
  withdraw,
  undeliver,
  reissue,
  delivery,
  cancel,
  refund,
  'take-back': takeBack,
  return: askReturn,
  pay,
} satisfies Record<string, OrderAction>;

export type ActionName = keyof typeof ACTIONS;
