import { connect } from 'node:net';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
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

  it('in the body of an order gets 400', async () => {
    const answer = await say(...ordering('Transfer-Encoding: chunked'), '', '3', '{"a', 'no length', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
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

  it('with headers of 20 KB gets 431', async () => {
    const filler = `X-Filler: ${'x'.repeat(20_000)}`;
    const answer = await say('GET /api/products HTTP/1.1', 'Host: a', filler, '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'headers_too_large' });
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
});
