// A program of the wholesaler: sends the counts of its warehouse, and ships what is paid.
//
//   WHOLESALE_URL=https://… WHOLESALE_KEY=whk_… node erp.mjs stock.csv
//
// Needs Node 20, no packages, and a key with the role staff. Run it every ten minutes: a repetition does
// nothing twice.
import { readFile } from 'node:fs/promises';

const { WHOLESALE_URL: address = 'http://localhost:3000', WHOLESALE_KEY: key } = process.env;

/** Asks the admin API. Waits if it says so, and repeats what may be repeated. */
async function ask(method, path, { body, type = 'application/json', once } = {}) {
  for (let attempt = 1; ; attempt++) {
    const headers = { Authorization: `Bearer ${key}` };
    if (once !== undefined) headers['Idempotency-Key'] = once;
    const request = { method, headers };
    if (body !== undefined) {
      headers['Content-Type'] = type;
      request.body = typeof body === 'string' ? body : JSON.stringify(body);
    }
    const answer = await fetch(`${address}/api/admin/${path}`, request).catch((error) => error);
    const mayRepeat = method === 'GET' || once !== undefined;
    const isBusy = answer instanceof Error || answer.status === 429 || answer.status >= 500;
    if (isBusy && mayRepeat && attempt < 5) {
      const seconds = Number(answer.headers?.get('Retry-After') ?? attempt);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      continue;
    }
    if (answer instanceof Error) throw answer;
    const read = await answer.json();
    if (answer.ok) return read;
    const faults = (read.errors ?? []).map(({ field, message }) => `${field} ${message}`);
    throw new Error([`${answer.status} ${read.code}: ${read.message}`, ...faults].join('\n'));
  }
}

/** All rows of a list, page by page. */
async function* all(path) {
  for (let after = ''; ;) {
    const page = await ask('GET', `${path}${after && `&after=${encodeURIComponent(after)}`}`);
    yield* page.data;
    if (!page.has_more) return;
    after = page.next;
  }
}

/** What is on the shelves. A row that is refused does not stop the others. */
async function sendStock(file) {
  const body = await readFile(file, 'utf8');
  const report = await ask('POST', 'imports/stock', { body, type: 'text/csv' });
  const { updated, unchanged, refused, failed } = report.data;
  console.log(`Stock: ${updated} changed, ${unchanged} unchanged, ${refused} refused.`);
  for (const { line, message } of failed) console.log(`  line ${line}: ${message}`);
}

/** A label for each paid order, as your courier gives it. */
async function shipPaidOrders() {
  for await (const { order_number: number } of all('orders?status=pending')) {
    const { data: order } = await ask('GET', `orders/${number}`);
    const units = order.items.reduce((sum, item) => sum + item.quantity - item.shipped - item.cancelled, 0);
    const label = { courier: 'BlueDart', tracking_number: `BD-${number.slice(-11)}` };
    await ask('POST', `orders/${number}/ship`, {
      body: label,
      once: `ship ${number} ${order.timeline.length}`,
    });
    console.log(`Shipped ${number}: ${units} units to ${order.shipping.city}, ${label.tracking_number}.`);
  }
}

if (!key) {
  console.error('Set WHOLESALE_KEY to a key of the desk: Settings, API keys.');
  process.exit(1);
}
if (process.argv[2]) await sendStock(process.argv[2]);
await shipPaidOrders();
