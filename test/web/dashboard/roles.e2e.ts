import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { CLIENT_ROLES, type ClientRole } from '../../../src/platform/access/signed-in-person.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { moveOrder } from '../../support/order-steps.js';
import { readable } from '../../support/page-text.js';
import { addressOf, readRights, routesBelow } from '../../support/routes.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

/** Each route of the dashboard with the role that it needs at least, or `open`. */
const RIGHTS = readRights<ClientRole>(new URL('roles.txt', import.meta.url));
const GUARDED = [...RIGHTS].filter(([, right]) => right !== 'open') as [string, ClientRole][];

/** What any form of the dashboard asks for. */
const FORM = Object.fromEntries(
  new URLSearchParams(
    'name=Ravi&phone=9876543210&address=a&city=Pune&state=&pincode=411001&country=India&corrections=0&line_1=1' +
      '&reason=Arrived damaged&note=&key=a-key-of-my-own-making&overlap=now&role=viewer&enabled=yes' +
      '&amount=5&sent=5&utr=N1234567890',
  ),
);

/** The parameters of a route: of a client, and none that exists. */
type Records = (route: string) => Record<string, string>;

const UNKNOWN: Records = (route) => ({
  id: '2000000',
  person: '2000000',
  paymentId: '00000000-0000-4000-8000-000000000000',
  number: route.includes('.pdf') ? 'INV-2021-0000009' : 'WO-20260101-AAAAA-AAAAA',
});

describe('The routes of the dashboard', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const store = makeBeforeAll(() => test.fixtures.store({ state: '29' }));
  const outsider = makeBeforeAll(() => test.fixtures.store({ state: '27' }));
  const member = makeBeforeAll(() => signIn(test, store.clientId, 'buyer'));
  let records: Records;

  beforeAll(async () => {
    await test.fixtures.seller();
    const taxed = { hsn: '6912', gstRate: '18', unit: 'PCS', stock: 100 };
    const { sku } = await test.fixtures.product({ sku: 'MUG', ...taxed });
    const [shipped, waits] = [await orderOf(store, sku), await orderOf(store, sku)];
    await moveOrder(test, store, shipped, 'pay', 'ship');
    const payment = await (await Buyer.of(test, store.clientId)).pay(await orderOf(store, sku));
    const transfers = test.app.get(BankTransfersService, { strict: false });
    const transfer = await transfers.announce(store.clientId, '5', 'N1234567890', 'test');
    await test.get(store, '/api/nowhere').expect(404);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const [invoice, request] = [
      await only('SELECT number AS id FROM tax_documents WHERE client_id = $1'),
      await only('SELECT max(id) AS id FROM store_requests WHERE client_id = $1'),
    ];
    records = (route) => {
      const id = /api-access/.test(route)
        ? store.tokenId
        : /transfers/.test(route)
          ? transfer.transfer_id
          : /sessions/.test(route)
            ? member.person.sessionId
            : request;
      const order = /return/.test(route) ? shipped : waits;
      return {
        id: String(id),
        number: route.includes('.pdf') ? invoice : order,
        person: String(member.person.id),
        paymentId: payment!.paymentId,
        sku,
      };
    };
  });

  const orderOf = (by: Store, sku: string) => test.place(by, [{ sku, quantity: 2 }]);
  const only = async (sql: string) =>
    String((await test.pool.query<{ id: string }>(sql, [store.clientId])).rows[0]!.id);
  const ask = async (person: SignedIn, route: string, of: Records = records) => {
    const path = addressOf(route, of(route));
    const order = { order: of('GET /dashboard/orders/:number').number!, total: '20000', balance: '0' };
    if (!route.startsWith('POST ')) return person.get(path);
    const answer = await person.post(path, { ...FORM, ...order });
    return answer.text.includes('This address takes no body') ? person.post(path) : answer;
  };

  it('are listed with their roles', () => {
    expect(routesBelow(test, '/dashboard').toSorted()).toEqual([...RIGHTS.keys()].toSorted());
  });

  it.each(['viewer', 'buyer'] as const)(
    'let a %s in where the role is enough, and nowhere else',
    async (role) => {
      const mayUse = (minRole: ClientRole) => CLIENT_ROLES.indexOf(role) >= CLIENT_ROLES.indexOf(minRole);
      for (const [route, minRole] of GUARDED) {
        if (route.startsWith('POST ') && mayUse(minRole)) continue;
        const { status, text } = await ask(await signIn(test, store.clientId, role), route);
        const isRefused =
          status === 403 && text.includes(`Your role at Test store is ${role}: ask one of its owners.`);
        expect([route, isRefused, status < 500]).toEqual([route, !mayUse(minRole), true]);
        // No page offers what its reader may not do.
        for (const [, attribute, path] of (text ?? '').matchAll(/ (href|action)="(\/dashboard[^"?#]*)/g)) {
          const right = rightOf(attribute === 'href' ? 'GET' : 'POST', path!);
          if (right) expect([route, attribute, path, mayUse(right)]).toEqual([route, attribute, path, true]);
        }
      }
    },
  );

  it.each<[ClientRole, string, string]>([
    ['buyer', '/dashboard/api-access', 'Only owners can create, replace and revoke tokens.'],
    ['buyer', '/dashboard/plan', 'Only owners can change these details'],
    ['buyer', '/dashboard/wallet/auto-pay', 'Only owners can turn auto-pay on'],
    ['viewer', '/dashboard/wallet/top-up', 'Only buyers and owners can top up'],
  ])('tell a %s of %s who may do more', async (role, path, message) => {
    const { text } = await (await signIn(test, store.clientId, role)).get(path).expect(200);
    expect(readable(text)).toContain(message);
  });

  it('have nothing of another client: its records are the same 404 as unknown ones', async () => {
    const owner = await signIn(test, outsider.clientId);
    const rows = () => test.pool.query('SELECT xmin::text, order_number FROM orders ORDER BY order_number');
    const before = (await rows()).rows;
    for (const [route] of GUARDED.filter(([each]) => /:(?!sku)/.test(each))) {
      const [theirs, unknown] = [await ask(owner, route), await ask(owner, route, UNKNOWN)];
      expect([route, theirs.status, unknown.status]).toEqual([route, 404, 404]);
      expect([route, saysOf(theirs.text)]).toEqual([route, saysOf(unknown.text)]);
    }
    expect((await rows()).rows).toEqual(before);
    await test.get(store, '/api/account').expect(200);
    await member.get('/dashboard').expect(200);
  });

  it('answer any address that a person may type with a page', async () => {
    const owner = await signIn(test, store.clientId);
    const odd =
      'before=99999999999&after=%00&search=%00&month=%00&kind=a&kind=b&from=%00&span=x&request_id=%00';
    for (const [route] of GUARDED.filter(([each]) => each.startsWith('GET ')))
      for (const part of ['%00', '99999999999', '-1'])
        for (const query of ['', odd]) {
          const path = route.replace('GET ', '').replaceAll(/:\w+/g, part);
          const { status } = await owner.get(`${path}?${query}`);
          expect([path, query, status < 500]).toEqual([path, query, true]);
        }
  });

  /** What a page says, but for numbers, ids and the seller, whose name pages read from time to time. */
  const saysOf = (html: string) =>
    readable(html)
      .replace(/Wholesale House,? /g, '')
      .replace(/[\w-]*\d[\w-]*/g, 'X');

  const rightOf = (method: string, path: string) =>
    GUARDED.find(([route]) => {
      const [requested, pattern] = route.split(' ') as [string, string];
      const address = pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
      return requested === method && new RegExp(`^${address}$`).test(path);
    })?.[1];
});
