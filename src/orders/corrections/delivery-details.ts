import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/operator-text.js';
import type { Order } from '../entities/order.entity.js';
import { ORDER_LIMITS } from '../placing/order-limits.js';
import { isPincode, PINCODE_FAULT } from '../rules/pincode.js';

/** Where an order goes, and whom the courier calls. */
export type Delivery = Pick<
  Order,
  | 'customerPhone'
  | 'shippingAddress'
  | 'shippingCity'
  | 'shippingState'
  | 'shippingPincode'
  | 'shippingCountry'
>;

const TEXTS: Record<keyof Delivery, [name: string, most: number]> = {
  customerPhone: ['phone number', ORDER_LIMITS.phone],
  shippingAddress: ['address', ORDER_LIMITS.longText],
  shippingCity: ['city', ORDER_LIMITS.name],
  shippingState: ['state', ORDER_LIMITS.name],
  shippingPincode: ['PIN code', 12],
  shippingCountry: ['country', ORDER_LIMITS.name],
};

/** The given texts as the order would have had to give them, or a refusal. The PIN code is one of the country that will stand there. */
export function checkDelivery(given: Partial<Delivery>, order: Delivery): Partial<Delivery> {
  const fields = (Object.keys(TEXTS) as (keyof Delivery)[]).filter((field) => given[field] !== undefined);
  const checked: Partial<Delivery> = Object.fromEntries(
    fields.map((field) => [field, readLine(TEXTS[field][0], given[field]!, TEXTS[field][1])]),
  );
  const { shippingPincode, shippingCountry } = { ...order, ...checked };
  if (!isPincode(shippingPincode, shippingCountry))
    throw new DomainError('invalid_value', `The PIN code ${PINCODE_FAULT}.`);
  return checked;
}
