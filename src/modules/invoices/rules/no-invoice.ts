import { DomainError } from '../../../platform/errors/domain-error.js';
import { readLine } from '../../../platform/validation/texts.js';

/** Valid reasons for a parcel without an invoice. A typed reason begins with one of these words. */
export const NO_INVOICE_REASONS = {
  export: 'Export or SEZ, invoiced outside this system',
  elsewhere: 'Invoiced elsewhere, before this system',
  replacement: 'Replacement of damaged or lost goods',
  sample: 'Sample',
} as const;

const WORDS = Object.keys(NO_INVOICE_REASONS).join(', ');

/** Reads a word of the list with optional further text, such as "export under LUT, invoice 12". */
export function readNoInvoiceReason(text: string): string {
  const reason = readLine('reason', text, 200);
  const [first, ...more] = reason.split(' ');
  const word = first!.replace(/:$/, '').toLowerCase();
  if (Object.hasOwn(NO_INVOICE_REASONS, word)) return [word, ...more].join(' ');
  const message = `The reason to ship without an invoice must begin with one of: ${WORDS}.`;
  throw new DomainError('invalid_value', message, {
    errors: [{ field: 'no_invoice', code: 'invalid_value', message: `must begin with one of: ${WORDS}` }],
  });
}

/**
 * Goods with another invoice take their share of the delivery with them. So do goods that left before the
 * seller was set, which give no reason. Replacements and samples are not sold, so other goods bear it.
 */
export function isBilledElsewhere(reason: string | null): boolean {
  return reason === null || /^(export|elsewhere)\b/.test(reason);
}

export const UNBILLED_DELIVERY = {
  elsewhere: 'Goods that are invoiced elsewhere take their share of the delivery charge with them.',
  due: 'The delivery charge is billed with the parcels that have an invoice.',
  lost: 'The delivery charge is not invoiced: no parcel has an invoice. Refund it, or invoice it elsewhere.',
} as const;

interface LeftParcel {
  lines: readonly unknown[];
  /** The reason, if it has no invoice. */
  noInvoice: string | null;
}

/** How parcels without an invoice change the billing of the delivery. Undefined if they do not. */
export function unbilledDelivery(
  order: { status: string; delivery: number },
  parcels: readonly LeftParcel[],
): keyof typeof UNBILLED_DELIVERY | undefined {
  const left = parcels.filter(({ lines }) => lines.length > 0);
  if (order.delivery === 0 || left.length === 0) return undefined;
  if (left.some(({ noInvoice }) => noInvoice !== null && isBilledElsewhere(noInvoice))) return 'elsewhere';
  if (left.some(({ noInvoice }) => noInvoice === null)) return undefined;
  return order.status === 'pending' ? 'due' : 'lost';
}
