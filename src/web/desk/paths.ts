import { type Link, withQuery } from '../../shared/ui/page.js';
import type { Month } from '../../platform/time/time.js';
import { DESK } from '../account/account-paths.js';
import type { DocumentPaths } from '../shared/documents-page.js';

export const TODAY = DESK.home;

export const ORDERS = `${TODAY}/orders`;
export const PACKING = `${TODAY}/packing`;
export const RETURNS = `${TODAY}/returns`;
export const REPORTS = `${TODAY}/reports`;

export const orderPath = (orderNumber: string) => `${ORDERS}/${orderNumber}`;
/** Runs an action on selected orders. */
export const SELECTED_ORDERS = `${PACKING}/chosen`;
/** Where a note about this is added. */
export const notesPath = (kind: string, subject: string | number) =>
  `${TODAY}/notes/${kind}/${encodeURIComponent(subject)}`;
export const packingPath = (list: number) => `${PACKING}/${list}`;
/** The slips of a list, or of one of its orders. */
export const slipsPath = (list: number, query: Readonly<Record<string, string>> = {}) =>
  withQuery(`${packingPath(list)}/slips.pdf`, query);
/** Where one order of the list is packed. */
export const packPath = (list: number, order: string) => `${packingPath(list)}/orders/${order}`;
export const returnPath = (returnNumber: string) => `${RETURNS}/${returnNumber}`;

export const CLIENTS = `${TODAY}/clients`;
export const NEW_CLIENT = `${CLIENTS}/new`;

export const clientPath = (clientId: number) => `${CLIENTS}/${clientId}`;
export const clientTokenPath = (clientId: number, tokenId: number) =>
  `${clientPaths(clientId).tokens}/${tokenId}`;

export function clientPaths(clientId: number) {
  const path = clientPath(clientId);
  return {
    details: `${path}/details`,
    tax: `${path}/tax`,
    subscription: `${path}/subscription`,
    tokens: `${path}/tokens`,
    domains: `${path}/domains`,
    wallet: `${path}/wallet`,
    adjust: `${path}/wallet/adjust`,
    payOut: `${path}/wallet/pay-out`,
    requests: `${path}/requests`,
    order: `${path}/order`,
    see: `${path}/see`,
    people: `${path}/people`,
  };
}

export const MONEY = `${TODAY}/money`;
export const PAYMENTS = `${MONEY}/payments`;
/** Payments with a refund under way. */
export const REFUNDS = `${PAYMENTS}?view=refunds`;
export const WALLETS = `${MONEY}/wallets`;
export const INVOICES = `${MONEY}/invoices`;
/** Documents that wait for their IRN. */
export const E_INVOICES = `${MONEY}/e-invoices`;
/** Invoices whose goods need an e-way bill. */
export const E_WAY_BILLS = `${TODAY}/e-way-bills`;
export const eWayBillPath = (invoice: string) => `${E_WAY_BILLS}/${encodeURIComponent(invoice)}`;
export const MONTH_END = `${MONEY}/month`;
export const MAIL_STATEMENTS = `${MONTH_END}/statements`;

export const TRANSFER_REPORTS = `${MONEY}/transfers`;
export const NEW_TRANSFER = `${TRANSFER_REPORTS}/new`;
export const transferPath = (transferId: number) => `${MONEY}/transfers/${transferId}`;
export const paymentPath = (paymentId: string) => `${PAYMENTS}/${paymentId}`;

export const statementPath = (clientId: number, month: Month, kind: 'csv' | 'pdf') =>
  `${MONEY}/statements/${clientId}/${month}.${kind}`;

export const DOCUMENT_PATHS: DocumentPaths = { list: INVOICES, order: orderPath, hasCopies: true };

export const IMPORTS = `${TODAY}/imports`;

export const importPath = (id: number) => `${IMPORTS}/${id}`;

export const GOODS = `${TODAY}/goods`;
export const NEW_PRODUCT = `${GOODS}/new`;
export const PICTURES = `${GOODS}/pictures`;
export const NEW_PLAN = `${GOODS}/new-plan`;
export const LOW_STOCK = `${GOODS}/low`;
export const PRICES = `${GOODS}/prices`;
export const BASE_PRICES = `${PRICES}/base`;
export const PRICE_CHANGES = `${GOODS}/changes`;

export const productPath = (sku: string) => `${GOODS}/products/${encodeURIComponent(sku)}`;

export const productPicturesPath = (sku: string) => `${productPath(sku)}/pictures`;

export const goodsStockPath = (sku: string) => `${productPath(sku)}/stock`;

/** The base price, or the price in a plan. */
export const goodsPricePath = (sku: string, plan?: string) =>
  `${productPath(sku)}/prices${plan === undefined ? '' : `/${encodeURIComponent(plan)}`}`;

export const goodsRatePath = (sku: string) => `${productPath(sku)}/gst-rate`;

export const upcomingPath = (change: number) => `${PRICES}/upcoming/${change}`;

export const planPath = (code: string) => `${GOODS}/plans/${encodeURIComponent(code)}`;

export const SEARCH = `${TODAY}/search`;

export const AUDIT = `${TODAY}/audit`;

export const SETTINGS_PAGE = `${TODAY}/settings`;
export const TO_SETTINGS: Link = { href: SETTINGS_PAGE, text: 'Settings' };
/** Keys of the wholesaler's programs. */
export const KEYS = `${SETTINGS_PAGE}/keys`;
export const keyPath = (keyId: number) => `${KEYS}/${keyId}`;
/** Background work that failed, and mails that were not sent. */
export const FAILURES = `${SETTINGS_PAGE}/failures`;
export const TEST_MAIL = `${SETTINGS_PAGE}/test-mail`;
/** A setting of the start in the list of all. */
export const settingPath = (name: string) => `${SETTINGS_PAGE}#${name}`;
export const SELLER = `${SETTINGS_PAGE}/seller`;
export const COMPANY = `${SETTINGS_PAGE}/house`;
export const LOGO = `${SETTINGS_PAGE}/logo`;
/** Reviews and sets an uploaded logo, or removes the logo. */
export const SET_LOGO = `${LOGO}/set`;
export const LEDGERS = `${SETTINGS_PAGE}/ledgers`;

export const NAVIGATION: readonly Link[] = [
  { href: TODAY, text: 'Today' },
  { href: ORDERS, text: 'Orders' },
  { href: PACKING, text: 'Packing' },
  { href: RETURNS, text: 'Returns' },
  { href: GOODS, text: 'Goods' },
  { href: IMPORTS, text: 'Imports' },
  { href: CLIENTS, text: 'Clients' },
  { href: MONEY, text: 'Money' },
  { href: REPORTS, text: 'Reports' },
];

export const MENU: readonly Link[] = [
  { href: DESK.people, text: 'People' },
  { href: SETTINGS_PAGE, text: 'Settings' },
  { href: AUDIT, text: 'Audit log' },
  { href: DESK.notices, text: 'Notices' },
  { href: DESK.security, text: 'Security' },
];
