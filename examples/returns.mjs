import { Wholesale } from './wholesale.mjs';

const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN);

const { items, returns } = await api.status('WEB-3001');
for (const { number, state, refunded, lines } of returns) {
  console.log('Return', number, 'is', state, 'and refunded', refunded);
  for (const { line, quantity } of lines) console.log(quantity, 'x', items[line - 1].name);
}
