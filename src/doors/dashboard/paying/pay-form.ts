import { textIn } from '../../../pages/forms.js';
import type { Shown } from '../../../payments/rules/plan-payment.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isStorableText } from '../../../platform/validation/storable-text.js';

export interface PayForm {
  orders: string[];
  /** In minor units, as the page had it. Nothing if the page did not say what it comes to: then it is said first. */
  shown: Shown | undefined;
}

const MINOR = /^\d{1,15}$/;

export function readPayForm(fields: FormFields): PayForm {
  const [total, balance] = [textIn(fields, 'total'), textIn(fields, 'balance')];
  const isSaid = MINOR.test(total) && MINOR.test(balance);
  return {
    orders: ordersIn(fields),
    shown: isSaid ? { total: Number(total), balance: Number(balance) } : undefined,
  };
}

/** Those that were chosen, of a form or of an address. */
export function ordersIn(fields: FormFields): string[] {
  return [fields.order ?? []].flat().filter((order) => typeof order === 'string' && isStorableText(order));
}
