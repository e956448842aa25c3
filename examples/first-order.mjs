import { Wholesale } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);

// Three products, at your prices.
const { products } = await api.catalog();
for (const { sku, name, pricing } of products.slice(0, 3)) console.log(sku, name, pricing.wholesale_price);

// What does an order cost? A quote creates nothing.
const items = [{ sku: 'MUG-350', quantity: 2 }];
const { total, currency } = await api.quote({ items });
console.log('The order costs', total, currency);

// The order. Your own id makes it safe to place again: you get the same order. If that was cancelled, place()
// throws: order again with a new store_order_id.
const order = await api.place({
  store_order_id: 'WEB-3001',
  customer: { name: 'Ravi Kumar', phone: '+91 98765 43210' },
  shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' },
  items,
});
console.log('Order', order.order_number, 'is', order.status);
