import { randomUUID } from 'node:crypto';
import { ClientDomainsService } from '../../../src/modules/clients/client-domains.service.js';
import { TokenAdministrationService } from '../../../src/modules/auth/tokens/token-administration.service.js';
import { ClientTokensService } from '../../../src/modules/auth/tokens/client-tokens.service.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const DOMAIN = 'shop.example.com';

const form = (more: object = {}) => ({ name: 'Shop', domain: DOMAIN, key: randomUUID(), ...more });

describe('Tokens in the hands of their owners', () => {
  const test = setUpTestApp();
  const other = makeBeforeAll(() => startTestApp({ tokenDomains: 'any' }, test.database));
  let store: Store;
  let owner: SignedIn;
  let tokens: ClientTokensService;
  let domains: ClientDomainsService;

  beforeAll(async () => {
    tokens = test.app.get(ClientTokensService, { strict: false });
    domains = test.app.get(ClientDomainsService, { strict: false });
  });

  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
    await domains.allow(store.clientId, DOMAIN, 'test', { force: true });
  });

  const statusOf = async (token: string, { url } = test) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': DOMAIN };
    return (await fetch(`${url}/api/account`, { headers })).status;
  };

  const overview = () => test.app.get(ClientTokensService, { strict: false });

  async function audited(action: string) {
    const { rows } = await test.pool.query<{ subject: string; details: object; person_id: number }>(
      'SELECT subject, details, person_id FROM audit_log WHERE client_id = $1 AND action = $2 ORDER BY id',
      [store.clientId, action],
    );
    return rows;
  }

  it('are made for a domain that is allowed, and are good at once', async () => {
    const issued = await tokens.create(
      owner.person,
      form({ name: ' My shop ', domain: 'https://www.Shop.example.com/' }),
    );
    expect(issued).toMatchObject({ name: 'My shop', domain: DOMAIN, prefix: issued.token.slice(0, 12) });
    expect(await statusOf(issued.token)).toBe(200);
    const subject = `token ${issued.token_id}`;
    const details = { kind: 'full', name: 'My shop', domain: DOMAIN, prefix: issued.prefix };
    expect(await audited('token.issued')).toEqual([{ subject, details, person_id: owner.person.id }]);
    expect(JSON.stringify(await audited('token.issued'))).not.toContain(issued.token);
  });

  it('are made for no other domain, unless the settings say so', async () => {
    const otherPlace = form({ domain: 'elsewhere.example.com' });
    const fault = { field: 'domain', code: 'not_allowed' };
    await expect(tokens.create(owner.person, otherPlace)).rejects.toMatchObject({ errors: [fault] });
    await other.app.get(ClientTokensService, { strict: false }).create(owner.person, otherPlace);
    await domains.disallow(store.clientId, DOMAIN, 'test');
    await expect(tokens.create(owner.person, form())).rejects.toMatchObject({ errors: [fault] });
  });

  it('list all their errors at once', async () => {
    const wrong = tokens.create(owner.person, form({ name: ' ', domain: 'not a domain' }));
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_value',
      errors: [
        { field: 'name', message: 'The name must not be empty.' },
        { field: 'domain', code: 'invalid_value' },
      ],
    });
    const unknownKind = tokens.create(owner.person, form({ kind: 'root' }));
    await expect(unknownKind).rejects.toMatchObject({ errors: [{ field: 'kind', code: 'unknown_value' }] });
    const withoutKey = tokens.create(owner.person, form({ key: '' }));
    await expect(withoutKey).rejects.toMatchObject({ code: 'malformed_request' });
  });

  it('are made once by one form, however often and however simultaneously it is posted', async () => {
    const posted = form();
    const made = await Promise.allSettled([1, 2, 3].map(() => tokens.create(owner.person, posted)));
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(tokens.create(owner.person, posted)).rejects.toMatchObject({ code: 'conflict' });
    expect(await overview().listValid(owner.person)).toHaveLength(2);
    expect(await audited('token.issued')).toHaveLength(1);
  });

  it('are replaced with an overlap, and the old one ends when it is over', async () => {
    const old = await tokens.create(owner.person, form({ kind: 'read_only' }));
    const replaced = await tokens.replace(owner.person, old.token_id, {
      overlap: '1h',
      key: randomUUID(),
    });
    expect(replaced).toMatchObject({
      kind: 'read_only',
      name: 'Shop',
      domain: DOMAIN,
      replaced: { prefix: old.prefix, overlap: '1h' },
    });
    expect([await statusOf(old.token), await statusOf(replaced.token)]).toEqual([200, 200]);
    const [, first, second] = await overview().listValid(owner.person);
    expect(first!.endsAt!.getTime() - Date.now()).toBeGreaterThan(3_500_000);
    expect(second!.endsAt).toBeNull();
    const ofBoth = { kind: 'read_only', name: 'Shop', domain: DOMAIN };
    expect(await audited('token.replaced')).toEqual([
      {
        subject: `token ${old.token_id}`,
        details: { ...ofBoth, prefix: old.prefix, overlap: '1h', successor: replaced.token_id },
        person_id: owner.person.id,
      },
    ]);
    expect((await audited('token.issued')).at(-1)).toEqual({
      subject: `token ${replaced.token_id}`,
      details: { ...ofBoth, prefix: replaced.prefix },
      person_id: owner.person.id,
    });

    await test.timePasses(3_601);
    expect([await statusOf(old.token), await statusOf(replaced.token)]).toEqual([401, 200]);
  });

  it('end no later when they are replaced once more, and at once if so it is wanted', async () => {
    const old = await tokens.create(owner.person, form());
    const replace = (overlap: string) =>
      tokens.replace(owner.person, old.token_id, { overlap, key: randomUUID() });
    const endsAt = async () =>
      (await overview().listValid(owner.person)).find(({ id }) => id === old.token_id)?.endsAt?.getTime();
    await replace('1h');
    const soon = await endsAt();
    await replace('7d');
    expect(await endsAt()).toBe(soon);
    await replace('now');
    expect(await endsAt()).toBeUndefined();
    expect(await statusOf(old.token)).toBe(401);
    await expect(replace('never')).rejects.toMatchObject({ errors: [{ field: 'overlap' }] });
    await expect(replace('now')).rejects.toMatchObject({ code: 'token_not_found' });
  });

  it('are refused on every node within a second after they were revoked', async () => {
    const { token, token_id, prefix } = await tokens.create(owner.person, form());
    await eventually(async () => (await statusOf(token, other)) === 200);
    await tokens.revoke(owner.person, token_id);
    expect(await statusOf(token)).toBe(401);
    await eventually(async () => (await statusOf(token, other)) === 401, 10_000);
    expect(await audited('token.revoked')).toEqual([
      {
        subject: `token ${token_id}`,
        details: { kind: 'full', name: 'Shop', domain: DOMAIN, prefix },
        person_id: owner.person.id,
      },
    ]);
    expect(await overview().listEnded(owner.person)).toMatchObject([
      { id: token_id, endsAt: expect.any(Date) },
    ]);
  });

  it('are renamed', async () => {
    await tokens.rename(owner.person, store.tokenId, ' Second shop ');
    expect(await overview().listValid(owner.person)).toMatchObject([
      { id: store.tokenId, name: 'Second shop' },
    ]);
    await tokens.rename(owner.person, store.tokenId, 'Second shop');
    const { domain, prefix } = (await overview().listValid(owner.person))[0]!;
    expect(await audited('token.renamed')).toEqual([
      {
        subject: `token ${store.tokenId}`,
        details: { kind: 'full', from: 'Store', name: 'Second shop', domain, prefix },
        person_id: owner.person.id,
      },
    ]);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
      await expect(tokens.rename(owner.person, store.tokenId, name)).rejects.toMatchObject({
        code: 'invalid_value',
      });
  });

  it('are twenty at most, however many are made at once', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, () => tokens.create(owner.person, form())),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    const replace = (overlap: string) =>
      tokens.replace(owner.person, store.tokenId, { overlap, key: randomUUID() });
    await expect(replace('24h')).rejects.toMatchObject({ code: 'conflict' });
    await replace('now');
    expect(await overview().listValid(owner.person)).toHaveLength(20);
  });

  describe('and the wholesaler', () => {
    it('allows a domain again while the client has tokens for it', async () => {
      const administration = test.app.get(TokenAdministrationService, { strict: false });
      const domain = 'again.example.com';
      await administration.issue(store.clientId, domain, 'operator:asha', { name: 'Again' });
      await domains.disallow(store.clientId, domain, 'operator:asha');
      expect(await domains.allow(store.clientId, domain, 'operator:asha')).toEqual({
        clientId: store.clientId,
        domain,
      });
    });

    it('allows a domain by issuing a token for it, and tells who did', async () => {
      const administration = test.app.get(TokenAdministrationService, { strict: false });
      const { token_id, prefix } = await administration.issue(
        store.clientId,
        'new.example.com',
        'operator:asha',
        {
          name: 'New',
        },
      );
      expect(await domains.ofClient(store.clientId)).toContain('new.example.com');
      await administration.revoke(token_id, 'operator:asha');
      await administration.revoke(token_id, 'operator:asha');
      const { rows } = await test.pool.query(
        `SELECT action, actor, subject, details FROM audit_log WHERE client_id = $1
          AND actor = 'operator:asha' ORDER BY id`,
        [store.clientId],
      );
      const actor = 'operator:asha';
      const details = { kind: 'full', name: 'New', domain: 'new.example.com', prefix };
      expect(rows).toEqual([
        { action: 'domain.allowed', actor, subject: 'new.example.com', details: {} },
        { action: 'token.issued', actor, subject: `token ${token_id}`, details },
        { action: 'token.revoked', actor, subject: `token ${token_id}`, details },
      ]);
    });

    it('gives no domain of one client to another without a second confirmation', async () => {
      const { clientId } = await test.fixtures.store();
      const refused = { code: 'conflict', message: expect.stringContaining(`client ${store.clientId}`) };
      await expect(domains.allow(clientId, store.domain, 'test')).rejects.toMatchObject(refused);
      await domains.allow(clientId, store.domain, 'test', { force: true });
    });

    it('lists the tokens that stay valid when a domain is not allowed any more', async () => {
      const { token_id, token } = await tokens.create(owner.person, form());
      expect(await domains.disallow(store.clientId, 'WWW.shop.example.com', 'test')).toEqual({
        clientId: store.clientId,
        domain: DOMAIN,
        tokenIds: [token_id],
      });
      expect(await statusOf(token)).toBe(200);
      const repeated = domains.disallow(store.clientId, DOMAIN, 'test');
      await expect(repeated).rejects.toMatchObject({ code: 'domain_not_found' });
      const replace = tokens.replace(owner.person, token_id, { overlap: '1h', key: randomUUID() });
      await expect(replace).rejects.toMatchObject({ errors: [{ field: 'overlap' }] });
    });
  });
});
