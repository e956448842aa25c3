export const ORDERS = '/dashboard/orders';
export const PAY = '/dashboard/pay';

/** Where an order is shown. */
export function orderPath(orderNumber: string): string {
  return `${ORDERS}/${orderNumber}`;
}

/** Where orders are looked through before they are paid. */
export function reviewPath(orderNumbers: readonly string[]): string {
  return `${PAY}?${new URLSearchParams(orderNumbers.map((number) => ['order', number])).toString()}`;
}

/** Where a payment through the gateway is shown. */
export function paymentPath(paymentId: string): string {
  return `/dashboard/payments/${paymentId}`;
}

/** From where the browser goes on to the gateway. */
export function checkoutPath(paymentId: string): string {
  return `${paymentPath(paymentId)}/checkout`;
}
