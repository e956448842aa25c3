import { connect } from 'node:net';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('What is hardly HTTP', () => {
  let test: TestApp;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    test = await startTestApp();
    store = await test.fixtures.store();
    sku = (await test.fixtures.product()).sku;
  });
  afterAll(() => test.close());

  /** Everything the server says until it closes the connection. */
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

  it('is answered with 400 in the one error body, with a request id', async () => {
    const answer = await say('nonsense', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^X-Request-Id: /m);
    expect(bodyOf(answer)).toMatchObject({ success: false, code: 'malformed_request' });
  });

  it('comes behind an order, whose answer leaves all the same, as the last one', async () => {
    const answer = await say(
      'POST /api/orders HTTP/1.1',
      'Host: a',
      ...headersOf(store),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(order())}`,
      '',
      `${order()}GARBAGE`,
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toMatch(/^Connection: close/m);
    expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
    const number = /"order_number":"([^"]+)"/.exec(answer)![1];
    await test.get(store, `/api/orders/${number}/status`).expect(200);
  });

  it('comes behind two requests, of which the second is not begun any more', async () => {
    const [first, second] = ['FIRST', 'SECOND'].map((id) =>
      JSON.stringify(orderBody([{ sku, quantity: 1 }], { store_order_id: id })),
    ) as [string, string];
    const post = (body: string) =>
      [
        'POST /api/orders HTTP/1.1',
        'Host: a',
        ...headersOf(store),
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n');
    const answer = await say(`${post(first)}${post(second)}GARBAGE`, '', '');
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201']);
    const { rows } = await test.pool.query(
      `SELECT store_order_id FROM store_order_ids WHERE store_order_id IN ('FIRST', 'SECOND')`,
    );
    expect(rows).toEqual([{ store_order_id: 'FIRST' }]);
  });

  it('is the body of an order, of which nothing was done yet', async () => {
    const answer = await say(
      'POST /api/orders HTTP/1.1',
      'Host: a',
      ...headersOf(store),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '3',
      '{"a',
      'no length',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
  });

  it('names no Host and is answered likewise', async () => {
    const answer = await say('GET /api/products HTTP/1.1', 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({
      code: 'malformed_request',
      request_id: expect.any(String) as string,
    });
  });

  it.each([
    ['two of them', ['Host: a', 'Host: b']],
    ['the same one twice', ['Host: a', 'host: a']],
    ['what is none', ['Host: a/b']],
    ['one in front of another', ['Host: a b']],
  ])('names as its Host %s, and is answered likewise', async (_, hosts) => {
    const answer = await say('GET /health/live HTTP/1.1', ...hosts, 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'malformed_request' });
  });

  it('brings two tokens, of which none is looked at', async () => {
    const answer = await say(
      'GET /api/account HTTP/1.1',
      'Host: a',
      ...headersOf(store),
      'Authorization: Bearer another',
      'Connection: close',
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(['localhost', 'shop.example.com:3000', '127.0.0.1:80', '[::1]:3000', 'a_b-c.example', ''])(
    'is none of it with the Host %j',
    async (host) => {
      const answer = await say('GET /health/live HTTP/1.1', `Host: ${host}`, 'Connection: close', '', '');
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('has headers of 20 KB and is answered with 431', async () => {
    const answer = await say(
      'GET /api/products HTTP/1.1',
      'Host: a',
      `X-Filler: ${'x'.repeat(20_000)}`,
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'headers_too_large' });
  });

  it('expects what nobody knows and is answered with 417', async () => {
    const answer = await say(
      'GET /api/products HTTP/1.1',
      'Host: a',
      'Expect: miracles',
      'Connection: close',
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'expectation_failed' });
  });

  it('asks before it sends a body, and without a token is not asked for it', async () => {
    const answer = await say(
      'POST /api/orders HTTP/1.1',
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 500',
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).not.toContain('100 Continue');
  });

  it('asks before it sends a body, and with a token gets its order', async () => {
    const head = [
      'POST /api/orders HTTP/1.1',
      'Host: a',
      ...headersOf(store),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(order())}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    const answer = await say(...head, '', order());
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(answer).toContain('HTTP/1.1 201 ');
  });

  it('asks before it sends a body, and may then ask for something else on the same connection', async () => {
    const answer = await say(
      'POST /api/orders HTTP/1.1',
      'Host: a',
      ...headersOf(store),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(order())}`,
      'Expect: 100-continue',
      '',
      `${order()}GET /api/account HTTP/1.1`,
      'Host: a',
      ...headersOf(store),
      'Connection: close',
      '',
      '',
    );
    expect(answer.match(/HTTP\/1\.1 \d+ /g)).toEqual(['HTTP/1.1 100 ', 'HTTP/1.1 201 ', 'HTTP/1.1 200 ']);
  });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf8"',
    'application/json; odata=verbose',
  ])('sends its order as %s, which is JSON', async (type) => {
    await test.post(store, '/api/orders').set('Content-Type', type).send(order()).expect(201);
  });
});
