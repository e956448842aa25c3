import { DomainError } from '../../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../../platform/validation/texts.js';
import { notChangeable } from '../order-errors.js';
import { changedValues, type Delivery, readChangedDelivery } from '../rules/changed-delivery.js';
import { FIELD_NAMES, historyOf } from '../rules/changed-fields.js';
import { DELIVERY_NAMES, type DeliveryName } from '../rules/order-fields.js';
import {
  correctionRefusal,
  invoicedRefusal,
  redirectRefusal,
  unchanged,
} from '../rules/order-transitions.js';
import type {
  Need,
  OrderAction,
  OrderChange,
  OrderEffects,
  OrderFacts,
  OrderSettings,
} from './order-action.js';

/** Fields that are left out stay unchanged. */
export type NamedDelivery = Partial<Record<(typeof FIELD_NAMES)[DeliveryName], string | undefined>>;

const NEEDS: readonly Need[] = ['delivery', 'prepared', 'invoices'];

export const changeDelivery: OrderAction<NamedDelivery & { reason?: string | undefined }> = {
  name: 'address',
  sentence: 'Changes the recipient or the address of an unshipped order. The timeline keeps the old values.',
  role: 'staff',
  change: (input) => {
    const reason = readOptionalLine('reason', input.reason, 200) ?? null;
    const changes = deliveryOf(input);
    return {
      needs: NEEDS,
      decide: (order, settings) => {
        const refused = correctionRefusal(order.status) ?? invoicedRefusal(order.prepared?.parcel ?? null);
        if (refused !== undefined) return { refused };
        const changed = read(order, changes, settings);
        if (reason === null && changed.customerName !== undefined) throw noReason();
        return effectsOf(order, changed, { reason });
      },
    };
  },
};

/** The same for its client or store, until the order is on a packing list. */
export const changeOwnDelivery = (changes: Partial<Delivery>): OrderChange => ({
  needs: NEEDS,
  decide: (order, settings) => {
    const { packingList, shippedAt } = order.deliverTo!;
    const preparedParcel = order.prepared?.parcel ?? null;
    const refused = redirectRefusal({ status: order.status, packingList, shippedAt, preparedParcel });
    if (refused !== undefined) throw notChangeable(order, refused);
    return effectsOf(order, read(order, changes, settings), { reason: null, by: 'client' });
  },
});

/** The changed values, checked. */
function read(
  { deliverTo, hasInvoices }: OrderFacts,
  changes: Partial<Delivery>,
  { servedCountries }: OrderSettings,
): Partial<Delivery> {
  const checked = readChangedDelivery(changes, deliverTo!, { servedCountries, hasInvoices });
  return changedValues(deliverTo!, checked);
}

function effectsOf(
  order: OrderFacts,
  changed: Partial<Delivery>,
  { reason, by }: { reason: string | null; by?: 'client' },
): OrderEffects {
  const fields = Object.keys(changed) as DeliveryName[];
  const state = { ...unchanged(order), keepsOrder: true };
  if (fields.length === 0) return state;
  return {
    ...state,
    deliversTo: changed,
    correction: { ...historyOf(fields, order.deliverTo!, changed), reason, ...(by && { by }) },
    audit: {
      action: 'order.redirected',
      details: {
        changed: fields.map((field) => FIELD_NAMES[field]).join(', '),
        ...(reason !== null && { reason }),
      },
    },
  };
}

export const deliveryOf = (named: NamedDelivery): Partial<Delivery> =>
  Object.fromEntries(DELIVERY_NAMES.map((field) => [field, named[FIELD_NAMES[field]]]));

const noReason = () =>
  new DomainError('invalid_value', 'Another recipient needs a reason.', {
    errors: [{ field: 'reason', code: 'required', message: 'is needed for another recipient' }],
  });
