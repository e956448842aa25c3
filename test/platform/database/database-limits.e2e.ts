import request from 'supertest';
import { ProductAdministration } from '../../../src/modules/catalog/product-administration.service.js';
import { MAX_DEDICATED } from '../../../src/platform/database/dedicated-connection.js';
import { orderBody } from '../../support/order-body.js';
import { type SignedIn, signIn, signInAtDesk, startSession } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';
import { lockTable } from '../../support/while-locked.js';

const TOO_MUCH = 'The request was too large for the database, or waited too long';

describe('A database that answers, and cannot do its work', () => {
  const test = setUpTestApp({ databaseTimeoutMs: 2_000 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  let owner: SignedIn;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product());
    owner = await signIn(test, store.clientId);
  });

  const place = () => test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }]));

  /** Each write of the table fails like this. */
  async function failing(table: string, state: string, work: () => Promise<void>): Promise<void> {
    await test.fixtures.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE 'could not' USING ERRCODE = '${state}'; END $$;
       GRANT EXECUTE ON FUNCTION fail() TO PUBLIC;
       CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    try {
      await work();
    } finally {
      await test.fixtures.sql(`DROP TRIGGER fails ON ${table}; DROP FUNCTION fail`);
    }
  }

  it.each([
    ['53100', 'The disk of the database is full. Please repeat the request.'],
    ['53200', 'The database has no memory left. Please repeat the request.'],
    ['53300', 'The database has no connection left. Please repeat the request.'],
    ['57014', `${TOO_MUCH}. Ask for less at once, or repeat the request.`],
    ['57P01', 'The service cannot reach its database right now. Please repeat the request.'],
  ])('is reported to a store after %s: %s', async (state, message) => {
    await failing('orders', state, async () => {
      const { body, headers } = await place().expect(503);
      expect(body).toMatchObject({ success: false, code: 'unavailable', message });
      expect(headers['retry-after']).toBe('2');
      await test.get(store, `/api/products/${sku}`).expect(200);
      await test.get(store, '/api/orders').expect(200);
    });
    await place().expect(201);
  });

  it('is shown on a page, which does not say whether the change was saved', async () => {
    await startSession(test, owner.person);
    await failing('sessions', '53100', async () => {
      const refused = await owner.post('/dashboard/security/sessions/end-others').expect(503);
      expect(refused.text).toContain('<h1>The disk of the database is full</h1>');
      expect(refused.text).toContain('We do not know whether it was done.');
    });
  });

  /** Holds what the statements of a page need. */
  async function holding(table: string, work: () => Promise<void>): Promise<void> {
    const release = await lockTable(test.pool, table);
    try {
      await work();
    } finally {
      await release();
    }
  }

  it('says on a page that was too much what to narrow', async () => {
    const staff = await signInAtDesk(test, 'staff');
    await holding('orders', async () => {
      for (const path of ['/desk/reports?by=state', '/desk/reports/sales.csv?by=state']) {
        const { text, headers } = await staff.get(path).expect(503);
        expect(text).toContain('<h1>Too much for one page</h1>');
        expect(text).toContain('Nothing was changed. Choose a shorter period, or search for fewer entries.');
        expect(headers['retry-after']).toBe('2');
      }
      const { body } = await request(test.url).get('/api/orders').set(store.headers).expect(503);
      expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining(TOO_MUCH) });
    });
    await staff.get('/desk/reports?by=state').expect(200);
  });

  it('has few connections for many reviews at once, which take turns and install no extension', async () => {
    await test.fixtures.sql(
      `CREATE TABLE installed (tag text);
       CREATE FUNCTION note_extension() RETURNS event_trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO installed VALUES (tg_tag); END $$;
       CREATE EVENT TRIGGER installs ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION')
         EXECUTE FUNCTION note_extension()`,
    );
    const connections = async () => {
      const { rowCount } = await test.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'wholesale-order-api import'`,
      );
      return rowCount!;
    };
    const products = test.app.get(ProductAdministration);
    const reviews = Promise.all(
      Array.from({ length: 28 }, (_, at) => products.preview(sku, { name: `Name ${at}` }, { actor: 'test' })),
    );
    const counts: number[] = [];
    const over = reviews.then(() => true);
    do counts.push(await connections());
    while (!(await Promise.race([over, Promise.resolve(false)])));
    expect(await reviews).toHaveLength(28);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_DEDICATED);
    expect((await test.pool.query('SELECT FROM installed')).rowCount).toBe(0);
  });
});
