import { type Link, withQuery } from '../../shared/ui/page.js';
import { DASHBOARD, nextPath as nextWithin } from '../account/account-paths.js';
import type { DocumentPaths } from '../shared/documents-page.js';

export const ORDERS = '/dashboard/orders';
export const NEW_ORDER = `${ORDERS}/new`;
export const PAY = '/dashboard/pay';

export const orderPath = (orderNumber: string) => `${ORDERS}/${orderNumber}`;

export const returnPath = (orderNumber: string) => `${orderPath(orderNumber)}/return`;

export const withdrawalPath = (orderNumber: string, returnNumber: string) =>
  `${returnPath(orderNumber)}/${returnNumber}/withdraw`;

/** The review page before a payment. It leads back to `back` afterwards. */
export const reviewPath = (orderNumbers: readonly string[], back: string) =>
  withQuery(PAY, { order: orderNumbers.join(' '), back });

/** The same page for all waiting orders. */
export const reviewAllPath = (back: string) => withQuery(PAY, { group: 'to_pay', back });

export const paymentPath = (paymentId: string) => `/dashboard/payments/${paymentId}`;

/** The page that sends the browser to the gateway. */
export const checkoutPath = (paymentId: string) => `${paymentPath(paymentId)}/checkout`;

export const WALLET = '/dashboard/wallet';
export const TOP_UP = `${WALLET}/top-up`;
export const TRANSFERS = `${WALLET}/transfers`;
export const AUTO_PAY = `${WALLET}/auto-pay`;

export const INVOICES = '/dashboard/invoices';

export const DOCUMENT_PATHS: DocumentPaths = { list: INVOICES, order: orderPath };

export const CATALOG = '/dashboard/catalog';
export const productPath = (sku: string) => `${CATALOG}/${encodeURIComponent(sku)}`;

export const HELP = '/dashboard/help';

/** The guide of the store API. */
export const GUIDE = '/docs/guide';

/** Swagger UI. */
export const REFERENCE = '/docs';
export const REQUESTS = '/dashboard/requests';

export const API_ACCESS = '/dashboard/api-access';
export const NEW_TOKEN = `${API_ACCESS}/new`;

export const tokenPath = (tokenId: number) => `${API_ACCESS}/${tokenId}`;

export const PLAN = '/dashboard/plan';

export const HOME = DASHBOARD.home;

/** The page to continue on, within the dashboard. */
export const nextPath = (requested: unknown, usual?: string) => nextWithin(HOME, requested, usual);

/** The page from which orders are paid. */
export function backLink(back: string): Link {
  if (back === HOME) return { href: back, text: 'Home' };
  return { href: back, text: back.startsWith(`${ORDERS}/`) ? back.slice(ORDERS.length + 1) : 'Orders' };
}

export const NAVIGATION: readonly Link[] = [
  { href: HOME, text: 'Home' },
  { href: ORDERS, text: 'Orders' },
  { href: WALLET, text: 'Wallet' },
  { href: INVOICES, text: 'Invoices' },
  { href: API_ACCESS, text: 'API access' },
  { href: REQUESTS, text: 'Requests' },
  { href: CATALOG, text: 'Catalog' },
];

export const MENU: readonly Link[] = [
  { href: PLAN, text: 'Plan' },
  { href: DASHBOARD.people, text: 'People' },
  { href: DASHBOARD.notices, text: 'Notices' },
  { href: DASHBOARD.security, text: 'Security' },
  { href: HELP, text: 'Help' },
];
