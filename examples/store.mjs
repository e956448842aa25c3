// A small store: it keeps a copy of the catalog, places an order exactly once in spite of lost answers, and
// follows the order until it is delivered. Plain Node, without packages:
//
//   npm start                               # in one terminal
//   POLL_SECONDS=2 node examples/store.mjs  # in another; the default is the recommended interval
//
// Credentials come from BASE_URL, TOKEN and DOMAIN, or from the demo of `npm start` in DATA_DIR (.data).
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { BASE_URL = 'http://localhost:3000', DATA_DIR = '.data', POLL_SECONDS } = process.env;
const { token, domain } = process.env.TOKEN
  ? { token: process.env.TOKEN, domain: process.env.DOMAIN }
  : JSON.parse(await readFile(join(DATA_DIR, 'demo-credentials.json'), 'utf8'));

/** Sends one request. Returns errors of the service; throws when there is no answer. */
async function send(method, path, body) {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Client-Domain': domain,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/**
 * Repeats a request until it gets a final answer. Reads are safe to repeat; orders are safe with a
 * store_order_id.
 */
async function request(method, path, body) {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(method, path, body).catch((error) => ({ error }));
    const mayPass = answer.error || [408, 429].includes(answer.status) || answer.status >= 500;
    if (!mayPass) return answer;
    if (attempt === 8)
      throw answer.error ?? new Error(`${method} ${path}: ${answer.status} ${answer.body.code}`);
    const seconds = Number(answer.headers?.get('Retry-After')) || Math.min(2 ** attempt / 4, 30);
    console.log(`${method} ${path} got no final answer; retry in ${seconds} s`);
    await sleep(seconds * 1_000);
  }
}

/** Reads a path that must answer 200. */
async function read(path) {
  const { status, headers, body } = await request('GET', path);
  if (status !== 200)
    throw Object.assign(new Error(`${path}: ${status} ${body.code}: ${body.message}`), { status });
  return { headers, ...body };
}

// --- the catalog: the whole list once, then only changes

const catalog = { products: new Map(), seenUpTo: undefined };

async function syncCatalog() {
  // Everything a product page shows, so that no product needs a call of its own.
  const all = '/api/products?expand=variations,delivery_charge,details';
  const since = catalog.seenUpTo ? `&since=${encodeURIComponent(catalog.seenUpTo)}` : '';
  const {
    data,
    removed = [],
    sync_token,
  } = await read(all + since).catch((error) => {
    if (error.status !== 410) throw error;
    // The service was restored from a backup: start again.
    catalog.seenUpTo = undefined;
    catalog.products.clear();
    return read(all);
  });
  for (const product of data) catalog.products.set(product.sku, product);
  for (const sku of removed) catalog.products.delete(sku);
  catalog.seenUpTo = sync_token;
  console.log(`catalog: ${data.length} products came, ${catalog.products.size} are for sale`);
}

// --- an order: sent until it is confirmed

/**
 * The id is created before the first attempt and stays the same: a repeat finds the order instead of placing
 * another.
 */
async function placeOrder(order) {
  const { status, body } = await request('POST', '/api/orders', order);
  if (status === 201) return body.order_number;
  const isThere = status === 409 && body.code === 'duplicate_order' && body.same_content;
  if (isThere && body.status !== 'cancelled') {
    console.log('an earlier attempt had arrived already; only its answer was lost');
    return body.order_number;
  }
  throw refusal(status, body);
}

/** Returns the price of an order, if the order can be placed. */
async function quoteOrder(order) {
  const { status, body } = await request('POST', '/api/orders/quote', order);
  if (status === 200 && body.orderable) return body;
  throw refusal(status, body);
}

function refusal(status, { code = 'not orderable', message = 'see above', errors = [] }) {
  for (const fault of errors) console.log(`${fault.field} ${fault.message}`);
  return new Error(`${status} ${code}: ${message}`);
}

/** Returns the first product and variation in stock, or nothing when everything is sold out. */
async function chooseItem() {
  const product = [...catalog.products.values()].find(({ stock_qty }) => stock_qty > 0);
  if (!product) return undefined;
  const { sku } = product;
  const { variation_stocks } = await read(`/api/products/${encodeURIComponent(sku)}/stock`);
  const [variation] = Object.keys(variation_stocks).filter((key) => variation_stocks[key] > 0);
  return { sku, quantity: 1, variation };
}

// --- following: one poll for all orders, as often as the service recommends

async function followOrders(numbers, since) {
  const open = new Set(numbers);
  for (let seenUpTo = since; ;) {
    const { data, unknown = [], sync_token, has_more, headers } = await changedOrders(seenUpTo, open);
    seenUpTo = sync_token;
    for (const number of unknown) {
      console.log(`${number}: the service no longer knows it`);
      open.delete(number);
    }
    for (const { order_number, status, tracking, cancel_reason } of data) {
      if (!open.has(order_number)) continue;
      // Some couriers have no tracking URL.
      const { courier, tracking_number, tracking_url } = tracking ?? {};
      const facts = [status, cancel_reason, courier, tracking_number, tracking_url];
      console.log(`${order_number}: ${facts.filter(Boolean).join(' ')}`);
      if (status === 'delivered' || status === 'cancelled') open.delete(order_number);
    }
    if (open.size === 0) return;
    const seconds = has_more ? 0 : Number(POLL_SECONDS ?? headers.get('X-Poll-Interval'));
    await sleep(seconds * 1_000);
  }
}

/**
 * Returns the changes since the token, or the current state of all open orders when the token has expired.
 */
async function changedOrders(since, open) {
  return read(`/api/orders?since=${encodeURIComponent(since)}`).catch(async (error) => {
    if (error.status !== 410) throw error;
    // The new token comes first, so that no change is missed.
    const { sync_token } = await read('/api/orders?limit=1');
    const numbers = new URLSearchParams([...open].map((number) => ['orders', number]));
    return { ...(await read(`/api/orders/status?${numbers}`)), sync_token };
  });
}

// --- a day in the store

await syncCatalog();
// The token for following comes before the order, so that no change is missed.
const { sync_token: beforeOrdering } = await read('/api/orders?limit=1');

const item = await chooseItem();
if (!item) {
  console.error('nothing is in stock, so there is nothing to order');
  process.exit(1);
}
const order = {
  store_order_id: `WEB-${randomUUID()}`,
  customer: { name: 'Ravi Kumar', phone: '+91 98765 43210' },
  shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' },
  items: [item],
};
const quote = await quoteOrder(order);
console.log(`quote: ${quote.total} ${quote.currency}, of which ${quote.delivery} for delivery`);

const orderNumber = await placeOrder({ ...order, expected_total: quote.total });
console.log(`order: ${orderNumber}`);
console.log(`now pay for it and have it shipped and delivered, with the demo by
  npm run cli -- order pay ${orderNumber} --method upi --reference 42
  npm run cli -- order ship ${orderNumber} --courier Delhivery --tracking-number DL123
  npm run cli -- order deliver ${orderNumber}`);

await syncCatalog();
await followOrders([orderNumber], beforeOrdering);
