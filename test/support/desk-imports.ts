import request from 'supertest';
import { ImportRuns } from '../../src/shared/imports/import-runs.service.js';
import { formFields, readable } from './page-text.js';
import { type SignedIn, signInAtDesk } from './sign-in.js';
import { makeBeforeEach } from './suite-hooks.js';
import type { TestApp } from './test-app.js';

export const IMPORTS = '/desk/imports';

export interface ImportFile {
  kind?: string;
  name?: string;
  content: string | Buffer;
}

type Sender = Pick<SignedIn, 'cookie' | 'get'>;

/** Two people who import files at the desk, for a database with the products MUG and CUP and the plan GOLD. */
export function setUpImports(test: TestApp) {
  // A person may submit only so many forms a minute.
  const staff = makeBeforeEach(() => signInAtDesk(test, 'staff'));
  const admin = makeBeforeEach(() => signInAtDesk(test, 'admin'));

  beforeAll(async () => {
    await test.fixtures.plan({ code: 'GOLD', name: 'Gold', discount: '10' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '230.00', stock: 5 },
      { sku: 'CUP', name: 'Cup', basePrice: '100.00', stock: 7 },
    ]);
  });

  const send = (person: Sender, { kind = 'catalog', name = 'file.csv', content }: ImportFile, app = test) =>
    request(app.url)
      .post(IMPORTS)
      .set('Cookie', person.cookie)
      .set('Sec-Fetch-Site', 'same-origin')
      .field('kind', kind)
      .attach('file', Buffer.from(content), name);

  const settled = (app = test) => app.app.get(ImportRuns).settled();

  /** The page of a file once its check has ended. */
  const upload = async (file: ImportFile, person: Sender = staff, app = test) => {
    const { status, headers, text } = await send(person, file, app);
    if (status !== 303) throw new Error(`${status}: ${readable(text)}`);
    await settled(app);
    const path = headers.location as string;
    return { path, id: Number(path.split('/').at(-1)), html: (await person.get(path)).text };
  };

  const apply = async (path: string, person = staff) => {
    const { status, text } = await person.post(`${path}/apply`, formFields((await person.get(path)).text));
    await settled();
    return { status, html: status === 303 ? (await person.get(path)).text : text };
  };

  const prices = async () => {
    const { rows } = await test.pool.query<{ sku: string; price: string }>(
      `SELECT sku, base_price AS price FROM products WHERE sku NOT LIKE 'ROW-%' ORDER BY sku`,
    );
    return Object.fromEntries(rows.map(({ sku, price }) => [sku, price]));
  };

  return { staff, admin, send, settled, upload, apply, prices };
}
