import path from 'node:path';
import type { Page } from 'playwright-core';
import type { DeskPerson } from '../../src/auth/people/signed-in-person.js';
import { type SignedIn, signInAtDesk } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { LOOKS } from './support/looks.js';
import { openShop, type Shop } from './support/shop.js';

const { PICTURES } = process.env;

type Address = (shop: Shop) => string;
type Step = (page: Page) => Promise<unknown>;

const press = (name: string) => (page: Page) =>
  Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);

const upload = (name: string, text: string) => async (page: Page) => {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await press('Upload and check')(page);
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Checking' }).waitFor();
};

const PRICES = 'plan,sku,wholesale_price\nnone,KURTA-01,1\n';

/** The address of each page, and what is done there before it is looked at. */
const PAGES: Record<string, [address: string | Address, ...steps: Step[]]> = {
  today: ['/desk'],
  goods: ['/desk/goods'],
  'goods-found': ['/desk/goods?search=kurta'],
  'goods-none': ['/desk/goods?search=no+such+thing'],
  'goods-low': ['/desk/goods/low'],
  'goods-prices': ['/desk/goods/prices'],
  'goods-changes': ['/desk/goods/changes'],
  product: ['/desk/goods/products/KURTA-01'],
  'product-edit': ['/desk/goods/products/KURTA-01/edit'],
  'product-stock': ['/desk/goods/products/KURTA-01/stock'],
  'product-price': ['/desk/goods/products/KURTA-01/prices'],
  imports: ['/desk/imports'],
  'import-refused': ['/desk/imports?kind=prices', upload('prices.csv', PRICES)],
  money: ['/desk/money'],
  transfers: ['/desk/money?state=all'],
  payments: ['/desk/money/payments'],
  'payments-all': ['/desk/money/payments?view=all'],
  payment: [({ payment }) => `/desk/money/payments/${payment}`],
  wallets: ['/desk/money/wallets'],
  'all-invoices': ['/desk/money/invoices'],
  'month-end': ['/desk/money/month'],
  clients: ['/desk/clients'],
  'client-new': ['/desk/clients/new'],
  client: [({ store }) => `/desk/clients/${store.clientId}`],
  'client-details': [({ store }) => `/desk/clients/${store.clientId}/details`],
  'client-subscription': [({ store }) => `/desk/clients/${store.clientId}/subscription`],
  'client-tokens': [({ store }) => `/desk/clients/${store.clientId}/tokens`],
  'client-token': [({ store }) => `/desk/clients/${store.clientId}/tokens/${store.tokenId}`],
  'client-wallet': [({ store }) => `/desk/clients/${store.clientId}/wallet`],
  'client-wallet-adjust': [({ store }) => `/desk/clients/${store.clientId}/wallet/adjust`],
  'client-requests': [({ store }) => `/desk/clients/${store.clientId}/requests`],
  'client-request': [
    ({ store, refusedRequest }) => `/desk/clients/${store.clientId}/requests/${refusedRequest}`,
  ],
  'client-people': [({ store }) => `/desk/clients/${store.clientId}/people`],
  'client-people-invite': [({ store }) => `/desk/clients/${store.clientId}/people/invite`],
  'report-days': ['/desk/reports'],
  'report-clients': ['/desk/reports?by=client'],
  'report-products': ['/desk/reports?by=product'],
  audit: ['/desk/audit'],
  people: ['/desk/people'],
  security: ['/desk/security'],
  'not-found': ['/desk/nowhere'],
};

describe('The pages of those who sell and keep the books', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let shop: Shop;
  let admin: SignedIn<DeskPerson>;

  beforeAll(async () => {
    // Its paid order is late.
    test = await startTestApp({ shipWithinDays: 0 });
    shop = await openShop(test);
    admin = await signInAtDesk(test);
  });
  afterAll(() => test.close());

  describe.each(LOOKS)('on a $width, $scheme', (look) => {
    it.each(Object.entries(PAGES))('can be used by everybody: %s', async (name, [address, ...steps]) => {
      const page = await chromium.visit(test, { ...look, as: admin });
      await page.goto(typeof address === 'string' ? address : address(shop));
      for (const step of steps) await step(page);
      if (PICTURES)
        await page.screenshot({
          path: path.join(PICTURES, `desk-${name}-${look.width}-${look.scheme}.png`),
          fullPage: true,
        });
      expect(await page.locator('h1').count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    });
  });
});
