import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import request from 'supertest';
import { docUrlOf, ERROR_CODES, type StoreErrorCode } from '../../../src/platform/errors/error-codes.js';
import { contradictions } from '../../support/books.js';
import { type RawAnswer, type RawRequest, sendRaw } from '../../support/fuzz/raw-request.js';
import { anyRequest, type OpenApi } from '../../support/fuzz/requests.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { RawConnection } from '../../support/raw-connection.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Broken or unusual HTTP', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  const sku = 'MUG';
  beforeAll(() => test.fixtures.product({ sku, stock: 20 }));

  /** Returns all that the server sends until it closes the connection. */
  const say = async (...lines: string[]) => {
    const connection = await RawConnection.open(test.url, lines.join('\r\n'));
    await connection.closed;
    return connection.received;
  };

  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('{'))) as Record<string, unknown>;

  const order = () => JSON.stringify(orderBody([{ sku, quantity: 1 }]));

  const access = () => Object.entries(store.headers).map(([name, value]) => `${name}: ${value}`);

  /** The head of an order, with the length of its body unless the test says how it is sent. */
  const ordering = (...more: string[]) => [
    'POST /api/orders HTTP/1.1',
    'Host: a',
    ...access(),
    'Content-Type: application/json',
    ...(more.length > 0 ? more : [`Content-Length: ${Buffer.byteLength(order())}`]),
  ];
  const HOST = 'Host: a';
  const LAST = ['Connection: close', '', ''];

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
    await test.get(store, '/api/orders/FIRST/status').expect(200);
    await test.get(store, '/api/orders/SECOND/status').expect(404);
  });

  const GET = 'GET /api/products HTTP/1.1';
  const CHUNKED = 'Transfer-Encoding: chunked';
  /** What is wrong, status and code: the lines that are sent. */
  const refused: Record<string, () => string[]> = {
    'no HTTP at all: 400 malformed_request': () => ['nonsense', '', ''],
    'no Host: 400 malformed_request': () => [GET, ...LAST],
    'two Hosts: 400 malformed_request': () => [GET, 'Host: a', 'Host: b', ...LAST],
    'the same Host twice: 400 malformed_request': () => [GET, 'Host: a', 'host: a', ...LAST],
    'an invalid Host: 400 malformed_request': () => [GET, 'Host: a/b', ...LAST],
    'two names in one Host: 400 malformed_request': () => [GET, 'Host: a b', ...LAST],
    'an é in the address, "must be percent-encoded": 400 malformed_request': () => [
      'GET /é HTTP/1.1',
      HOST,
      ...LAST,
    ],
    'garbage after a chunk: 400 malformed_request': () => [...ordering(CHUNKED), '', '3', '{"a', 'none', ''],
    'garbage as the first length: 400 malformed_request': () => [...ordering(CHUNKED), '', 'none', ''],
    'a negative length: 400 malformed_request': () => [...ordering(CHUNKED), '', '-1', ''],
    'two tokens: 401 token_invalid': () => [GET, HOST, ...access(), 'Authorization: Bearer b', ...LAST],
    'headers of 70 KB, "at most 64 KB together": 431 headers_too_large': () => [
      GET,
      HOST,
      `X-Filler: ${'x'.repeat(70_000)}`,
      '',
      '',
    ],
    'an unknown expectation: 417 expectation_failed': () => [GET, HOST, 'Expect: miracles', ...LAST],
    'an expectation without a token: 401 token_missing': () => [
      'POST /api/orders HTTP/1.1',
      HOST,
      'Expect: 100-continue',
      'Content-Length: 500',
      '',
      '',
    ],
  };

  it.each(Object.keys(refused))('with %s', async (what) => {
    const answer = await say(...refused[what]!());
    const [, status, code] = /: (\d+) (\w+)$/.exec(what)!;
    expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(/^X-Request-Id: /m);
    expect(bodyOf(answer)).toMatchObject({ success: false, code, request_id: expect.any(String) as string });
    expect(answer).toContain(/"(.*)"/.exec(what)?.[1] ?? '');
  });

  it.each(['localhost', 'shop.example.com:3000', '127.0.0.1:80', '[::1]:3000', 'a_b-c.example', ''])(
    'does not include the Host %j',
    async (host) => {
      const answer = await say('GET /health/live HTTP/1.1', `Host: ${host}`, ...LAST);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('with Expect: 100-continue and a token can place an order', async () => {
    const answer = await say(...ordering(), 'Expect: 100-continue', 'Connection: close', '', order());
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(answer).toContain('HTTP/1.1 201 ');
  });

  it('with Expect: 100-continue can send another request on the same connection', async () => {
    const next = [`${order()}GET /api/account HTTP/1.1`, 'Host: a', ...access(), ...LAST];
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

  const store = makeBeforeAll(() => test.fixtures.store());

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

  it('is refused with a control character or one that changes the direction of text', async () => {
    expect(texts).toEqual(
      expect.arrayContaining(['customer.name', 'items[0].sku', 'notes', 'store_order_id']),
    );
    const characters = [...CONTROLS, ...TURNING];
    for (const character of characters) {
      const lines = LINE_BREAKS_AND_TABS.includes(character);
      const refused = texts.filter((path) => !lines || path !== 'notes');
      expect([character, await refusals(orderOf((path) => `${path}${character}.`))]).toEqual([
        character,
        Object.fromEntries(refused.map((path) => [path, 'invalid_text'])),
      ]);
    }
    expect((await test.pool.query('SELECT FROM orders')).rowCount).toBe(0);
    printFigures('texts of an order', { fields: texts.length, characters: characters.length });
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
    expect((await test.pool.query('SELECT FROM orders')).rowCount).toBe(created);
    expect(created).toBeGreaterThan(0);
    expect(await contradictions(test.pool)).toEqual([]);
    expect(await untouchable()).toBe(before);
    const byStatus = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, times]) => `${status}×${times}`);
    printFigures('fuzz', { requests: RUNS, answers: byStatus.join(' ') });
  });
});
