import type { Page } from 'playwright-core';
import { type TestPage, pageFor, send } from './test-page.js';

const open = pageFor('visitor');
const page = pageFor('admin');
const packers = pageFor('packer');

const upload = (name: string, text: string) => async (on: Page) => {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await on.locator('input[type=file]').setInputFiles(file);
  await send({}, 'Upload and check')(on);
  await on.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Checking' }).waitFor();
};

const follow = (name: string | RegExp) => (on: Page) =>
  Promise.all([on.waitForEvent('load'), on.getByRole('link', { name }).first().click()]);

const CATALOG = 'sku,name,base_price,delivery_charge\nKURTA-01,Kurta,559,60\nLAMP-1,Lamp,90,10\n';
const OWN_HEADINGS = 'Price list\n\nItem Code,Item Name,Rate\nKURTA-01,Kurta,559\n';
const PRICES = 'plan,sku,wholesale_price\nnone,KURTA-01,1\n';

/** All that the desk has, by the names of their pictures. */
export const DESK_PAGES = {
  'desk-sign-in': open('/desk/sign-in'),
  'desk-today': page('/desk'),
  'desk-today-of-packer': packers('/desk'),
  'desk-orders': page('/desk/orders'),
  'desk-notices': page('/desk/notices'),
  'desk-notices-off': open('/desk/notices/off'),
  'desk-orders-partly': page('/desk/orders?status=partly'),
  'desk-orders-late': page('/desk/orders?status=late'),
  'desk-orders-not-arriving': page('/desk/orders?status=not_arriving'),
  'desk-orders-all': page('/desk/orders?status=all'),
  'desk-orders-none': page('/desk/orders?search=nothing+like+it'),
  'desk-order': page(({ inParts }) => `/desk/orders/${inParts}`),
  'desk-order-of-packer': packers(({ toShip }) => `/desk/orders/${toShip}`),
  'desk-order-noted': packers(
    ({ toPack }) => `/desk/orders/${toPack}`,
    send({ 'New note': 'Fragile: wrap it twice.' }, 'Add the note'),
  ),
  'desk-order-ship': page(({ toShip }) => `/desk/orders/${toShip}/ship`),
  'desk-order-ship-effects': page(
    ({ toShip }) => `/desk/orders/${toShip}/ship`,
    send({ Courier: 'BlueDart' }, 'See what changes'),
  ),
  'desk-order-ship-wrong': page(
    ({ toShip }) => `/desk/orders/${toShip}/ship`,
    async (on) => {
      await on.getByLabel('Block-print kurta').fill('9');
      await send({ Courier: 'BlueDart' }, 'See what changes')(on);
    },
  ),
  'desk-order-refund': page(({ toShip }) => `/desk/orders/${toShip}/refund`),
  'desk-order-unpay': page(({ toShip }) => `/desk/orders/${toShip}/unpay`),
  'desk-order-take-back': page(({ inParts }) => `/desk/orders/${inParts}/take-back`),
  'desk-order-take-back-effects': page(
    ({ inParts }) => `/desk/orders/${inParts}/take-back`,
    async (on) => {
      await on.locator('[name=refund]').first().check();
      await send({ Reason: 'It was in time.' }, 'See what changes')(on);
    },
  ),
  'desk-order-report': packers(({ inParts }) => `/desk/orders/${inParts}/report`),
  'desk-order-report-effects': packers(
    ({ inParts }) => `/desk/orders/${inParts}/report`,
    async (on) => {
      await on.getByLabel('RTO, came back').check();
      await send({}, 'See what changes')(on);
    },
  ),
  'desk-order-cancel': page(({ toShip }) => `/desk/orders/${toShip}/cancel`),
  'desk-order-delivery': page(({ toShip }) => `/desk/orders/${toShip}/delivery`),
  'desk-order-pay': page(({ unpaid }) => `/desk/orders/${unpaid[0]}/pay`),
  'desk-transfer-new': page('/desk/money/transfers/new'),
  'desk-packing': packers('/desk/packing'),
  'desk-packing-list': packers(({ packingList }) => `/desk/packing/${packingList}`),
  'desk-packing-goods': packers(({ packingList }) => `/desk/packing/${packingList}/goods`),
  'desk-pack': packers(({ packingList, toPack }) => `/desk/packing/${packingList}/orders/${toPack}`),
  'desk-pack-wrong': packers(
    ({ packingList, toPack }) => `/desk/packing/${packingList}/orders/${toPack}?code=COFFEE`,
  ),
  'desk-packing-drop': packers(({ packingList }) => `/desk/packing/${packingList}/drop`),
  'desk-ship-many': packers('/desk/packing/ship'),
  'desk-ship-many-checked': packers(
    ({ toShip }) => `/desk/packing/ship?order=${toShip}`,
    async (on) => {
      const number = new URL(on.url()).searchParams.get('order');
      await send(
        { Courier: 'DTDC', 'Orders and tracking numbers': `${number} D1\nWO-1 D2` },
        'Check the lines',
      )(on);
    },
  ),
  'desk-returns': page('/desk/returns'),
  'desk-return': page(({ waitingReturn }) => `/desk/returns/${waitingReturn}`),
  'desk-return-receive': page(({ waitingReturn }) => `/desk/returns/${waitingReturn}/receive`),
  'desk-return-receive-effects': page(
    ({ waitingReturn }) => `/desk/returns/${waitingReturn}/receive`,
    send({}, 'See what changes'),
  ),
  'desk-return-refuse': page(({ waitingReturn }) => `/desk/returns/${waitingReturn}/refuse`),
  'desk-goods': page('/desk/goods'),
  'desk-goods-of-packer': packers('/desk/goods'),
  'desk-goods-found': page('/desk/goods?search=kurta'),
  'desk-goods-none': page('/desk/goods?search=no+such+thing'),
  'desk-pictures': page('/desk/goods/pictures'),
  'desk-product-new': page('/desk/goods/new'),
  'desk-plan-new': page('/desk/goods/new-plan'),
  'desk-goods-low': page('/desk/goods/low'),
  'desk-goods-prices': page('/desk/goods/prices'),
  'desk-goods-percent': page('/desk/goods/prices/base?search=kurta'),
  'desk-goods-plan': page('/desk/goods/prices', follow('Test plan')),
  'desk-goods-upcoming': page('/desk/goods/products/KURTA-01', follow('Change 1')),
  'desk-goods-changes': page('/desk/goods/changes'),
  'desk-product': page('/desk/goods/products/KURTA-01'),
  'desk-product-edit': page('/desk/goods/products/KURTA-01/edit'),
  'desk-product-review': page(
    '/desk/goods/products/KURTA-01/edit',
    send({ Name: 'Kurta', Shelf: 'B-12' }, 'See what changes'),
  ),
  'desk-product-stock': page('/desk/goods/products/KURTA-01/stock'),
  'desk-product-stock-of-packer': packers('/desk/goods/products/KURTA-01/stock?action=receive'),
  'desk-product-price': page('/desk/goods/products/KURTA-01/prices'),
  'desk-product-price-refused': page(
    '/desk/goods/products/KURTA-01/prices',
    send({ 'New price, GST included': 'much' }, 'See what changes'),
  ),
  'desk-imports': page('/desk/imports'),
  'desk-import-checked': page('/desk/imports?kind=catalog', upload('catalog.csv', CATALOG)),
  'desk-import-suggested': page('/desk/imports?kind=catalog', upload('own.csv', OWN_HEADINGS)),
  'desk-import-refused': page('/desk/imports?kind=prices', upload('prices.csv', PRICES)),
  'desk-transfers': page('/desk/money?status=all'),
  'desk-transfer': page(({ transfer }) => `/desk/money/transfers/${transfer}`),
  'desk-payments': page('/desk/money/payments'),
  'desk-payments-all': page('/desk/money/payments?view=all'),
  'desk-payment': page(({ payment }) => `/desk/money/payments/${payment}`),
  'desk-wallets': page('/desk/money/wallets'),
  'desk-invoices': page('/desk/money/invoices'),
  'desk-e-invoices': page('/desk/money/e-invoices'),
  'desk-e-way-bills': page('/desk/e-way-bills'),
  'desk-month-end': page('/desk/money/month'),
  'desk-month-filed': page('/desk/money/month/filed'),
  'desk-settings': page('/desk/settings'),
  'desk-failures': page('/desk/settings/failures'),
  'desk-house': page('/desk/settings/house'),
  'desk-keys': page('/desk/settings/keys'),
  'desk-key-made': page('/desk/settings/keys', send({ Name: 'ERP' }, 'Make a key')),
  'desk-ledgers': page('/desk/settings/ledgers'),
  'desk-logo': page('/desk/settings/logo'),
  'desk-seller': page('/desk/settings/seller'),
  'desk-clients': page('/desk/clients'),
  'desk-client-new': page('/desk/clients/new'),
  'desk-client': page(({ store }) => `/desk/clients/${store.clientId}`),
  'desk-seen-as-client': page(
    ({ store }) => `/desk/clients/${store.clientId}`,
    async (on) => {
      await send({}, 'See as this client')(on);
      await on.goto('/dashboard/orders');
    },
  ),
  'desk-client-order': page(({ store }) => `/desk/clients/${store.clientId}/order`),
  'desk-client-order-short': page(
    ({ store, inParts }) => `/desk/clients/${store.clientId}/order?again=${inParts}`,
    send({ 'SKU, quantity and variation': 'KURTA-01 99999' }, 'Review the order'),
  ),
  'desk-client-details': page(({ store }) => `/desk/clients/${store.clientId}/details`),
  'desk-client-tax': page(({ store }) => `/desk/clients/${store.clientId}/tax`),
  'desk-client-subscription': page(({ store }) => `/desk/clients/${store.clientId}/subscription`),
  'desk-client-tokens': page(({ store }) => `/desk/clients/${store.clientId}/tokens`),
  'desk-client-token': page(({ store }) => `/desk/clients/${store.clientId}/tokens/${store.tokenId}`),
  'desk-client-wallet': page(({ store }) => `/desk/clients/${store.clientId}/wallet`),
  'desk-client-wallet-adjust': page(({ store }) => `/desk/clients/${store.clientId}/wallet/adjust`),
  'desk-client-wallet-review': page(
    ({ store }) => `/desk/clients/${store.clientId}/wallet/adjust`,
    send({ 'Amount (₹)': '-12.50', Reason: 'A mistake' }, 'See what changes'),
  ),
  'desk-client-wallet-ask': page(
    ({ store }) => `/desk/clients/${store.clientId}/wallet/adjust`,
    send({ 'Amount (₹)': '5000', Reason: 'A mistake' }, 'See what changes'),
  ),
  'desk-client-requests': page(({ store }) => `/desk/clients/${store.clientId}/requests`),
  'desk-client-request': page(
    ({ store, refusedRequest }) => `/desk/clients/${store.clientId}/requests/${refusedRequest}`,
  ),
  'desk-client-people': page(({ store }) => `/desk/clients/${store.clientId}/people`),
  'desk-client-person': page(
    ({ store, buyer }) => `/desk/clients/${store.clientId}/people/${buyer.person.id}`,
  ),
  'desk-client-people-invite': page(({ store }) => `/desk/clients/${store.clientId}/people/invite`),
  'desk-report-days': page('/desk/reports'),
  'desk-report-clients': page('/desk/reports?by=client'),
  'desk-report-products': page('/desk/reports?by=product'),
  'desk-report-none': page('/desk/reports?from=2020-01-01&to=2020-01-31'),
  'desk-audit': page('/desk/audit'),
  'desk-search': page('/desk/search?q=kurta'),
  'desk-people': page('/desk/people'),
  'desk-people-invite': page('/desk/people/invite'),
  'desk-security': page('/desk/security'),
  'desk-security-password': page('/desk/security/password'),
  'desk-security-second-step': page('/desk/security/two-factor'),
  'desk-not-allowed': packers('/desk/audit'),
  'desk-not-found': page('/desk/nowhere'),
} satisfies Record<string, TestPage>;
