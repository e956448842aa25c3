import { readFile } from 'node:fs/promises';
import request from 'supertest';
import type { OpenApi } from '../../support/fuzz/requests.js';
import { type RawAnswer, sendRaw } from '../../support/fuzz/raw-request.js';
import type { Store } from '../../support/fixtures.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

/** Texts that no stored row has, or that are no text at all. */
const ODD = [
  '%00',
  'A%00B',
  '%FF',
  '%C3%28',
  // A lone surrogate, as some libraries encode it.
  '%ED%A0%80',
  '%',
  '%ZZ',
  '%E2%80%AE',
  '-1',
  '0',
  '1e3',
  '2147483648',
  '99999999999999999999',
  '__proto__',
  '..%2f..%2fetc%2fpasswd',
  'x'.repeat(8_000),
];

/** Addresses outside the store API, with the people who may open them. */
const PAGES = /^(\w+) +(GET|POST) +(\S*:\S+)$/gm;

describe('Odd texts in the path', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let store: Store;

  beforeAll(async () => {
    store = await test.fixtures.store();
  });

  const send = (method: string, path: string, headers: Record<string, string>): Promise<RawAnswer> =>
    sendRaw(test.url, { method, path, headers, body: Buffer.alloc(0) });

  /** The requests whose answer is a failure of the service, and how many there were. */
  const failuresOf = async (routes: [method: string, path: string][], headers: Record<string, string>) => {
    const failures: string[] = [];
    const statuses = new Set<number>();
    for (const [method, path] of routes)
      for (const odd of ODD) {
        const { status } = await send(method, path.replaceAll(/\{\w+\}|:\w+/g, odd), headers);
        statuses.add(status);
        if (status >= 500) failures.push(`${status} ${method} ${path} with ${odd.slice(0, 30)}`);
      }
    return { failures, statuses };
  };

  it.each(['full', 'test', 'read_only'] as const)('fail in no route for a token: %s', async (kind) => {
    const { body } = await request(test.url).get('/docs/openapi.json');
    const routes = Object.entries((body as OpenApi).paths).flatMap(([path, methods]) =>
      path.includes('{') ? Object.keys(methods).map((method) => [method.toUpperCase(), path]) : [],
    ) as [string, string][];
    expect(routes.length).toBeGreaterThan(5);
    const { headers } = await test.fixtures.withToken(store, kind);
    const { failures, statuses } = await failuresOf(routes, headers);
    expect(failures).toEqual([]);
    expect(statuses).toContain(404);
    expect(statuses).toContain(400);
  });

  it.each(['desk', 'dashboard'] as const)('fail on no page for people who may open all: %s', async (area) => {
    const listed = await readFile(`test/web/${area}/roles.txt`, 'utf8');
    const routes = [...listed.matchAll(PAGES)].map(([, , method, path]) => [method, path]) as [
      string,
      string,
    ][];
    expect(routes.length).toBeGreaterThan(5);
    const person = await (area === 'desk' ? signInAtDesk(test, 'admin') : signIn(test, store.clientId));
    const { failures, statuses } = await failuresOf(routes, { Cookie: person.cookie });
    expect(failures).toEqual([]);
    expect(statuses).toContain(404);
  });

  it('fail on no page that anyone may open', async () => {
    const paths = ['', '/failed', '/cancelled', '/return'].map((end) => `/payments/:id${end}`);
    const routes = [...paths, '/assets/:name', '/docs/:name', '/examples/:name'].flatMap((path) => [
      ['GET', path],
      ['POST', path],
    ]) as [string, string][];
    const { failures } = await failuresOf(routes, {});
    expect(failures).toEqual([]);
  });
});
