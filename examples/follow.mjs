import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Wholesale } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);
const file = 'orders.json'; // in your shop: a table of its database
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { open: ['WEB-3001'] };

const { orders, since } = await api.changes(kept.since, kept.open);
for (const { store_order_id: number, status, tracking } of orders) {
  console.log('Order', number, 'is', status);
  if (tracking) console.log('Tracking:', tracking.courier, tracking.tracking_number, tracking.tracking_url);
  const isOver = ['delivered', 'cancelled'].includes(status);
  if (isOver) kept.open = kept.open.filter((open) => open !== number);
}

writeFileSync(file, JSON.stringify({ ...kept, since }));
