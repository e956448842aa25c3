import { existsSync, writeFileSync } from 'node:fs';
import { Wholesale } from './wholesale.mjs';

// More time than usual: a PDF is drawn when you ask for it.
const api = new Wholesale(process.env.API, process.env.TOKEN, process.env.DOMAIN, { timeout: 60 });

for (const { number, kind, amount, url } of await api.documents('WEB-3001')) {
  const file = `${number}.pdf`;
  // Only an e-invoice changes: it gets its IRN and QR code later.
  if (!existsSync(file)) writeFileSync(file, await api.send('GET', url));
  console.log(kind, number, amount);
}
