// The whole flow of a store with only a client that was generated from the OpenAPI document, without a cast.
import timers from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const { BASE_URL, TOKEN, DOMAIN = '' } = process.env;

const client = createClient<paths>({
  baseUrl: BASE_URL,
  headers: { Authorization: `Bearer ${TOKEN}`, 'X-Client-Domain': DOMAIN },
});

/** The answer, or the end of the flow. */
function must<Data>({ data, error }: { data?: Data; error?: { code: string; message: string } }): Data {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

const account = must(await client.GET('/api/account'));
const catalog = must(await client.GET('/api/products', { params: { query: { in_stock: true, limit: 10 } } }));
const [first] = catalog.data;
if (!first) throw new Error('The catalog is empty.');

const params = { path: { sku: first.sku } };
const product = must(await client.GET('/api/products/{sku}', { params })).data;
const stock = must(await client.GET('/api/products/{sku}/stock', { params }));
const bulkStock = must(
  await client.GET('/api/stock', { params: { query: { skus: [first.sku, 'NO,SUCH'] } } }),
);
const [variation] = Object.entries(stock.variation_stocks)
  .filter(([, count]) => count > 0)
  .map(([key]) => key);

const items = [{ sku: product.sku, quantity: 2, variation }];
const quote = must(await client.POST('/api/orders/quote', { body: { items } }));
if (!quote.orderable || !quote.items.every((item) => item.stock.sufficient))
  throw new Error('The quote says no.');

const order = {
  store_order_id: 'GENERATED/1',
  expected_total: quote.total,
  customer: { name: 'Ravi Kumar', phone: '+91 98765 43210' },
  shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' },
  items,
};
const ordersBefore = must(await client.GET('/api/orders'));
const created = await client.POST('/api/orders', { body: order });
const placed = must(created);
const repeated = await client.POST('/api/orders', { body: order });
if (placed.success !== true || repeated.error?.code !== 'duplicate_order')
  throw new Error('The order was not placed once.');
const duplicate: { order_number: string; same_content: boolean } = repeated.error;

let status = must(await readStatus());
while (status.status !== 'delivered') {
  await timers.setTimeout(20);
  status = must(await readStatus());
}

function readStatus() {
  return client.GET('/api/orders/{order_number}/status', {
    params: { path: { order_number: order.store_order_id } },
  });
}

const listed = must(await client.GET('/api/orders', { params: { query: { status: 'delivered' } } }));
const bulk = must(
  await client.GET('/api/orders/status', {
    params: { query: { orders: [placed.order_number, order.store_order_id] } },
  }),
);
const changedStock = must(
  await client.GET('/api/stock', { params: { query: { since: bulkStock.sync_token } } }),
);
const changedOrders = must(
  await client.GET('/api/orders', { params: { query: { since: ordersBefore.sync_token } } }),
);
const cancelled = await client.POST('/api/orders/{order_number}/cancel', {
  params: { path: { order_number: placed.order_number } },
});

process.stdout.write(
  JSON.stringify({
    domain: account.data.domain,
    price: first.pricing.wholesale_price,
    delivery: product.delivery_charge,
    total: placed.total,
    location: created.response.headers.get('Location'),
    duplicate: { number: duplicate.order_number, same: duplicate.same_content },
    stock: { named: bulkStock.data.map(({ sku }) => sku), unknown: bulkStock.unknown },
    changed: {
      stock: changedStock.data.map(({ sku, stock_qty }) => [sku, stock_qty]),
      orders: changedOrders.data.map((summary) => [summary.order_number, summary.status]),
    },
    tracking: status.tracking?.tracking_number,
    timeline: status.timeline.map((entry) => entry.status),
    listed: listed.data.map((summary) => summary.order_number),
    bulk: bulk.data.map((form) => form.order_number),
    cancel: cancelled.error?.code,
    orderNumber: placed.order_number,
  }),
);
