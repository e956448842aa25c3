import { isServed, servedFault } from '../../../platform/validation/countries.js';
import { isPincode, PINCODE_FAULT, readPincode } from '../../../platform/validation/pin-codes.js';
import { lineFault } from '../../../platform/validation/texts.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { changedFields, FIELD_NAMES } from './changed-fields.js';
import { DELIVERY_NAMES, type DeliveryName, ORDER_FIELDS } from './order-fields.js';
import { isPhone, PHONE_FAULT } from './phone.js';
import { readState, stateFault } from './shipping-state.js';

/** The recipient, the delivery address, and the phone number for the courier. */
export type Delivery = Record<DeliveryName, string>;

interface DeliveryRules {
  servedCountries: readonly string[];
  /** An invoice needs the state. */
  hasInvoices: boolean;
}

/**
 * Checks the texts like those of a new order. The PIN code must fit the country after the change. Older
 * orders may have a phone number, a state or a country that would be refused now.
 */
export function readChangedDelivery(
  changes: Partial<Delivery>,
  order: Delivery,
  { servedCountries, hasInvoices }: DeliveryRules,
): Partial<Delivery> {
  const fields = DELIVERY_NAMES.filter((field) => changes[field] !== undefined);
  const checked: Partial<Delivery> = Object.fromEntries(
    fields.map((field) => [field, changes[field]!.trim()]),
  );
  const faults = new Map<DeliveryName, string>();
  const { shippingPincode, shippingState, shippingCountry } = { ...order, ...checked };
  if (checked.shippingState !== undefined) checked.shippingState = readState(shippingState, shippingCountry);
  const { customerPhone, shippingState: state, shippingCountry: country } = changedValues(order, checked);
  if (checked.shippingPincode !== undefined)
    checked.shippingPincode = readPincode(shippingPincode, shippingCountry);
  if (!isPincode(checked.shippingPincode ?? shippingPincode, shippingCountry))
    faults.set('shippingPincode', PINCODE_FAULT);
  if (customerPhone !== undefined && !isPhone(customerPhone, shippingCountry))
    faults.set('customerPhone', PHONE_FAULT);
  const unknown = stateFault({ state: shippingState, pincode: shippingPincode, country: shippingCountry });
  if (hasInvoices && unknown !== undefined && (state ?? country) !== undefined)
    faults.set('shippingState', unknown);
  if (country !== undefined && !isServed(country, servedCountries))
    faults.set('shippingCountry', servedFault(servedCountries));
  for (const field of fields) {
    const fault = lineFault(checked[field]!, ORDER_FIELDS[field].maxLength);
    if (fault !== undefined) faults.set(field, fault);
  }
  if (faults.size > 0) throw wrongDelivery([...faults]);
  return checked;
}

/** Those of the values that differ from the order's. */
export function changedValues(order: Delivery, checked: Partial<Delivery>): Partial<Delivery> {
  return Object.fromEntries(changedFields(order, checked).map((field) => [field, checked[field]]));
}

/** "Phone" becomes "phone", "PIN code" stays. */
const inSentence = (label: string) => label.replace(/[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

function wrongDelivery(faults: [DeliveryName, string][]): DomainError {
  const message = faults
    .map(([field, fault]) => `The ${inSentence(ORDER_FIELDS[field].label)} ${fault}.`)
    .join(' ');
  const errors = faults.map(([field, fault]) => ({
    field: FIELD_NAMES[field],
    code: 'invalid',
    message: fault,
  }));
  return new DomainError('invalid_value', message, { errors });
}
