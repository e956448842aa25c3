import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Wholesale } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);
const file = 'stock.json'; // in your shop: a table of its database
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { stock: {} };

const { products, removed, complete, since } = await api.stock(kept.since);
if (complete) kept.stock = {};
for (const { sku, stock_qty } of products) kept.stock[sku] = stock_qty;
for (const sku of removed) delete kept.stock[sku];

writeFileSync(file, JSON.stringify({ ...kept, since }));
console.log(products.length, 'products changed,', Object.keys(kept.stock).length, 'are for sale');
