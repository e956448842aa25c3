import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Store } from '../../support/fixtures.js';
import { rows } from '../../support/page-text.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const API_ACCESS = '/dashboard/api-access';

describe('The page of API access', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await signIn(test, store.clientId);
  });

  const listed = (html: string) =>
    [...html.matchAll(/<tbody>(.*?)<\/tbody>/gs)].map(([table]) =>
      rows(table).map((row) => row.split(' ')[0]),
    );

  const tokenPath = () => `${API_ACCESS}/${store.tokenId}`;

  /** Of the form that was just opened. */
  async function keyIn(path: string): Promise<string> {
    const { text } = await owner.get(path).expect(200);
    return /name="key" value="([\w-]+)"/.exec(text)![1]!;
  }

  const tokenIn = (text: string) => /wha_(read_)?[0-9A-Za-z]{40}/.exec(text)?.[0];

  const countTokens = async () =>
    (await test.pool.query('SELECT id FROM tokens WHERE client_id = $1', [store.clientId])).rows.length;

  it('tells where the store calls, and by what it gets in, and no secret', async () => {
    await test.fixtures.neighbours({ of: store });
    const { text, headers } = await owner.get(API_ACCESS).expect(200);
    expect(text).toContain('<h1>1 active token</h1>');
    expect(listed(text)).toEqual([['Store'], ['Store']]);
    for (const message of [
      store.domain,
      store.token.slice(0, 12),
      'Never',
      'Active',
      `href="${tokenPath()}"`,
    ])
      expect(text).toContain(message);
    expect(text).toContain(`value="http://localhost:${new URL(test.url).port}"`);
    const connection = `Authorization: Bearer &lt;API_TOKEN>\nX-Client-Domain: ${store.domain}<`;
    for (const part of [connection, 'href="/docs/guide"', 'href="/docs"']) expect(text).toContain(part);
    expect(tokenIn(text)).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('says what to do where there is no token', async () => {
    await test.fixtures.revoke(store.tokenId);
    const { text } = await owner.get(API_ACCESS).expect(200);
    expect(text).toContain('<h1>Your store is not connected yet</h1>');
    expect(text).toContain('Create a token');
    expect(text).toContain('Ended tokens');
  });

  it('makes a token, shows it once with a curl line, and makes no second one on a reload', async () => {
    const form = {
      kind: 'read_only',
      name: 'Web shop',
      domain: store.domain,
      key: await keyIn(`${API_ACCESS}/new`),
    };
    const { text, headers } = await owner.post(`${API_ACCESS}/new`, form).expect(200);
    const token = tokenIn(text)!;
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('data-copies="token"');
    const connection = [
      `value="http://localhost:${new URL(test.url).port}"`,
      `>Authorization: Bearer ${token}\nX-Client-Domain: ${store.domain}<`,
      'href="/docs/guide"',
      'href="/docs"',
    ];
    for (const part of connection) expect(text).toContain(part);

    const pasted = unescaped(/<pre[^>]*>(curl [^<]*)<\/pre>/.exec(text)![1]!);
    expect(pasted).toContain(token);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${pasted} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { domain: store.domain } });

    const repeated = await owner.post(`${API_ACCESS}/new`, form).expect(409);
    expect(repeated.text).toContain('was already created, and shown once');
    expect(tokenIn(repeated.text)).toBeUndefined();
    expect(await countTokens()).toBe(2);
    const { text: list } = await owner.get(API_ACCESS).expect(200);
    expect(list).toContain('Web shop');
    expect(list).toContain('Read only');
    expect(tokenIn(list)).toBeUndefined();
  });

  it('shows a form once more with what was wrong in it, and makes nothing', async () => {
    const key = await keyIn(`${API_ACCESS}/new`);
    const wrong = { name: '', domain: 'elsewhere.example.com', key };
    const { text } = await owner.post(`${API_ACCESS}/new`, { ...wrong, name: 'Kept "so"' }).expect(422);
    expect(text).toContain('The domain elsewhere.example.com is not allowed for you');
    expect(text).toContain('value="Kept &quot;so&quot;"');
    expect(text).toContain(`name="key" value="${key}"`);
    expect((await owner.post(`${API_ACCESS}/new`, wrong).expect(422)).text).toContain(
      'The name must not be empty',
    );
    await owner.post(`${API_ACCESS}/new`, { name: 'x', domain: store.domain }).expect(400);
    await owner.post(`${API_ACCESS}/new`).expect(422);
    expect(await countTokens()).toBe(1);
  });

  it('says whom to ask where no domain is allowed', async () => {
    await test.fixtures.sql('DELETE FROM client_domains WHERE client_id = $1', [store.clientId]);
    const { text } = await owner.get(`${API_ACCESS}/new`).expect(200);
    expect(text).toContain('No domain is allowed yet');
  });

  it('takes any domain where the settings say so', async () => {
    const open = await startTestApp({ tokenDomains: 'any' }, test.database);
    const person = await signIn(open, store.clientId);
    const { text } = await person.get(`${API_ACCESS}/new`).expect(200);
    const key = /name="key" value="([\w-]+)"/.exec(text)![1]!;
    const form = { name: 'New', domain: 'https://Anywhere.example.com', key };
    const made = await person.post(`${API_ACCESS}/new`, form).expect(200);
    expect(made.text).toContain('anywhere.example.com');
    await open.close();
  });

  it('replaces a token with an overlap, and says until when the old one is good', async () => {
    const form = { overlap: '24h', key: await keyIn(tokenPath()) };
    const { text } = await owner.post(`${tokenPath()}/replace`, form).expect(200);
    expect(text).toContain('works for at most 24 more hours');
    const token = tokenIn(text)!;
    for (const good of [token, store.token]) {
      const headers = { Authorization: `Bearer ${good}`, 'X-Client-Domain': store.domain };
      expect((await fetch(`${test.url}/api/account`, { headers })).status).toBe(200);
    }
    const { text: list } = await owner.get(API_ACCESS);
    expect(list).toContain('<h1>1 token ends soon</h1>');
    await owner.post(`${tokenPath()}/replace`, form).expect(409);
    await owner.post(`${tokenPath()}/replace`, { ...form, overlap: 'never' }).expect(422);
    expect(await countTokens()).toBe(2);
  });

  it('asks before it revokes, and then the store is refused', async () => {
    const { text } = await owner.get(`${tokenPath()}/revoke`).expect(200);
    expect(text).toContain('Revoke “Store”?');
    await test.get(store, '/api/account').expect(200);
    await owner.post(`${tokenPath()}/revoke`).expect(303).expect('Location', API_ACCESS);
    await test.get(store, '/api/account').expect(401);
    await owner.post(`${tokenPath()}/revoke`).expect(404);
    await owner.get(tokenPath()).expect(404);
  });

  it('renames a token', async () => {
    await owner
      .post(`${tokenPath()}/name`, { name: 'Second shop' })
      .expect(303)
      .expect('Location', tokenPath());
    expect((await owner.get(API_ACCESS)).text).toContain('Second shop');
    const { text } = await owner.post(`${tokenPath()}/name`, { name: 'x'.repeat(101) }).expect(422);
    expect(text).toContain('The name must have at most 100 characters');
  });
});

function unescaped(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
