import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { addressOf, routesBelow } from '../../support/routes.js';
import { postForm, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { DESK_ROLES, type DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { DeskRole } from '../../../src/platform/access/access-rule.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { moveOrder } from '../../support/order-steps.js';
import { unescaped } from '../../support/page-text.js';
import { setUpTestApp } from '../../support/test-app.js';

/** Each route of the desk with the role that it needs at least, or `open`. */
const RIGHTS = new Map(
  readFileSync(new URL('roles.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [right, method, path] = line.split(/ +/) as [DeskRole | 'open', string, string];
      return [`${method} ${path}`, right];
    }),
);

/** What a packer must not read: money in any form, and documents about it. */
const SECRETS = /₹|\d[,\d]*\.\d\d\b(?!\.)|\b(INV|CN|DN)-\d|price|refunded|\btotal\b/i;

/** A person may post 60 forms a minute. */
const MAX_POSTS = 50;

describe('The routes of the desk', () => {
  const test = setUpTestApp({ eInvoicesFrom: '2026-01-01' });
  const store = makeBeforeAll(() => test.fixtures.store());

  const guarded = () => [...RIGHTS].filter(([, right]) => right !== 'open') as [string, DeskRole][];

  it('are listed with their roles', () => {
    expect(routesBelow(test, '/desk').toSorted()).toEqual([...RIGHTS.keys()].toSorted());
  });

  it.each(DESK_ROLES)('let people with the role %s in where it is enough, and nowhere else', async (role) => {
    let person: SignedIn<DeskPerson> | undefined;
    let posts = 0;
    const linked = new Set<string>();
    const mayEnter = (minRole: DeskRole) => DESK_ROLES.indexOf(role) >= DESK_ROLES.indexOf(minRole);
    for (const [route, minRole] of guarded()) {
      const isPost = route.startsWith('POST ');
      if (!person || (isPost && ++posts % MAX_POSTS === 0)) person = await signInAtDesk(test, role);
      const path = addressOf(route);
      const { status, text } = isPost ? await person.post(path) : await person.get(path);
      const isRefused = status === 403 && text.includes(`Your role at the wholesaler is ${role}`);
      expect([route, isRefused, status < 500]).toEqual([route, !mayEnter(minRole), true]);
      for (const [, place] of (text ?? '').matchAll(/ (?:href|action)="(\/desk[^"?#]*)/g))
        if (place !== path) linked.add(place!);
    }
    // Pages lead to each other page that their reader may see, and to no other.
    for (const [route, minRole] of guarded().filter(([each]) => /^GET [^:.]+$/.test(each)))
      expect([route, linked.has(addressOf(route))]).toEqual([route, mayEnter(minRole)]);
  });

  it('answer any address that a person may type with a page', async () => {
    const admin = await signInAtDesk(test);
    const odd =
      'before=99999999999&after=99999999999&sku=%00&search=%00&client=%00&from=%00&month=%00&at=99999999999';
    for (const [route] of guarded().filter(([each]) => each.startsWith('GET ')))
      for (const part of ['%00', '99999999999', '%zz'])
        for (const query of ['', odd]) {
          const path = route.replace('GET ', '').replaceAll(/:\w+/g, part);
          const { status, headers } = await admin.get(`${path}?${query}`);
          expect([path, query, status < 500, headers['content-type']]).toEqual([
            path,
            query,
            true,
            expect.stringMatching(/^text\/(html|csv)|^application\/(pdf|zip|json$)/),
          ]);
        }
  });

  it('show packers no amount, no refund and no document, on any page or file that they can reach', async () => {
    const desk = test.app.get(OrderDeskService, { strict: false });
    const returns = test.app.get(OrderReturnsService, { strict: false });
    await test.fixtures.seller();
    const { sku } = await test.fixtures.product({
      basePrice: '4321.50',
      stock: 100,
      hsn: '6912',
      gstRate: '18',
    });
    const buyer = await test.fixtures.store({ state: '29' });
    const orders: string[] = [];
    for (let n = 0; n < 3; n++) orders.push(await test.place(buyer, [{ sku, quantity: 5 }]));
    const [pending, shipped, delivered] = orders as [string, string, string];
    for (const number of orders) await moveOrder(test, buyer, number, 'pay');
    await desk.cancel(pending, 'test', { lines: ['1=1'], reason: 'sold out' });
    await moveOrder(test, buyer, shipped, 'ship');
    await moveOrder(test, buyer, delivered, 'ship', 'deliver');
    const back = (quantity: number) => ({
      lines: [{ line: 1, quantity }],
      reason: 'broken',
      key: `${quantity}`,
    });
    const { number: received } = await returns.add(delivered, back(2), 'test');
    await returns.receive(received, { restock: [], refund: true }, 'test');
    await returns.add(shipped, back(1), 'test');
    await desk.refund(shipped, 'test', { lines: ['1=1'], reason: 'broken' });
    const starts = [
      '/desk',
      '/desk/orders?status=shipped',
      ...orders.map((number) => `/desk/orders/${number}`),
      ...orders.map((number) => `/desk/search?search=${number}`),
      ...['requested', 'received', 'refused'].map((state) => `/desk/returns?state=${state}`),
    ];
    const packer = await signInAtDesk(test, 'packer');
    const { headers } = await packer.post('/desk/packing', { orders: '1', key: randomUUID() }).expect(303);
    const observed = new Set([...starts, headers.location!]);
    for (const path of observed) {
      const { text, type } = await packer.get(path).expect(200);
      const content = type.startsWith('text/') ? text : '';
      expect([path, SECRETS.exec(content)?.[0]]).toEqual([path, undefined]);
      for (const [, link] of content.matchAll(/ href="(\/desk[^"#]*)/g)) observed.add(unescaped(link!));
    }
    // It has been at each kind of page, where staff read these very amounts.
    const staff = await signInAtDesk(test, 'staff');
    for (const [path, displayed] of [
      [`/desk/orders/${shipped}`, ['4,321.50', 'INV-', 'CN-']],
      [`/desk/orders/${pending}`, ['4,321.50']],
      ['/desk/orders', ['21,607.50']],
      ['/desk/returns?state=received', ['8,643.00']],
      [`/desk/returns/${received}`, ['8,643.00']],
    ] as const) {
      const { text } = await staff.get(path).expect(200);
      for (const amount of displayed) expect([path, text.includes(amount)]).toEqual([path, true]);
      expect([path, observed.has(path)]).toEqual([path, true]);
    }
  });

  it('let neither strangers nor people of a store in', async () => {
    const owner = await signIn(test, store.clientId);
    for (const [route] of guarded()) {
      const path = addressOf(route);
      const isPost = route.startsWith('POST ');
      const { status, headers } = await (isPost ? postForm(test.url, path) : request(test.url).get(path));
      expect([route, status, headers.location?.startsWith('/desk/sign-in')]).toEqual([route, 303, true]);
      if (isPost) continue;
      const { status: forOwner, headers: back } = await owner.get(path);
      expect([route, forOwner, back.location]).toEqual([route, 303, '/dashboard']);
    }
  });

  it('take no form from another site', async () => {
    const admin = await signInAtDesk(test);
    const posts = [...RIGHTS.keys()].filter((route) => route.startsWith('POST ')).slice(0, MAX_POSTS);
    for (const route of posts) {
      const { status } = await admin.post(addressOf(route)).set('Sec-Fetch-Site', 'cross-site');
      expect([route, status]).toEqual([route, 403]);
    }
  });
});
