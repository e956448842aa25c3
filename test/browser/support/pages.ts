import { PASSWORD } from '../../support/sign-in.js';
import { DESK_PAGES } from './desk-pages.js';
import { type TestPage, pageFor, send } from './test-page.js';

const open = pageFor('visitor');
const page = pageFor('owner');
const buyers = pageFor('buyer');
const newcomers = pageFor('newcomer');

/** All that the dashboard and the desk have, by the names of their pictures. */
const TEST_PAGES = {
  'sign-in': open('/dashboard/sign-in'),
  link: open('/dashboard/link'),
  'sign-in-refused': open(
    '/dashboard/sign-in',
    send({ 'E-mail address': 'nobody@example.com', Password: 'wrong' }, 'Sign in'),
  ),
  'sign-in-insecure': open('/dashboard', async (on) => {
    await on.setExtraHTTPHeaders({ Via: '1.1 a-proxy' });
    await on.goto('/dashboard/sign-in');
  }),
  'sign-in-code': open('/dashboard/sign-in', async (on) => {
    const cookie = { name: 'second-step', value: 'begun', url: on.url() };
    await on.context().addCookies([cookie]);
    await on.goto('/dashboard/sign-in/code');
  }),
  'link-opened': open(
    ({ invitation }) => invitation,
    (on) => on.getByRole('heading', { name: 'Welcome to Anaya Home' }).waitFor(),
  ),
  'no-reset': open('/dashboard/reset'),
  people: page('/dashboard/people'),
  'people-invite': page('/dashboard/people/invite'),
  person: page(({ buyer }) => `/dashboard/people/${buyer.person.id}`),
  'api-access': page('/dashboard/api-access'),
  'api-access-new': page('/dashboard/api-access/new'),
  'api-access-token': page(({ store }) => `/dashboard/api-access/${store.tokenId}`),
  'api-access-made': page('/dashboard/api-access/new', send({ Name: 'Stock sync' }, 'Create token')),
  'api-access-revoke': page(({ store }) => `/dashboard/api-access/${store.tokenId}/revoke`),
  requests: page('/dashboard/requests'),
  'requests-of-days': page('/dashboard/requests?span=all&outcome=failed'),
  'requests-none': page('/dashboard/requests?request_id=nobodys'),
  request: page(({ refusedRequest }) => `/dashboard/requests/${refusedRequest}`),
  home: page('/dashboard'),
  orders: page('/dashboard/orders'),
  'orders-none-found': page('/dashboard/orders?search=nobody'),
  'order-new': page('/dashboard/orders/new?search=kurta'),
  'order-new-refused': buyers('/dashboard/orders/new', send({ Phone: '12' }, 'Review the order')),
  'order-again-review': page(
    ({ shipped }) => `/dashboard/orders/new?again=${shipped}`,
    send({}, 'Review the order'),
  ),
  'order-unpaid': page(({ unpaid }) => `/dashboard/orders/${unpaid[0]}`),
  'order-shipped': page(({ shipped }) => `/dashboard/orders/${shipped}`),
  'order-cancelled': page(({ cancelled }) => `/dashboard/orders/${cancelled}`),
  'order-parts': page(({ inParts }) => `/dashboard/orders/${inParts}`),
  'order-return': page(({ inParts }) => `/dashboard/orders/${inParts}/return`),
  'order-return-refused': page(
    ({ inParts }) => `/dashboard/orders/${inParts}/return`,
    send({}, 'Ask for the return'),
  ),
  'order-return-withdraw': page(
    ({ returning, waitingReturn }) => `/dashboard/orders/${returning}/return/${waitingReturn}/withdraw`,
  ),
  'order-cancel': page(({ unpaid }) => `/dashboard/orders/${unpaid[0]}/cancel`),
  'order-delivery': page(({ unpaid }) => `/dashboard/orders/${unpaid[0]}/delivery`),
  'order-delivery-refused': page(
    ({ unpaid }) => `/dashboard/orders/${unpaid[0]}/delivery`,
    send({ Name: '', 'PIN code': '5600' }, 'Save'),
  ),
  'order-delivery-settled': page(({ shipped }) => `/dashboard/orders/${shipped}/delivery`),
  pay: page(({ unpaid }) => `/dashboard/pay?order=${unpaid[0]}&order=${unpaid[1]}`),
  checkout: page(
    ({ payment }) => `/dashboard/payments/${payment}`,
    async (on) => {
      // As who has come back sees it: else it goes on by itself.
      await on.addInitScript(() => history.replaceState('gone', ''));
      await on.goto(`${on.url()}/checkout`);
    },
  ),
  payment: page(({ payment }) => `/dashboard/payments/${payment}`),
  'payment-outcome': open(({ payment }) => `/payments/${payment}`),
  wallet: page('/dashboard/wallet'),
  'wallet-month': page(`/dashboard/wallet?month=${new Date().toISOString().slice(0, 7)}`),
  invoices: page('/dashboard/invoices'),
  'wallet-top-up': page('/dashboard/wallet/top-up'),
  'wallet-top-up-refused': page(
    '/dashboard/wallet/top-up',
    send({ 'Amount sent (₹)': 'much', UTR: 'short' }, 'Report the transfer'),
  ),
  'wallet-auto-pay': page('/dashboard/wallet/auto-pay'),
  'payment-cancelled': open(({ payment }) => `/payments/${payment}/cancelled`),
  'payment-failed': open(({ payment }) => `/payments/${payment}/failed`),
  notices: page('/dashboard/notices'),
  'notices-refused': buyers('/dashboard/notices', async (on) => {
    await on.getByLabel('Low wallet', { exact: false }).first().check();
    await send({}, 'Save')(on);
  }),
  'notices-off': open('/dashboard/notices/off'),
  help: page('/dashboard/help'),
  catalog: page('/dashboard/catalog'),
  product: page('/dashboard/catalog/KURTA-01'),
  plan: page('/dashboard/plan'),
  'plan-billing': page('/dashboard/plan/billing'),
  'plan-billing-refused': page('/dashboard/plan/billing', send({ GSTIN: '27AAPFU0939F1ZW' }, 'Save')),
  security: page('/dashboard/security'),
  'security-password': page('/dashboard/security/password'),
  'security-second-step': page('/dashboard/security/two-factor'),
  'security-second-step-begun': page(
    '/dashboard/security/two-factor',
    send({ 'Your password': PASSWORD }, 'Start'),
  ),
  'security-second-step-on': buyers('/dashboard/security/two-factor'),
  'security-recovery-codes': buyers(
    '/dashboard/security/two-factor',
    send({ 'Your password': PASSWORD }, 'Make new recovery codes'),
  ),
  'security-of-buyer': buyers('/dashboard/security'),
  'not-allowed': buyers('/dashboard/people/invite'),
  unknown: page('/dashboard/nowhere'),
  'unknown-to-nobody': open('/dashboard/nowhere'),
  'new-home': newcomers('/dashboard'),
  'new-orders': newcomers('/dashboard/orders'),
  'new-wallet': newcomers('/dashboard/wallet'),
  'new-invoices': newcomers('/dashboard/invoices'),
  'new-api-access': newcomers('/dashboard/api-access'),
  'new-requests': newcomers('/dashboard/requests'),
  'new-catalog': newcomers('/dashboard/catalog'),
  'new-plan': newcomers('/dashboard/plan'),
  guide: open('/docs/guide?lang=python'),
  'guide-signed-in': page('/docs/guide'),
  ...DESK_PAGES,
} satisfies Record<string, TestPage>;

export type PageName = keyof typeof TEST_PAGES;

export const PAGES: Record<PageName, TestPage> = TEST_PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
