import type { Shop } from './shop.js';

/** A page as it is looked at: by whom, and where it is. */
interface PageSeen {
  signedIn: boolean;
  path(shop: Shop): string;
}

type Where = string | PageSeen['path'];

const seen = (signedIn: boolean, where: Where): PageSeen => ({
  signedIn,
  path: typeof where === 'string' ? () => where : where,
});
const open = (where: Where) => seen(false, where);
const page = (where: Where) => seen(true, where);

/** All that the dashboard has, by the names of their pictures. */
export const PAGES = {
  'sign-in': open('/dashboard/sign-in'),
  link: open('/dashboard/link'),
  'no-reset': open('/dashboard/reset'),
  people: page('/dashboard/people'),
  'people-invite': page('/dashboard/people/invite'),
  person: page(({ buyer }) => `/dashboard/people/${buyer}`),
  'api-access': page('/dashboard/api-access'),
  'api-access-new': page('/dashboard/api-access/new'),
  'api-access-token': page(({ store }) => `/dashboard/api-access/${store.tokenId}`),
  'api-access-revoke': page(({ store }) => `/dashboard/api-access/${store.tokenId}/revoke`),
  requests: page('/dashboard/requests'),
  'requests-of-days': page('/dashboard/requests?span=all&outcome=failed'),
  'requests-none': page('/dashboard/requests?request_id=nobodys'),
  request: page(({ refusedRequest }) => `/dashboard/requests/${refusedRequest}`),
  home: page('/dashboard'),
  orders: page('/dashboard/orders'),
  'orders-none-found': page('/dashboard/orders?search=nobody'),
  'order-unpaid': page(({ unpaid }) => `/dashboard/orders/${unpaid[0]}`),
  'order-shipped': page(({ shipped }) => `/dashboard/orders/${shipped}`),
  'order-cancelled': page(({ cancelled }) => `/dashboard/orders/${cancelled}`),
  'order-cancel': page(({ unpaid }) => `/dashboard/orders/${unpaid[0]}/cancel`),
  pay: page(({ unpaid }) => `/dashboard/pay?order=${unpaid[0]}&order=${unpaid[1]}`),
  payment: page(({ payment }) => `/dashboard/payments/${payment}`),
  'payment-outcome': open(({ payment }) => `/payments/${payment}`),
  wallet: page('/dashboard/wallet'),
  'wallet-top-up': page('/dashboard/wallet/top-up'),
  'wallet-auto-pay': page('/dashboard/wallet/auto-pay'),
  catalog: page('/dashboard/catalog'),
  product: page('/dashboard/catalog/KURTA-01'),
  plan: page('/dashboard/plan'),
  security: page('/dashboard/security'),
  'security-password': page('/dashboard/security/password'),
  'security-second-step': page('/dashboard/security/two-factor'),
  unknown: page('/dashboard/nowhere'),
} satisfies Record<string, PageSeen>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
