import type { FormFields } from '../../platform/http/parse-form.js';
import { Refusal } from '../refusal.js';
import { isOutcome, type OutcomeName } from './outcomes.js';

/** What a checkout is about, from its first page to the last. */
export interface CheckoutFields {
  orderId: string;
  returnUrl: string;
  cancelUrl: string | undefined;
}

/** What somebody is sent to the page with. */
export interface CheckoutBegun extends CheckoutFields {
  keyId: string | undefined;
  amount: string | undefined;
  currency: string | undefined;
  name: string;
  description: string;
}

/** What a button of the page says. */
export interface CheckoutEnded extends CheckoutFields {
  outcome: OutcomeName;
}

export function readCheckoutBegun(fields: FormFields): CheckoutBegun {
  return {
    ...readCheckoutFields(fields),
    keyId: textIn(fields, 'key_id'),
    amount: textIn(fields, 'amount'),
    currency: textIn(fields, 'currency'),
    name: textIn(fields, 'name') || 'Pay',
    description: textIn(fields, 'description') ?? '',
  };
}

export function readCheckoutEnded(fields: FormFields): CheckoutEnded {
  const outcome = textIn(fields, 'outcome');
  if (!isOutcome(outcome)) throw new Refusal('There is no such outcome.', 'outcome');
  return { ...readCheckoutFields(fields), outcome };
}

function readCheckoutFields(fields: FormFields): CheckoutFields {
  return {
    orderId: textIn(fields, 'order_id') ?? '',
    returnUrl: urlIn(fields, 'callback_url') ?? missing('callback_url'),
    cancelUrl: urlIn(fields, 'cancel_url'),
  };
}

function textIn(fields: FormFields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (Array.isArray(value)) throw new Refusal(`The ${name} may come only once.`, name);
  return value;
}

function urlIn(fields: FormFields, name: string): string | undefined {
  const text = textIn(fields, name);
  if (text === undefined || text === '') return undefined;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) throw new Refusal(`The ${name} is not a URL.`, name);
  return new URL(text).href;
}

function missing(name: string): never {
  throw new Refusal(`The ${name} field is required.`, name);
}
