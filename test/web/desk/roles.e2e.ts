import request from 'supertest';
import { addressOf, readRights, routesBelow } from '../../support/routes.js';
import { postForm, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { DESK_ROLES, type DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { DeskRole } from '../../../src/platform/access/access-rule.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

/** Each route of the desk with the role that it needs at least, or `open`. */
const RIGHTS = readRights<DeskRole>(new URL('roles.txt', import.meta.url));

/** A person may post 60 forms a minute. */
const MAX_POSTS = 50;

describe('The routes of the desk', () => {
  const test = setUpTestApp({ eInvoicesFrom: '2026-01-01' });

  // A month is marked as filed only for a seller.
  beforeAll(() => test.fixtures.seller());
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
