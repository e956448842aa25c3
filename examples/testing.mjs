import { Wholesale } from './wholesale.mjs';

// TOKEN is a test token: nothing is held, owed or sent.
const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);
const number = `TRY-${Date.now()}`;
const order = {
  store_order_id: number,
  customer: { name: 'Ravi Kumar', phone: '+91 98765 43210' },
  shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' },
  items: [{ sku: 'MUG-350', quantity: 2 }],
};
await api.place(order);

// You are the wholesaler and the courier now. Let your store follow the order meanwhile.
for (const step of ['paid', 'shipped', 'delivered']) {
  await api.send('POST', `/api/test/orders/${number}/advance`, { step });
  const { status, tracking } = await api.status(number);
  console.log('Test order is', status, tracking?.tracking_number ?? '');
}

// A failure as a real one: what does your store do?
const headers = { 'X-Test-Failure': 'sold_out' };
const failing = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN, { headers });
await failing.place({ ...order, store_order_id: `${number}-2` }).catch((error) => console.log(error.message));
