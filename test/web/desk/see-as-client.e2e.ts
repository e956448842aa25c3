import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import type { Store } from '../../support/fixtures.js';
import { headline, linkOf, readable } from '../../support/page-text.js';
import { addressOf, routesBelow } from '../../support/routes.js';
import { type SignedIn, signIn, signInAtDesk, startSession } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

/** Strangers may send these forms too. */
const OPEN = [
  '/dashboard/link',
  '/dashboard/link/password',
  '/dashboard/notices/off',
  '/dashboard/reset',
  '/dashboard/sign-in',
  '/dashboard/sign-in/code',
  '/dashboard/sign-out',
];

/** A person may post 60 forms a minute. */
const MAX_POSTS = 50;

describe('A person of the desk who sees the pages of a client', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store({ name: 'Kaveri Stores' }));
  const other = makeBeforeAll(() => test.fixtures.store({ name: 'Other Stores' }));
  let orders: Record<'own' | 'foreign', string>;

  beforeAll(async () => {
    const { sku } = await test.fixtures.product({ stock: 100 });
    const order = (of: Store) => test.place(of, [{ sku, quantity: 1 }]);
    orders = { own: await order(store), foreign: await order(other) };
    const wallets = test.app.get(WalletService, { strict: false });
    await wallets.adjust(store.clientId, '7654', 'for a test', 'test');
    await wallets.adjust(other.clientId, '3210', 'for a test', 'test');
  });

  const see = async (role: 'staff' | 'admin' = 'staff') => {
    const person = await signInAtDesk(test, role);
    const { headers } = await person.post(`/desk/clients/${store.clientId}/see`).expect(303);
    expect(headers.location).toBe('/dashboard');
    return person;
  };
  const audited = async ({ person }: SignedIn<DeskPerson>) => {
    const { rows } = await test.pool.query<{ entry: string }>(
      `SELECT concat_ws(' ', action, subject, 'of', client_id, 'by', actor) AS entry
         FROM audit_log WHERE person_id = $1 ORDER BY id`,
      [person.id],
    );
    return rows.map(({ entry }) => entry);
  };
  /** The content of all tables, except what the node itself writes beside requests, some of it once a minute. */
  const everything = async () => {
    const { rows: tables } = await test.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
          AND relname NOT IN ('history', 'store_requests', 'store_request_counts', 'token_uses')`,
    );
    const contents = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await test.pool.query<{ row: string }>(
          `SELECT (to_jsonb(t) - 'last_seen_at')::text AS row FROM ${name} t ORDER BY 1`,
        );
        return [name, rows.map(({ row }) => row)] as const;
      }),
    );
    return Object.fromEntries(contents);
  };

  it('sees the figures and the times of this client and of no other, below a banner on every page', async () => {
    await test.fixtures.sql(`UPDATE clients SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [store.clientId]);
    const person = await see();
    expect(readable((await person.get('/dashboard/orders')).text)).toContain('Times are in Asia/Tokyo');
    const { text } = await person.get('/dashboard/wallet').expect(200);
    expect(headline(text)).toContain('₹7,654.00');
    expect(text).not.toContain('3,210');
    for (const page of [
      '',
      '/orders',
      `/orders/${orders.own}`,
      '/api-access',
      '/requests',
      '/plan',
      '/nowhere',
    ])
      expect(readable((await person.get(`/dashboard${page}`)).text)).toMatch(
        /You see this as Kaveri Stores sees it, until .* Nothing can be changed or paid\. Back to the desk/,
      );
    await person.get(`/dashboard/orders/${orders.foreign}`).expect(404);
    expect((await person.get('/dashboard/orders.csv').expect(200)).text).not.toContain(orders.foreign);
  });

  it('cannot send any form there, whatever the route', async () => {
    const posts = routesBelow(test, '/dashboard')
      .filter((route) => !route.startsWith('GET '))
      .filter((route) => !OPEN.includes(addressOf(route)));
    expect(posts.length).toBeGreaterThan(25);
    const before = await everything();
    const values = { number: orders.own, id: String(store.tokenId) };
    let person = await see('admin');
    for (const [at, route] of posts.entries()) {
      if (at % MAX_POSTS === MAX_POSTS - 1) person = await see('admin');
      const { status, text } = await person.post(addressOf(route, values), {
        orders: orders.own,
        amount: '500',
      });
      expect([route, status]).toEqual([route, 403]);
      expect(text).toMatch(/You cannot change or pay anything here|Only people of the client may see this/);
    }
    const { people: _, sessions: __, audit_log: ___, ...after } = await everything();
    expect(before).toMatchObject(after);
  });

  it('changes nothing by reading', async () => {
    const person = await see();
    const before = await everything();
    const values = { number: orders.own, id: String(store.tokenId) };
    for (const route of routesBelow(test, '/dashboard').filter((one) => one.startsWith('GET '))) {
      const { status } = await person.get(addressOf(route, values));
      expect([route, status < 500]).toEqual([route, true]);
    }
    expect(await everything()).toEqual(before);
  });

  it('does not see pages that are for a person alone', async () => {
    const person = await see();
    for (const page of ['people', 'people/invite', 'security', 'security/two-factor', 'notices']) {
      const { text } = await person.get(`/dashboard/${page}`).expect(403);
      expect(text).toContain('Only people of the client may see this page.');
    }
    const { text } = await person.get('/dashboard').expect(200);
    expect(text).not.toMatch(/href="\/dashboard\/(people|security|notices)"/);
    expect(text).not.toContain('action="/dashboard/sign-out"');
  });

  it('stays at the desk meanwhile, and stops there; both ends are in the audit log', async () => {
    const person = await see();
    const { text } = await person.get(`/desk/clients/${store.clientId}`).expect(200);
    expect(text).toContain('See as this client');
    const { headers } = await person.post('/desk/clients/stop-seeing').expect(303);
    expect(headers.location).toBe(`/desk/clients/${store.clientId}`);
    const auditEntry = (what: string) =>
      `client.seeing_${what} client ${store.clientId} of ${store.clientId} by person ${person.person.id} (${person.person.email})`;
    expect(await audited(person)).toEqual([auditEntry('begun'), auditEntry('ended')]);
    await person.get('/dashboard').expect(303).expect('Location', '/desk');
    await person.post('/desk/clients/stop-seeing').expect(303);
    expect(await audited(person)).toHaveLength(2);
  });

  it('sees one client at a time', async () => {
    const person = await see();
    await person.post(`/desk/clients/${other.clientId}/see`).expect(303);
    expect(headline((await person.get('/dashboard/wallet')).text)).toContain('₹3,210.00');
    expect((await audited(person)).map((entry) => entry.split(' of ')[0])).toEqual([
      `client.seeing_begun client ${store.clientId}`,
      `client.seeing_ended client ${store.clientId}`,
      `client.seeing_begun client ${other.clientId}`,
    ]);
    await person.post('/desk/clients/999999/see').expect(404);
  });

  it('sees it for an hour, on every node, and not in another session', async () => {
    const person = await see();
    const otherPlace = await startSession(test, person.person);
    await otherPlace.get('/dashboard/wallet').expect(303).expect('Location', '/desk');
    const second = await startTestApp({}, test.database);
    try {
      const { text } = await fetch(`${second.url}/dashboard/wallet`, {
        headers: { cookie: person.cookie },
      }).then(async (answer) => ({ text: await answer.text() }));
      expect(headline(text)).toContain('₹7,654.00');
    } finally {
      await second.close();
    }
    const { rows } = await test.pool.query<{ minutes: number }>(
      `SELECT round(extract(epoch FROM sees_until - now()) / 60)::int AS minutes FROM sessions WHERE id = $1`,
      [person.person.sessionId],
    );
    expect(rows[0]!.minutes).toBe(60);
    await test.fixtures.sql('UPDATE sessions SET sees_until = now() WHERE id = $1', [
      person.person.sessionId,
    ]);
    await person.get('/dashboard/wallet').expect(303).expect('Location', '/desk');
    await person.post('/dashboard/pay', { orders: orders.own }).expect(403);
    // Nobody ended it at the time of this form, so the log says only until when it was possible.
    await person.post('/desk/clients/stop-seeing').expect(303);
    expect(await audited(person)).toHaveLength(1);
  });

  it('needs the role staff, also later, and a second step', async () => {
    const packer = await signInAtDesk(test, 'packer');
    await packer.post(`/desk/clients/${store.clientId}/see`).expect(403);
    const person = await see();
    const changed = async (what: string) => {
      await test.fixtures.sql(`UPDATE people SET ${what} WHERE id = $1`, [person.person.id]);
      return (await person.get('/dashboard/wallet')).headers.location;
    };
    expect(await changed(`role = 'packer'`)).toBe('/desk');
    expect(await changed(`role = 'staff'`)).toBeUndefined();
    expect(await changed('totp_enabled_at = NULL')).toBe('/desk');
    expect(await changed('totp_enabled_at = now()')).toBeUndefined();
    expect(await changed('disabled_at = now()')).toMatch(/^\/dashboard\/sign-in/);
  });

  it('does not disturb the people of the client, who see no banner', async () => {
    const owner = await signIn(test, store.clientId);
    const person = await see();
    await person.post('/desk/clients/stop-seeing').expect(303);
    const { text } = await owner.get('/dashboard').expect(200);
    expect(text).not.toContain('You see this as');
    expect(linkOf(text, 'People')).toBe('/dashboard/people');
    await owner.post(`/desk/clients/${store.clientId}/see`).expect(403);
  });
});
