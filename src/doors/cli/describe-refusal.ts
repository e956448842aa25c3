import type { RefusedOrderShown } from '../../orders/desk/order-desk.repository.js';

/** A refusal on one line: what was asked for, and of what there was too little or none. */
export function describeRefusal({ asked, reasons, ...row }: RefusedOrderShown) {
  return {
    ...row,
    asked: asked.map(({ sku, quantity }) => `${sku ?? '?'} × ${quantity ?? '?'}`).join(', '),
    why: reasons.map((reason) => describeReason(reason, asked)).join('; '),
  };
}

/** At a line the product says more than its place in a request that nobody has any more. */
function describeReason(
  { field, message, ...facts }: RefusedOrderShown['reasons'][number],
  asked: RefusedOrderShown['asked'],
): string {
  if (field === '') return message;
  const [, index, rest] = /^items\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const sku = facts.sku ?? (index === undefined ? undefined : asked[Number(index)]?.sku);
  return sku === undefined || sku === null ? `${field} ${message}` : `${sku}: ${rest} ${message}`;
}
