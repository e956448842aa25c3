import { actorOf } from '../../../modules/audit/actor-of.js';
import { changeDelivery } from '../../../modules/orders/actions/order-actions.js';
import { packingNotice } from '../../../modules/orders/records/order-warnings.service.js';
import { correctionRefusal } from '../../../modules/orders/rules/order-transitions.js';
import { allUnits } from '../../../modules/orders/rules/order-units.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { Field } from '../../../shared/ui/components/controls.js';
import { readTexts, textIn } from '../../../shared/ui/forms.js';
import { Units } from '../../shared/order-cards.js';
import { DELIVERY_FIELDS, deliveryChanges, DeliveryFields, ReturnReason } from '../../shared/order-forms.js';
import { renderChange } from '../action.js';
import { cancel, pay, refund, takeBack, unpay } from './money-actions.js';
import {
  changeAction,
  CLIENT_READS,
  requireText,
  NO_CHANGE_ERROR,
  type OrderPageAction,
  formatUnits,
} from './action-shape.js';
import {
  addBox,
  correct,
  deliver,
  invoiceFirst,
  reissue,
  reportException,
  ship,
  takeInvoiceBack,
  undeliver,
  withdraw,
} from './parcel-actions.js';

const readDelivery = readTexts(...DELIVERY_FIELDS);

const delivery = changeAction({
  name: 'Change',
  role: changeDelivery.role,
  title: 'Change the delivery of',
  lead: 'The history of the order keeps the old values. Another recipient needs a reason.',
  isOffered: ({ status, prepared }) => !prepared && correctionRefusal(status) === undefined,
  fields: (order) => (
    <>
      <DeliveryFields order={order} />
      <Field label="Reason" hint={CLIENT_READS} name="reason" maxlength={200} />
    </>
  ),
  change: ({ fields }) =>
    changeDelivery.change({ ...readDelivery(fields), reason: textIn(fields, 'reason') }),
  effects: ({ order, step: { deliversTo, status } }) => {
    if (!deliversTo) throw NO_CHANGE_ERROR;
    const changes = deliveryChanges(order, deliversTo);
    return {
      ...Object.fromEntries(changes.map(([label, before, after]) => [label, renderChange(before, after)])),
      'Packing list': packingNotice(order.packingList, status),
    };
  },
  button: () => 'Save the delivery',
  done: 'The delivery is saved.',
});

const askReturn: OrderPageAction = {
  name: 'Return',
  role: roleWith('ask for returns'),
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
    Reason: [requireText(fields, 'reason'), textIn(fields, 'note')].filter(Boolean).join(': '),
    'The client': 'sees the return in its dashboard',
  }),
  button: ({ units }) => `Ask for the return of ${formatUnits(units)}`,
  run: async ({ order, fields, units: lines, key }, { returns }, by) => {
    const typed = { lines, reason: requireText(fields, 'reason'), note: textIn(fields, 'note'), key };
    const { number } = await returns.add(order.orderNumber, typed, actorOf(by));
    return `The return ${number} is requested.`;
  },
};

export const ACTIONS = {
  ship,
  box: addBox,
  deliver,
  correct,
  report: reportException,
  withdraw,
  undeliver,
  reissue,
  invoice: invoiceFirst,
  uninvoice: takeInvoiceBack,
  delivery,
  cancel,
  refund,
  'take-back': takeBack,
  return: askReturn,
  pay,
  unpay,
} satisfies Record<string, OrderPageAction>;

export type ActionName = keyof typeof ACTIONS;
