import { Wholesale, WholesaleError } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);

try {
  await api.place({
    store_order_id: 'WEB-3002',
    customer: { name: 'Ravi Kumar' },
    shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '56' },
    items: [{ sku: 'NO-SUCH-SKU', quantity: 1 }],
  });
} catch (error) {
  if (!(error instanceof WholesaleError)) throw error;
  console.log(error.message);
  for (const { field, message } of error.errors) console.log(field, message);
}
