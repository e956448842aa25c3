import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import request from 'supertest';
import { docUrlOf, ERROR_CODES, type StoreErrorCode } from '../../../src/platform/errors/error-codes.js';
import { contradictions } from '../../support/books.js';
import type { Store } from '../../support/fixtures.js';
import { type RawAnswer, type RawRequest, sendRaw } from '../../support/fuzz/raw-request.js';
import { anyRequest, type OpenApi } from '../../support/fuzz/requests.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Broken or unusual HTTP', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => {
    sku = (await test.fixtures.product()).sku;
  });

  /** Returns all that the server sends until it closes the connection. */
  const say = (...lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      const { port, hostname } = new URL(test.url);
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')));
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      socket.on('close', () => resolve(answer)).on('error', reject);
    });

  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('{'))) as Record<string, unknown>;

  const order = () => JSON.stringify(orderBody([{ sku, quantity: 1 }]));

  const headersOf = ({ headers }: Store) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

  /** The head of an order, with the length of its body unless the test says how it is sent. */
  const ordering = (...more: string[]) => [
    'POST /api/orders HTTP/1.1',
    'Host: a',
    ...headersOf(store),
    'Content-Type: application/json',
    ...(more.length > 0 ? more : [`Content-Length: ${Buffer.byteLength(order())}`]),
  ];
  const LAST = ['Connection: close', '', ''];

  it('gets 400 in the one error body, with a request id', async () => {
    const answer = await say('nonsense', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^X-Request-Id: /m);
    expect(bodyOf(answer)).toMatchObject({ success: false, code: 'malformed_request' });
  });

  it('after an order does not lose the answer to the order', async () => {
    const answer = await say(...ordering(), '', `${order()}GARBAGE`, '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toMatch(/^Connection: close/m);
    expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
    const number = /"order_number":"([^"]+)"/.exec(answer)![1];
    await test.get(store, `/api/orders/${number}/status`).expect(200);
  });

  it('after two requests ends the connection after the first answer', async () => {
    const [first, second] = ['FIRST', 'SECOND'].map((id) =>
      JSON.stringify(orderBody([{ sku, quantity: 1 }], { store_order_id: id })),
    ) as [string, string];
    const post = (body: string) =>
      [...ordering(`Content-Length: ${Buffer.byteLength(body)}`), '', body].join('\r\n');
    const answer = await say(`${post(first)}${post(second)}GARBAGE`, '', '');
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201']);
    const { rows } = await test.pool.query(
      `SELECT store_order_id FROM store_order_ids WHERE store_order_id IN ('FIRST', 'SECOND')`,
    );
    expect(rows).toEqual([{ store_order_id: 'FIRST' }]);
  });

  it.each([
    ['after a chunk', ['3', '{"a', 'no length', '']],
    ['instead of the first length', ['no length', '']],
    ['as a negative length', ['-1', '']],
  ])('in the body of an order %s gets 400', async (_, body) => {
    const answer = await say(...ordering('Transfer-Encoding: chunked'), '', ...body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
  });

  it('with a letter in the address that is not percent-encoded gets 400, and is told so', async () => {
    const answer = await say('GET /api/products?search=é HTTP/1.1', 'Host: a', ...LAST);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
    expect(answer).toContain('must be percent-encoded');
  });

  it('without a Host gets 400', async () => {
    const answer = await say('GET /api/products HTTP/1.1', 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({
      code: 'malformed_request',
      request_id: expect.any(String) as string,
    });
  });

  it.each([
    ['two different values', ['Host: a', 'Host: b']],
    ['the same value twice', ['Host: a', 'host: a']],
    ['an invalid name', ['Host: a/b']],
    ['two names in one value', ['Host: a b']],
  ])('with %s as Host gets 400', async (_, hosts) => {
    const answer = await say('GET /health/live HTTP/1.1', ...hosts, 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
  });

  it('with two tokens gets 401', async () => {
    const second = 'Authorization: Bearer another';
    const answer = await say('GET /api/account HTTP/1.1', 'Host: a', ...headersOf(store), second, ...LAST);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(['localhost', 'shop.example.com:3000', '127.0.0.1:80', '[::1]:3000', 'a_b-c.example', ''])(
    'does not include the Host %j',
    async (host) => {
      const answer = await say('GET /health/live HTTP/1.1', `Host: ${host}`, 'Connection: close', '', '');
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('with headers of 70 KB gets 431, which tells the limit', async () => {
    const filler = `X-Filler: ${'x'.repeat(70_000)}`;
    const answer = await say('GET /api/products HTTP/1.1', 'Host: a', filler, '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    const message = 'The address and the headers may have at most 64 KB together.';
    expect(bodyOf(answer)).toMatchObject({ code: 'headers_too_large', message });
  });

  it('with an unknown expectation gets 417', async () => {
    const answer = await say('GET /api/products HTTP/1.1', 'Host: a', 'Expect: miracles', ...LAST);
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'expectation_failed' });
  });

  it('with Expect: 100-continue and no token gets 401 without 100 Continue', async () => {
    const head = ['Host: a', 'Expect: 100-continue', 'Content-Length: 500'];
    const answer = await say('POST /api/orders HTTP/1.1', ...head, '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).not.toContain('100 Continue');
  });

  it('with Expect: 100-continue and a token can place an order', async () => {
    const answer = await say(...ordering(), 'Expect: 100-continue', 'Connection: close', '', order());
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(answer).toContain('HTTP/1.1 201 ');
  });

  it('with Expect: 100-continue can send another request on the same connection', async () => {
    const next = [`${order()}GET /api/account HTTP/1.1`, 'Host: a', ...headersOf(store), ...LAST];
    const answer = await say(...ordering(), 'Expect: 100-continue', '', ...next);
    expect(answer.match(/HTTP\/1\.1 \d+ /g)).toEqual(['HTTP/1.1 100 ', 'HTTP/1.1 201 ', 'HTTP/1.1 200 ']);
  });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf8"',
    'application/json; odata=verbose',
  ])('with the content type %s is JSON', async (type) => {
    await test.post(store, '/api/orders').set('Content-Type', type).send(order()).expect(201);
  });

  afterAll(endEverything);
});

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

  afterAll(endEverything);
});

interface Schema {
  $ref?: string;
  type?: string | string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

const CONTROLS = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)];
const TURNING = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const LINE_BREAKS_AND_TABS = ['\t', '\n', '\r'];

describe('A text in an order', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  /** Paths as in error answers: `customer.name`, `items[0].variation`. */
  let texts: string[];

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
    const { body } = await request(test.url).get('/docs/openapi.json');
    const { schemas } = (body as { components: { schemas: Record<string, Schema> } }).components;
    texts = textsOf({ $ref: 'CreateOrder' }, schemas);
  });

  /** Returns every text field in the OpenAPI document, so that none is forgotten. */
  function textsOf(schema: Schema, schemas: Record<string, Schema>, path = ''): string[] {
    const suggested = schema.$ref
      ? { $ref: schema.$ref }
      : (schema.allOf?.[0] ?? schema.anyOf?.[0] ?? schema);
    if (suggested.$ref) return textsOf(schemas[suggested.$ref.split('/').at(-1)!]!, schemas, path);
    if ([suggested.type].flat().includes('string')) return [path];
    if (suggested.items) return textsOf(suggested.items, schemas, `${path}[0]`);
    const prefix = path === '' ? '' : `${path}.`;
    return Object.entries(suggested.properties ?? {}).flatMap(([name, child]) =>
      textsOf(child, schemas, prefix + name),
    );
  }

  /** Returns an order with this text in every field. */
  function orderOf(of: (path: string) => string): object {
    const order: Record<string, unknown> = { ...orderBody([{ sku, quantity: 1 }]) };
    for (const path of texts) {
      const keys = path.split(/[.[\]]+/).filter(Boolean);
      const holder = keys
        .slice(0, -1)
        .reduce<Record<string, unknown>>((object, key) => object[key] as Record<string, unknown>, order);
      holder[keys.at(-1)!] = of(path);
    }
    return order;
  }

  const refusals = async (order: object) => {
    const { body } = await test.post(store, '/api/orders', order).expect(422);
    return Object.fromEntries(
      (body.errors as { field: string; code: string }[]).map(({ field, code }) => [field, code]),
    );
  };

  const written = async () =>
    (await test.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM orders')).rows[0]!.count;

  it('is refused with a control character or one that changes the direction of text', async () => {
    expect(texts).toEqual(
      expect.arrayContaining(['customer.name', 'items[0].sku', 'notes', 'store_order_id']),
    );
    const characters = [...CONTROLS, ...TURNING];
    let count = 0;
    for (const character of characters) {
      const lines = LINE_BREAKS_AND_TABS.includes(character);
      const refused = texts.filter((path) => !lines || path !== 'notes');
      count += refused.length;
      expect([character, await refusals(orderOf((path) => `${path}${character}.`))]).toEqual([
        character,
        Object.fromEntries(refused.map((path) => [path, 'invalid_text'])),
      ]);
    }
    expect(await written()).toBe(0);
    printFigures('texts of an order', {
      fields: texts.length,
      characters: characters.length,
      refused: count,
    });
  });

  it.each([
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
  ])('has one line and is refused with %s', async (_, separator) => {
    expect(Object.keys(await refusals(orderOf((path) => `${path}${separator}.`))).toSorted()).toEqual(
      texts.filter((path) => path !== 'notes').toSorted(),
    );
  });

  it('may have several lines as notes, with letters of any script', async () => {
    const notes = 'Ring twice.\r\n\tThen:\n– wait ‏(شكرا)‏\r– नमस्ते, क्\u200dष 👩\u200d👧';
    const customer = { name: 'O\u2019Brien ‏محمد', phone: '+91 98765 43210' };
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], { notes, customer })).expect(201);
    const { rows } = await test.pool.query('SELECT notes, customer_name FROM orders');
    expect(rows).toEqual([{ notes, customer_name: customer.name }]);
  });

  it.each(['search', 'category'])('is checked in the query `%s` too', async (name) => {
    const { body } = await test.get(store, `/api/products?${name}=a%1Bb`).expect(422);
    expect(body.errors).toMatchObject([{ field: name, code: 'invalid_text' }]);
  });

  afterAll(endEverything);
});

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_500);

const COLOURS = { name: 'Color', values: ['Red', 'Blue'] };

/** A hash of the data that no request of a store may change. */
const UNTOUCHABLE = `
  SELECT md5(string_agg(md5, '' ORDER BY md5)) AS md5 FROM (
    SELECT md5(p::text) FROM products p UNION ALL SELECT md5(p::text) FROM plans p
    UNION ALL SELECT md5(c::text) FROM clients c UNION ALL SELECT md5(t::text) FROM tokens t
    UNION ALL SELECT md5(s::text) FROM subscriptions s
    UNION ALL SELECT md5((product_id, variation_key, on_hand)::text) FROM stock_items) AS rows`;

describe('Random requests', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let document: OpenApi;
  let known: Record<string, string[]>;

  beforeAll(async () => {
    const plain = await test.fixtures.product({ stock: 100_000 });
    const coloured = await test.fixtures.product({ stock: 100_000, variations: [COLOURS] });
    document = (await request(test.url).get('/docs/openapi.json')).body as OpenApi;
    known = {
      sku: [plain.sku, coloured.sku, 'NO-SUCH-SKU'],
      variation: ['Red', 'Color:Blue', 'green'],
      pincode: ['560038', '560001', '110001', '56003'],
      email: ['ravi@example.com', 'a@b.in', 'ravi'],
      order_number: ['FUZZ-1', 'FUZZ-2', 'WO-20260131-7K3QZ-9M2XA'],
      store_order_id: Array.from({ length: 500 }, (_, n) => `FUZZ-${n}`),
    };
  });

  /** Some orders are valid, so that a later request has something to damage. */
  const requests = () =>
    fc.oneof(
      { weight: 30, arbitrary: anyRequest(document, store, known) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map(faultlessOrder) },
    );

  const faultlessOrder = (quantity: number): RawRequest => ({
    method: 'POST',
    path: '/api/orders',
    headers: { ...store.headers, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(orderBody([{ sku: known.sku![0]!, quantity }]))),
  });

  const untouchable = async () => (await test.pool.query<{ md5: string }>(UNTOUCHABLE)).rows[0]!.md5;

  /** Expects a success, or the one error body with a code that belongs to the status. */
  function expectProperAnswer({ status, headers, text }: RawAnswer, { method }: RawRequest): void {
    expect(status).toBeLessThan(500);
    expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
    if (status < 400 || method === 'HEAD') return;
    const body = JSON.parse(text) as {
      success: boolean;
      code: StoreErrorCode;
      message: string;
      request_id: string;
    };
    expect(body).toMatchObject({
      success: false,
      message: expect.any(String),
      doc_url: docUrlOf(body.code),
      request_id: headers['x-request-id'],
    });
    expect(ERROR_CODES[body.code]?.[0]).toBe(status);
  }

  it('get no 5xx and the one error form, and change nothing when they are refused', async () => {
    const before = await untouchable();
    const statuses = new Map<number, number>();
    let created = 0;
    await fc.assert(
      fc.asyncProperty(requests(), async (fuzzed) => {
        const answer = await sendRaw(test.url, fuzzed);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 201) created++;
        expectProperAnswer(answer, fuzzed);
      }),
      { numRuns: RUNS },
    );
    const { rows } = await test.pool.query<{ orders: number }>('SELECT count(*)::int AS orders FROM orders');
    expect(rows[0]!.orders).toBe(created);
    expect(created).toBeGreaterThan(0);
    expect(await contradictions(test.pool)).toEqual([]);
    expect(await untouchable()).toBe(before);
    const byStatus = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, times]) => `${status}×${times}`);
    printFigures('fuzz', { requests: RUNS, answers: byStatus.join(' ') });
  });
});
