import { actorOf } from '../../../modules/audit/actor-of.js';
import {
  NO_INVOICE_REASONS,
  readNoInvoiceReason,
  UNBILLED_DELIVERY,
  unbilledDelivery,
} from '../../../modules/invoices/rules/no-invoice.js';
import { changedFields } from '../../../modules/orders/lifecycle/order-corrections.service.js';
import type { ParcelView } from '../../../modules/orders/records/after-sale.mapper.js';
import { shipOf, undoOf } from '../../../modules/orders/records/order-desk.service.js';
import { parcelNumbered, type UndoAction } from '../../../modules/orders/rules/undo-steps.js';
import { Field, Select } from '../../../shared/ui/components/controls.js';
import { When } from '../../../shared/ui/components/values.js';
import { textIn } from '../../../shared/ui/forms.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isIndia } from '../../../platform/validation/countries.js';
import { Address, Units } from '../../shared/order-cards.js';
import { type Effects, fromTo } from '../action.js';
import {
  type Asked,
  type Changing,
  changing,
  CLIENT_READS,
  type Foreseen,
  needed,
  NOTHING_CHANGES,
  type OrderAction,
  orderAfter,
  parcelIn,
  ReasonField,
  sharedIn,
  unitsTold,
} from './action-shape.js';

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

/** The field that confirms the parcel of an order that was changed after its slip was printed. */
const OLD_SLIP = 'old_slip';

const OLD_SLIP_WARNING =
  'The delivery or the units were changed after the slip was printed. ' +
  'Ship only if the parcel has this address.';

export const ship = changing({
  name: 'Ship',
  role: 'packer',
  title: 'Ship',
  lead: 'Goods of a parcel leave the stock. Units that are left out stay to be shipped.',
  isOffered: ({ status }) => status === 'pending',
  confirms: ({ isSlipOld }) => (isSlipOld ? { [OLD_SLIP]: OLD_SLIP_WARNING } : undefined),
  units: { what: 'shipped', all: true },
  fields: ({ shippingCountry }, { units, isTaxOn }) => (
    <>
      {units}
      <ShipmentFields />
      {isTaxOn && !isIndia(shippingCountry) && (
        <>
          <Select
            label="Reason to ship without an invoice"
            hint="Invoices of exports are not supported here."
            name="no_invoice"
            options={NO_INVOICE_OPTIONS}
            value=""
          />
          <Field
            label="More about the reason"
            hint="Such as “under LUT, invoice 12”."
            name="no_invoice_note"
            maxlength={180}
          />
        </>
      )}
    </>
  ),
  tracking: trackingIn,
  change: shipChange,
  effects: (asked) => ({
    'Leave the stock': <Units order={asked.order} lines={asked.units} />,
    'Deliver to': <Address order={asked.order} />,
    ...shipmentEffects(asked),
    Invoice: asked.isTaxOn && (waiverIn(asked) ? `none: ${waiverIn(asked)}` : 'issued for this parcel'),
    'Delivery charge': asked.isTaxOn && deliveryAfter(asked),
  }),
  button: ({ units }) => `Ship ${unitsTold(units)}`,
  done: ({ units }) => `${unitsTold(units)} shipped.`,
});

/** A shipment may have several boxes. The further ones have no goods of their own. */
export const box = changing({
  name: 'Add a box',
  role: 'packer',
  title: 'Add a box to',
  lead: 'All goods have left. A further box only adds its tracking.',
  isOffered: ({ status }) => status === 'shipped',
  fields: () => <ShipmentFields />,
  tracking: trackingIn,
  change: shipChange,
  effects: (asked) => ({ 'Leave the stock': 'no goods', ...shipmentEffects(asked) }),
  button: () => 'Add the box',
  done: 'The box is added.',
});

function trackingIn({ fields }: Asked): string | null {
  return readShipment(fields).trackingNumber;
}

/** Without units the parcel is a further box. */
function shipChange(asked: Asked) {
  const { fields, units } = asked;
  const shipment = { ...readShipment(fields), shippedAt: null, sharesWith: sharedIn(fields) };
  return shipOf(shipment, units, waiverIn(asked), textIn(fields, OLD_SLIP) !== '');
}

const NO_INVOICE_OPTIONS = [
  { value: '', text: 'No reason chosen' },
  ...Object.entries(NO_INVOICE_REASONS).map(([value, text]) => ({ value, text })),
];

/** Only an export may have a reason. */
function waiverIn({ order, fields }: Asked): string | undefined {
  if (isIndia(order.shippingCountry)) return undefined;
  const parts = ['no_invoice', 'no_invoice_note'].map((name) => textIn(fields, name).trim());
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? undefined : readNoInvoiceReason(text);
}

/** A sentence if this parcel and all earlier ones leave without an invoice. */
function deliveryAfter({ step, ...asked }: Foreseen): string | undefined {
  const { order, units } = asked;
  const parcel = { lines: units, noInvoice: waiverIn(asked) ?? null };
  const unbilled = unbilledDelivery({ ...order, status: step.status }, [...order.parcels, parcel]);
  return unbilled && UNBILLED_DELIVERY[unbilled];
}

function shipmentEffects({ fields, step }: Pick<Foreseen, 'fields' | 'step'>): Effects {
  const { courier, trackingNumber, trackingUrl } = readShipment(fields);
  return {
    Courier: [courier, trackingNumber].filter(Boolean).join(' '),
    'Tracking page': trackingUrl,
    ...orderAfter(step),
  };
}

/** Such as "2: BlueDart BD5". */
const ParcelName = ({ of: { parcel, courier, trackingNumber } }: { of: ParcelView }) => (
  <>
    {parcel}: {[courier, trackingNumber].filter(Boolean).join(' ')}
  </>
);

export const deliver = changing({
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

export const correct: OrderAction = {
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
  tracking: trackingIn,
  rehearse: ({ order, fields }, { orders }, by) =>
    orders.rehearseCorrection(order.orderNumber, actorOf(by), readShipment(fields), {
      parcel: parcelIn(fields),
      sharesWith: sharedIn(fields),
    }),
  button: () => 'Save the correction',
  run: async ({ order, fields }, { orders }, by, fingerprint) => {
    const [parcel, given] = [parcelIn(fields), readShipment(fields)];
    await orders.correct(order.orderNumber, actorOf(by), given, parcel, {
      fingerprint,
      sharesWith: sharedIn(fields),
    });
    return 'The tracking is corrected.';
  },
};

type AboutUndoing = 'name' | 'role' | 'credits' | 'title' | 'lead' | 'isOffered' | 'done';

interface Undoing extends Pick<Changing, AboutUndoing> {
  deed: string;
  effects(parcel: ParcelView, foreseen: Foreseen): Effects;
}

/** Undoes a record of a parcel. Without a number in the address it is the newest parcel. */
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

export const withdraw = undo('withdraw', {
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

export const undeliver = undo('undeliver', {
  name: 'Not delivered',
  role: 'packer',
  title: 'Take back a delivery of',
  lead: 'For a delivery that was recorded by mistake.',
  isOffered: ({ parcels }) => parcels.some(({ deliveredAt }) => deliveredAt !== null),
  deed: 'Take back the delivery',
  done: 'The delivery is taken back.',
  effects: ({ deliveredAt }) => ({ 'Delivered on': deliveredAt && <When at={deliveredAt} /> }),
});

export const reissue = undo('reissue', {
  name: 'Invoice again',
  role: 'staff',
  title: 'Issue an invoice again for',
  lead:
    'For an invoice with a wrong GSTIN, state or rate, or a cancelled IRN. First correct the tax data of ' +
    'the client, the product or the seller. Goods and money stay as they are.',
  isOffered: ({ parcels }) => parcels.length > 0,
  deed: 'Credit it and issue it again',
  done: 'The invoice is credited in full and issued again.',
  effects: () => ({
    'Old invoice': 'credited in full by a credit note',
    'New invoice': 'with the tax data of now; it names the old one',
  }),
});
