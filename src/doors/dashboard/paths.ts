import { Param } from '@nestjs/common';
import { LINK_PATH, RESET_PATH } from '../../auth/people/person-mail.js';
import { textIn } from '../../pages/forms.js';
import { isOwnPath, type Link, withQuery } from '../../pages/page.js';
import type { FormFields } from '../../platform/http/parse-form.js';

export const ORDERS = '/dashboard/orders';
export const PAY = '/dashboard/pay';

export function orderPath(orderNumber: string): string {
  return `${ORDERS}/${orderNumber}`;
}

/** The form for recipient and address. */
export function returnPath(orderNumber: string): string {
  return `${orderPath(orderNumber)}/return`;
}

export function deliveryPath(orderNumber: string): string {
  return `${orderPath(orderNumber)}/delivery`;
}

/** The page that shows orders before they are paid, and leads back afterwards. */
export function reviewPath(orderNumbers: readonly string[], back: string): string {
  return withQuery(PAY, { order: orderNumbers.join(' '), back });
}

/** The same page for all waiting orders. */
export function reviewAllPath(back: string): string {
  return withQuery(PAY, { group: 'to_pay', back });
}

export function paymentPath(paymentId: string): string {
  return `/dashboard/payments/${paymentId}`;
}

/** The page that sends the browser to the gateway. */
export function checkoutPath(paymentId: string): string {
  return `${paymentPath(paymentId)}/checkout`;
}

export const LINK = LINK_PATH;
export const CHOOSE = `${LINK}/password`;
export const RESET = RESET_PATH;

export const WALLET = '/dashboard/wallet';
export const TOP_UP = `${WALLET}/top-up`;
export const TRANSFERS = `${WALLET}/transfers`;
export const AUTO_PAY = `${WALLET}/auto-pay`;

export const INVOICES = '/dashboard/invoices';

export const documentPath = (number: string) => `${INVOICES}/${number}.pdf`;

export const HELP = '/dashboard/help';
export const REQUESTS = '/dashboard/requests';

export const API_ACCESS = '/dashboard/api-access';
export const NEW_TOKEN = `${API_ACCESS}/new`;

export const tokenPath = (tokenId: number) => `${API_ACCESS}/${tokenId}`;

export const PEOPLE = '/dashboard/people';
export const INVITE = `${PEOPLE}/invite`;

export const personPath = (personId: number) => `${PEOPLE}/${personId}`;

export const PLAN = '/dashboard/plan';
export const BILLING = `${PLAN}/billing`;

export const SECURITY = '/dashboard/security';
export const PASSWORD = `${SECURITY}/password`;
export const SESSIONS = `${SECURITY}/sessions`;
export const TWO_FACTOR = `${SECURITY}/two-factor`;

export const SIGN_IN = '/dashboard/sign-in';
export const CODE = '/dashboard/sign-in/code';

export const HOME = '/dashboard';
const WITHIN = /^\/dashboard(\/|$)/;

/** The page to continue on. It is always in the dashboard, because a stranger may choose the address. */
export function nextPath(asked: unknown, usual = HOME): string {
  if (!isOwnPath(asked)) return usual;
  // Reads the path as a browser does: dots may lead out of the dashboard.
  const { pathname, search } = new URL(asked, 'http://own');
  return WITHIN.test(pathname) ? pathname + search : usual;
}

/** The page from which orders are paid. */
export function backLink(back: string): Link {
  if (back === HOME) return { href: back, text: 'Home' };
  return { href: back, text: back.startsWith(`${ORDERS}/`) ? back.slice(ORDERS.length + 1) : 'Orders' };
}

export function nextIn({ next }: FormFields): string {
  return nextPath(next);
}

/** The id in a path. Other text gives 0, which no row has. */
export const IdParam = () =>
  Param('id', { transform: (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : 0) });

const NUMBER = /^\d{1,15}$/;

/** The number of the last row shown. Other text starts at the beginning. */
export function placeIn(query: FormFields, name: string): number | undefined {
  const text = textIn(query, name);
  return NUMBER.test(text) ? Number(text) : undefined;
}
