import { Wholesale } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);

// One unit of the first line comes back. Your own id makes it safe to ask again: you get the same return.
await api.send('POST', '/api/orders/WEB-3001/returns', {
  store_return_id: 'RET-3001',
  lines: [{ line: 1, quantity: 1 }],
  reason: 'Arrived damaged',
});

const { items, returns } = await api.status('WEB-3001');
for (const { number, state, refunded, lines } of returns) {
  console.log('Return', number, 'is', state, 'and refunded', refunded);
  for (const { line, quantity, received } of lines)
    console.log(items[line - 1].name, 'asked:', quantity, 'received:', received ?? 0);
}
