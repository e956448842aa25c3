import { actorOf } from '../../../modules/audit/actor-of.js';
import { codeOf, packedUnits } from '../../../modules/fulfilment/packing/pack-goods.js';
import type { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { NEEDS_E_WAY_BILL } from '../../../modules/invoices/rules/e-way-bill.js';
import {
  NO_INVOICE_REASONS,
  readNoInvoiceReason,
  UNBILLED_DELIVERY,
  unbilledDelivery,
} from '../../../modules/invoices/rules/no-invoice.js';
import type { OrderAction } from '../../../modules/orders/actions/order-action.js';
import { reportException as reportAction } from '../../../modules/fulfilment/parcels/actions/report-exception.js';
import * as actions from '../../../modules/orders/actions/order-actions.js';
import type { UndoInput } from '../../../modules/orders/actions/undo-parcel.js';
import type { DeskOrderPage } from '../../../modules/orders/records/order-desk.service.js';
import type { ParcelException } from '../../../modules/orders/rules/goods-state.js';
import {
  awaitsDelivery,
  EXCEPTION_WORDS,
  parcelsToDeliver,
  unitsToReturn,
} from '../../../modules/orders/rules/parcel-exception.js';
import { withPrepared } from '../../../modules/orders/rules/prepared-parcel.js';
import { findParcel, type ParcelFacts } from '../../../modules/orders/rules/undo-steps.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { Choices, Field, Select } from '../../../shared/ui/components/controls.js';
import { RelativeTime } from '../../../shared/ui/components/values.js';
import { Facts } from '../../../shared/ui/components/layout.js';
import { countOf, formatMoney } from '../../../platform/formats.js';
import { textIn } from '../../../shared/ui/forms.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isIndia } from '../../../platform/validation/countries.js';
import { Address, Units } from '../../shared/order-cards.js';
import { type Effects, renderChange } from '../action.js';
import {
  type ActionRequest,
  type ChangeAction,
  changeAction,
  CLIENT_READS,
  contentsIn,
  type ActionPreview,
  requireText,
  NO_CHANGE_ERROR,
  type OrderPageAction,
  orderAfter,
  parcelIn,
  ReasonField,
  sharedIn,
  formatUnits,
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

type ShipmentValues = { [Name in keyof ReturnType<typeof readShipment>]?: string | null | undefined };

/** The first field that is still empty may take the focus. */
export const ShipmentFields = ({ focus = false, ...values }: ShipmentValues & { focus?: boolean }) => (
  <>
    <Field {...SHIPMENT.courier} value={values.courier ?? ''} autofocus={focus && !values.courier} />
    <Field
      {...SHIPMENT.trackingNumber}
      value={values.trackingNumber ?? ''}
      autofocus={focus && Boolean(values.courier)}
    />
    <Field {...SHIPMENT.trackingUrl} value={values.trackingUrl ?? ''} />
  </>
);

/** The field that confirms the parcel of an order that was changed after its slip was printed. */
const OLD_SLIP = 'old_slip';

const OLD_SLIP_WARNING =
  'The delivery or the units were changed after the slip was printed. ' +
  'Ship only if the parcel has this address.';

export const ship = changeAction({
  name: 'Ship',
  role: actions.ship.role,
  title: 'Ship',
  lead: 'Goods of a parcel leave the stock. Units that are left out stay to be shipped.',
  isOffered: ({ status }) => status === 'pending',
  warnings: async (request, { eWayBills }) => [
    ...unscannedWarnings(request),
    ...(await missingEWayBills(request, eWayBills)),
  ],
  confirms: ({ isSlipOld }) => (isSlipOld ? { [OLD_SLIP]: OLD_SLIP_WARNING } : undefined),
  units: { what: 'shipped', all: true },
  fields: ({ shippingCountry, needsIrn, prepared }, { units, isTaxOn }) => (
    <>
      {!prepared && units}
      <ShipmentFields />
      {needsIrn && (
        <Field
          label="Reason to ship without an IRN"
          hint="Only if it cannot wait, such as while the portal is down. The parcel keeps the reason."
          name={WITHOUT_IRN}
          maxlength={200}
        />
      )}
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
  effects: (request) => ({
    'Leave the stock': <Units order={request.order} lines={leavingUnits(request)} />,
    'Deliver to': <Address order={request.order} />,
    ...shipmentEffects(request),
    Invoice:
      request.isTaxOn &&
      (request.order.prepared
        ? 'issued already'
        : noInvoiceReasonIn(request)
          ? `none: ${noInvoiceReasonIn(request)}`
          : 'issued for this parcel'),
    'Without an IRN, because': withoutIrnIn(request),
    'Delivery charge': request.isTaxOn && deliveryAfter(request),
    'Packing list':
      request.order.packingList !== null &&
      request.step.status === 'pending' &&
      `${request.order.packingList} loses the order: the rest waits for a new list`,
  }),
  button: (request) => `Ship ${formatUnits(leavingUnits(request))}`,
  done: (request) => `${formatUnits(leavingUnits(request))} shipped.`,
});

const WITHOUT_IRN = 'without_irn';

const withoutIrnIn = ({ fields }: ActionRequest) => textIn(fields, WITHOUT_IRN).trim() || undefined;

/** A parcel with an invoice leaves as it was invoiced. Scanned goods must be the same. */
const leavingUnits = ({ order, units }: ActionRequest) =>
  units.length === 0 && order.prepared ? order.prepared.lines : units;

/** Only of a parcel whose goods are scanned. Others are packed by eye. */
function unscannedWarnings(request: ActionRequest): string[] {
  const { items } = request.order;
  const units = leavingUnits(request);
  const packed = packedUnits(items, units, contentsIn(request.fields));
  const sentences = units.flatMap(({ line, quantity }, at) => {
    const missing = quantity - (packed?.[at]!.quantity ?? quantity);
    const code = codeOf(items.find((item) => item.line === line)!);
    return missing === 0
      ? []
      : [`${countOf(missing, 'unit', 'units')} of ${code} ${missing === 1 ? 'was' : 'were'} not scanned.`];
  });
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

/** The invoice of a client with a GSTIN needs its IRN before the goods leave. */
export const invoiceFirst = changeAction({
  name: 'Invoice first',
  role: actions.invoiceFirst.role,
  title: 'Invoice before it leaves:',
  lead: 'Its invoice is issued now. The parcel stays here until the invoice has its IRN.',
  isOffered: ({ status, needsIrn, prepared }) => status === 'pending' && needsIrn && !prepared,
  units: { what: 'shipped', all: true },
  fields: (_, { units }) => units,
  change: ({ units }) => actions.invoiceFirst.change({ lines: units }),
  effects: ({ order, units }) => ({
    'Are invoiced, and stay here': <Units order={order} lines={units} />,
    'Until it leaves': 'its units and its address stay as they are',
  }),
  button: ({ units }) => `Invoice ${formatUnits(units)}`,
  done: 'The invoice is issued. Register it at the portal, import the answer, then ship.',
});

/** A shipment may have several boxes. The further ones have no goods of their own. */
export const addBox = changeAction({
  name: 'Add a box',
  role: actions.ship.role,
  title: 'Add a box to',
  lead: 'All goods have left. A further box only adds its tracking.',
  isOffered: ({ status }) => status === 'shipped',
  fields: () => <ShipmentFields />,
  tracking: trackingIn,
  change: shipChange,
  effects: (request) => ({ 'Leave the stock': 'no goods', ...shipmentEffects(request) }),
  button: () => 'Add the box',
  done: 'The box is added.',
});

function trackingIn({ fields }: ActionRequest): string | null {
  return readShipment(fields).trackingNumber;
}

/** Without units the parcel is a further box. */
function shipChange(request: ActionRequest) {
  const { fields, units } = request;
  const shipment = { ...readShipment(fields), shippedAt: null, sharedWithOrders: sharedIn(fields) };
  const confirmed = { oldSlip: textIn(fields, OLD_SLIP) !== '', withoutIrn: withoutIrnIn(request) };
  const lines = units.length === 0 && request.order.prepared ? undefined : units;
  return actions.ship.change({ ...shipment, ...confirmed, lines, noInvoice: noInvoiceReasonIn(request) });
}

const NO_INVOICE_OPTIONS = [
  { value: '', text: 'No reason chosen' },
  ...Object.entries(NO_INVOICE_REASONS).map(([value, text]) => ({ value, text })),
];

/** The prices of the goods include tax. The invoice may have less, without goods that are exempt. */
async function missingEWayBills(
  { order, units }: ActionRequest,
  eWayBills: EWayBillsService,
): Promise<string[]> {
  const { prepared, clientId, orderNumber } = order;
  if (prepared) {
    const bills = await eWayBills.ofOrder(clientId, orderNumber);
    const missing = bills.filter(({ parcel, isMissing }) => parcel === prepared.parcel && isMissing);
    return missing.map(({ number }) => `${number} ${NEEDS_E_WAY_BILL}`);
  }
  const priceOf = (line: number) => order.items.find((item) => item.line === line)!.unitPrice;
  const goods = units.reduce((sum, { line, quantity }) => sum + quantity * priceOf(line), 0);
  const value = goods + (order.parcels.length === 0 ? order.delivery : 0);
  const limit = (await eWayBills.limits())(order.shippingState);
  if (value <= limit) return [];
  const amount = formatMoney(limit, order.currency);
  return [`An e-way bill is due before the goods move, if those with tax are worth more than ${amount}.`];
}

/** Only an export may have a reason. */
function noInvoiceReasonIn({ order, fields }: ActionRequest): string | undefined {
  if (isIndia(order.shippingCountry)) return undefined;
  const parts = ['no_invoice', 'no_invoice_note'].map((name) => textIn(fields, name).trim());
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? undefined : readNoInvoiceReason(text);
}

/** A sentence if this parcel and all earlier ones leave without an invoice. */
function deliveryAfter({ step, ...request }: ActionPreview): string | undefined {
  const { order, units } = request;
  const parcel = { lines: units, noInvoice: noInvoiceReasonIn(request) ?? null };
  const unbilled = unbilledDelivery({ ...order, status: step.status }, [...order.parcels, parcel]);
  return unbilled && UNBILLED_DELIVERY[unbilled];
}

function shipmentEffects({ fields, step }: Pick<ActionPreview, 'fields' | 'step'>): Effects {
  const { courier, trackingNumber, trackingUrl } = readShipment(fields);
  return {
    Courier: [courier, trackingNumber].filter(Boolean).join(' '),
    'Tracking page': trackingUrl,
    ...orderAfter(step),
  };
}

/** Such as "2: BlueDart BD5". */
const ParcelName = ({ of: { parcel, courier, trackingNumber } }: { of: ParcelFacts }) => (
  <>
    {parcel}: {[courier, trackingNumber].filter(Boolean).join(' ')}
  </>
);

export const deliver = changeAction({
  name: 'Delivered',
  role: actions.deliver.role,
  title: 'Record the delivery of',
  // A parcel that came back can have been delivered after all, until its goods are received.
  isOffered: ({ parcels, items }) =>
    parcels.some(
      (one) => awaitsDelivery(one) || (one.deliveredAt === null && items.some(({ awaited }) => awaited > 0)),
    ),
  change: ({ fields }) => actions.deliver.change({ parcel: parcelIn(fields) }),
  effects: ({ order, fields, step }) => ({
    Delivered: parcelsToDeliver(order.parcels, parcelIn(fields)).map((one) => (
      <div>
        Parcel <ParcelName of={one} />
      </div>
    )),
    ...orderAfter(step),
  }),
  button: () => 'Record the delivery',
  done: 'The delivery is recorded.',
});

export const correct = changeAction({
  name: 'Correct',
  role: actions.correctShipment.role,
  title: 'Correct the tracking of',
  lead: 'The history of the order keeps the old values.',
  isOffered: ({ parcels }) => parcels.length > 0,
  fields: ({ parcels }, { parcel }) => <ShipmentFields {...findParcel(parcels, parcel)} />,
  change: ({ fields }) =>
    actions.correctShipment.change({
      ...readShipment(fields),
      parcel: parcelIn(fields),
      sharedWithOrders: sharedIn(fields),
    }),
  effects: ({ order, fields, step: { corrects } }) => {
    if (!corrects) throw NO_CHANGE_ERROR;
    const parcel = findParcel(order.parcels, corrects.parcel)!;
    const values = readShipment(fields);
    const changed = (Object.keys(values) as (keyof typeof values)[]).filter(
      (name) => name in corrects.values,
    );
    const changedEffects = changed.map((name) => [
      SHIPMENT[name].label,
      renderChange(parcel[name], values[name]),
    ]);
    return { Parcel: parcel.parcel, ...Object.fromEntries(changedEffects) };
  },
  tracking: trackingIn,
  button: () => 'Save the correction',
  done: 'The tracking is corrected.',
});

const EXCEPTIONS = Object.entries(EXCEPTION_WORDS).map(([value, text]) => ({ value, text }));

function exceptionIn(fields: FormFields): ParcelException {
  const said = textIn(fields, 'exception');
  if (Object.hasOwn(EXCEPTION_WORDS, said)) return said as ParcelException;
  throw new DomainError('invalid_value', 'The form must say what became of the parcel.', {
    errors: [{ field: 'exception', code: 'required', message: 'choose one' }],
  });
}

const AFTER_EXCEPTION: Readonly<Record<ParcelException, string>> = {
  returning: 'Recorded. When the parcel is here, record that it came back.',
  returned: 'Recorded. Next: receive its goods, in their return below.',
  lost: 'Recorded. Next: a refund of what is lost, by staff.',
};

/** As a courier's file says it, such as for a parcel that was brought back before any file names it. */
export const reportException: OrderPageAction = {
  name: 'RTO or lost',
  role: reportAction.role,
  title: 'Record RTO or loss of',
  lead: 'For a parcel that does not reach the customer. Goods and money move later, by a return or a refund.',
  isOffered: ({ parcels }) => parcels.some(awaitsDelivery),
  fields: (order, { parcel }) => {
    const reported = findReported(order.parcels, parcel);
    return (
      <>
        {reported && <Facts of={reportedFacts(order, reported)} />}
        <Choices label="What happened" name="exception" options={EXCEPTIONS} value="" required />
      </>
    );
  },
  effects: ({ order, fields }) => {
    const [parcel, exception] = [reportedParcel(order.parcels, fields), exceptionIn(fields)];
    const back = unitsToReturn(parcel.lines, order.items);
    return {
      ...reportedFacts(order, parcel),
      Recorded: EXCEPTION_WORDS[exception],
      'A return waits to be received':
        exception === 'returned' &&
        (back.length > 0 ? <Units order={order} lines={back} /> : 'its goods are in a return already'),
    };
  },
  dryRun: ({ order, fields }, { reports }, by) => reports.dryRun(reportIn(order, fields), actorOf(by)),
  button: () => 'Record it',
  run: async ({ order, fields }, { reports }, by, fingerprint) => {
    const report = reportIn(order, fields);
    await reports.report(report, actorOf(by), fingerprint);
    return AFTER_EXCEPTION[report.exception];
  },
};

const reportIn = ({ orderNumber, parcels }: DeskOrderPage, fields: FormFields) => ({
  orderNumber,
  parcel: reportedParcel(parcels, fields).parcel,
  exception: exceptionIn(fields),
});

const reportedFacts = (order: DeskOrderPage, parcel: ParcelFacts) => ({
  Parcel: <ParcelName of={parcel} />,
  Items: parcel.lines.length > 0 && <Units order={order} lines={parcel.lines} />,
});

/** Without a number in the address it is the newest parcel. */
const findReported = (parcels: DeskOrderPage['parcels'], number: number | undefined) =>
  parcels.findLast((one) => awaitsDelivery(one) && one.parcel === (number ?? one.parcel));

function reportedParcel(parcels: DeskOrderPage['parcels'], fields: FormFields) {
  const found = findReported(parcels, parcelIn(fields));
  if (!found) throw new DomainError('illegal_transition', 'The order has no such parcel under way.');
  return found;
}

type UndoWording = 'name' | 'role' | 'credits' | 'title' | 'lead' | 'isOffered' | 'done';

interface UndoOptions extends Pick<ChangeAction, UndoWording> {
  buttonText: string;
  effects(parcel: ParcelFacts, preview: ActionPreview): Effects;
}

/** Undoes a record of a parcel. Without a number in the address it is the newest parcel. */
const undo = (action: OrderAction<UndoInput>, { buttonText, effects, ...words }: UndoOptions) =>
  changeAction({
    ...words,
    isDanger: true,
    fields: () => <ReasonField hint={CLIENT_READS} />,
    change: ({ fields }) =>
      action.change({ parcel: parcelIn(fields), reason: requireText(fields, 'reason') }),
    effects: (preview) => {
      const { order, fields, step } = preview;
      const parcel = findParcel(withPrepared(order.parcels, order.prepared), parcelIn(fields))!;
      return {
        Parcel: <ParcelName of={parcel} />,
        ...effects(parcel, preview),
        Reason: requireText(fields, 'reason'),
        ...(step.status !== order.status && orderAfter(step)),
      };
    },
    button: () => buttonText,
  });

const UNDO_SHIPMENT = 'Undo the shipment';

export const withdraw = undo(actions.withdraw, {
  name: UNDO_SHIPMENT,
  role: actions.withdraw.role,
  credits: true,
  title: `${UNDO_SHIPMENT} of`,
  lead: 'For a parcel that was recorded by mistake, or stopped before it left.',
  isOffered: ({ parcels, prepared }) => !prepared && parcels.at(-1)?.deliveredAt === null,
  buttonText: UNDO_SHIPMENT,
  done: ({ order, fields }) =>
    findParcel(order.parcels, parcelIn(fields))?.lines.length === 0
      ? 'The shipment is undone.'
      : 'The shipment is undone. The order is on no packing list: it waits for a new one at Packing.',
  effects: ({ lines }, { order, isTaxOn }) => ({
    'In the stock again, and to ship': lines.length > 0 && <Units order={order} lines={lines} />,
    Invoice: isTaxOn && lines.length > 0 && 'credited in full; the next parcel gets a new one',
    'The store': 'reads that this parcel is gone',
  }),
});

/** The prepared parcel is the newest one, so this takes its invoice back. */
export const takeInvoiceBack = undo(actions.withdraw, {
  name: 'Take back the invoice',
  role: roleWith('take back invoices'),
  credits: true,
  title: 'Take back the invoice of the next parcel of',
  isOffered: ({ prepared }) => prepared !== null,
  buttonText: 'Take back the invoice',
  done: 'The invoice is credited in full.',
  effects: ({ lines }, { order }) => ({
    'To ship, and to invoice again': <Units order={order} lines={lines} />,
    Invoice: 'credited in full',
  }),
});

export const undeliver = undo(actions.undeliver, {
  name: 'Not delivered',
  role: actions.undeliver.role,
  title: 'Take back a delivery of',
  lead: 'For a delivery that was recorded by mistake.',
  isOffered: ({ parcels }) => parcels.some(({ deliveredAt }) => deliveredAt !== null),
  buttonText: 'Take back the delivery',
  done: 'The delivery is taken back.',
  effects: ({ deliveredAt }) => ({ 'Delivered on': deliveredAt && <RelativeTime at={deliveredAt} /> }),
});

export const reissue = undo(actions.reissue, {
  name: 'Invoice again',
  role: actions.reissue.role,
  title: 'Issue an invoice again for',
  lead:
    'For an invoice with a wrong GSTIN, state or rate, or a cancelled IRN. First correct the tax data of ' +
    'the client, the product or the seller. Goods and money stay as they are.',
  isOffered: ({ parcels }) => parcels.length > 0,
  buttonText: 'Credit it and issue it again',
  done: 'The invoice is credited in full and issued again.',
  effects: () => ({
    'Old invoice': 'credited in full by a credit note',
    'New invoice': 'with the tax data of now; it names the old one',
  }),
});
