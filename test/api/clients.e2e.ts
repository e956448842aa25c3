import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { StubServer } from '../support/stub-server.js';
import { canRun, fileAt, type Kind, run } from './clients/programs.js';

interface Outcome {
  results: { result?: unknown; error?: { status: number; body: { code: string }; message: string } }[];
  /** The seconds of each pause. */
  pauses: number[];
}

type Answer = (response: ServerResponse) => unknown;

const ORDER = { store_order_id: 'WEB-1', items: [{ sku: 'MUG', quantity: 1 }] };

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));

const fails = (status: number, code: string, headers: Record<string, string> = {}, facts = {}): Answer =>
  json(status, { success: false, code, message: 'Says why.', ...facts }, headers);

const CREATED = { order_number: 'WO-1', status: 'awaiting_payment', total: 10 };

/** Cut off before the first byte, and after some of them. */
const away: Answer = (response) => response.destroy();
const cutOff: Answer = (response) =>
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 })
    .write('{"order_', () => {
      response.destroy();
    });

/** The headers come, then nothing; and nothing at all. Both exceed every time limit. */
const stuck: Answer = (response) =>
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 }).write('{"order_');
const silent: Answer = () => undefined;

/** A client in one file against a service with every kind of trouble. */
describe.each<Kind>(['mjs', 'php', 'py'])('The client wholesale.%s', (kind) => {
  let service: StubServer;
  beforeAll(async () => void (service = await StubServer.start()));

  /** Gives these answers one after the other, the last one again and again. */
  const drive = async (answers: Answer[], calls: unknown[][], options: object = {}): Promise<Outcome> => {
    let next = 0;
    service.received.length = 0;
    service.answer = (response) => answers[Math.min(next++, answers.length - 1)]!(response);
    const job = {
      url: `${service.url}/`,
      token: 'wha_1\n',
      domain: 'a.example.com',
      timeout: 10,
      attempts: 6,
      headers: {},
    };
    const args = [fileAt(`examples/wholesale.${kind}`), JSON.stringify({ ...job, ...options, calls })];
    const { stdout, stderr } = await run(fileAt(`test/api/clients/drive.${kind}`), args, {});
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Outcome;
  };

  const sent = () => service.received.map(({ method, path }) => `${method} ${path}`);

  if (!canRun(kind)) {
    it.skip(`is not tried: its program is not on this machine`, () => undefined);
    return;
  }

  it.each([
    ['is away', away],
    ['breaks off its answer', cutOff],
    ['answers 503', fails(503, 'unavailable')],
    ['answers 429', fails(429, 'rate_limited')],
    ['answers 408', fails(408, 'request_timeout')],
    [
      'is behind a proxy that answers with a page',
      (response: ServerResponse) => response.writeHead(502).end('<p>'),
    ],
  ])('places an order in spite of a service that %s', async (_, trouble) => {
    const { results, pauses } = await drive([trouble, trouble, json(201, CREATED)], [['place', ORDER]]);
    expect(results).toEqual([{ result: CREATED }]);
    expect(sent()).toEqual(Array.from({ length: 3 }, () => 'POST /api/orders'));
    expect(new Set(service.received.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(service.received[0]!.body)).toEqual(ORDER);
    expect(service.received[0]!.headers).toMatchObject({
      authorization: 'Bearer wha_1',
      'x-client-domain': 'a.example.com',
      'content-type': 'application/json',
    });
    expect(pauses).toEqual([expect.closeTo(1.125, 0), expect.closeTo(2.25, 0)]);
  });

  it.each([
    ['silent', silent],
    ['stuck in its answer', stuck],
  ])('gives up waiting for a service that is %s, and asks again', async (_, trouble) => {
    const { results } = await drive([trouble, json(201, CREATED)], [['place', ORDER]], { timeout: 1 });
    expect(results).toEqual([{ result: CREATED }]);
    expect(sent()).toHaveLength(2);
  });

  it('ends an answer that never ends', async () => {
    const drips: Answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    };
    const { results } = await drive([drips], [['quote', ORDER]], { timeout: 1, attempts: 2 });
    expect(results).toMatchObject([{ error: { status: 0, body: { code: 'no_answer' } } }]);
  });

  it('waits as long as the service asks, but at most a minute, and not all stores equally long', async () => {
    const refuses = (seconds: number) => fails(429, 'rate_limited', { 'Retry-After': String(seconds) });
    const answers = [
      refuses(8),
      refuses(8),
      refuses(3_600),
      fails(503, 'unavailable', { 'Retry-After': 'soon' }),
    ];
    const { pauses } = await drive([...answers, json(201, CREATED)], [['place', ORDER]]);
    const bounds = [8, 8, 60, 8].map((minPause) => [minPause, minPause * 1.25]);
    for (const [at, [minPause, limit]] of bounds.entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(minPause!);
      expect(pauses[at]).toBeLessThanOrEqual(limit!);
    }
    expect(pauses[0]).not.toBe(pauses[1]);
  });

  it('tells the error after the last attempt', async () => {
    const { results, pauses } = await drive([fails(503, 'unavailable')], [['quote', ORDER]], { attempts: 3 });
    expect(results).toMatchObject([{ error: { status: 503, message: '503 unavailable: Says why.' } }]);
    expect([sent().length, pauses.length]).toEqual([3, 2]);
    await drive([away], [['quote', ORDER]], { attempts: 2 });
    expect(sent()).toHaveLength(2);
  });

  it('takes a 409 for its own order as a success unless that is cancelled, and no other', async () => {
    const known = (same_content: boolean, status = 'pending') =>
      fails(409, 'duplicate_order', {}, { ...CREATED, status, same_content });
    const late = await drive([silent, known(true)], [['place', ORDER]], { timeout: 1 });
    expect(late.results).toMatchObject([{ result: { order_number: 'WO-1', total: 10 } }]);
    for (const refusal of [known(false), known(true, 'cancelled'), fails(409, 'price_changed')]) {
      const { results } = await drive([refusal], [['place', ORDER]]);
      expect(results).toMatchObject([{ error: { status: 409 } }]);
      expect(sent()).toHaveLength(1);
    }
  });

  it.each([
    [422, fails(422, 'validation_failed', {}, { errors: [{ field: 'items', code: 'missing' }] })],
    [401, fails(401, 'token_invalid')],
    [404, (response: ServerResponse) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>')],
    [302, (response: ServerResponse) => response.writeHead(302, { Location: '/elsewhere' }).end()],
  ])('does not repeat or follow a %i', async (status, answer) => {
    const { results } = await drive([answer], [['place', ORDER]]);
    expect(results).toMatchObject([{ error: { status } }]);
    expect(sent()).toEqual(['POST /api/orders']);
  });

  it('does not take a page for an answer', async () => {
    const page: Answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>');
    const { results } = await drive([page], [['quote', ORDER]], { attempts: 2 });
    expect(results).toMatchObject([{ error: { status: 0 } }]);
  });

  it('sends headers of the store with each request', async () => {
    const headers = { 'X-Test-Failure': 'unavailable' };
    await drive(
      [json(201, CREATED)],
      [
        ['quote', ORDER],
        ['place', ORDER],
      ],
      { headers },
    );
    for (const received of service.received)
      expect(received.headers).toMatchObject({
        'x-test-failure': 'unavailable',
        authorization: 'Bearer wha_1',
      });
    expect(sent()).toHaveLength(2);
  });

  // Texts of the other languages are no bytes.
  if (kind === 'php')
    it('sends no text that is not UTF-8', async () => {
      const order = { ...ORDER, customer: { name: 'Zoë' } };
      const { results, pauses } = await drive([json(201, CREATED)], [['place', order]], { isLatin1: true });
      expect(results).toEqual([
        { error: { status: null, body: null, message: expect.stringContaining('UTF-8') } },
      ]);
      expect([sent(), pauses]).toEqual([[], []]);
      await drive([json(201, CREATED)], [['place', order]]);
      expect(JSON.parse(service.received[0]!.body)).toEqual(order);
    });

  it('sends no order without an id of the store', async () => {
    const { results } = await drive([json(201, CREATED)], [['place', { items: [] }]]);
    expect(results).toMatchObject([{ error: { status: null } }]);
    expect(sent()).toEqual([]);
  });

  it('reads all again when its point of changes is gone', async () => {
    const gone = fails(410, 'sync_token_expired');
    const whole = json(200, { data: [{ sku: 'MUG' }], sync_token: 'S2' });
    const changed = json(200, { data: [], removed: ['BOWL'], sync_token: 'S3' });
    const { results } = await drive(
      [whole, gone, whole, changed],
      [['stock'], ['catalog', 'S 1'], ['stock', 'S2']],
    );
    expect(results.map(({ result }) => result)).toEqual([
      { products: [{ sku: 'MUG' }], removed: [], complete: true, since: 'S2' },
      { products: [{ sku: 'MUG' }], removed: [], complete: true, since: 'S2' },
      { products: [], removed: ['BOWL'], complete: false, since: 'S3' },
    ]);
    expect(sent().map((path) => path.replace('+', '%20').replace(/[?&]$/, ''))).toEqual([
      'GET /api/stock',
      'GET /api/products?expand=variations,delivery_charge,details&since=S%201',
      'GET /api/products?expand=variations,delivery_charge,details',
      'GET /api/stock?since=S2',
    ]);
  });

  it('reads every page of the documents of a day', async () => {
    const page = (number: string, more: object) =>
      json(200, { success: true, data: [{ number }], has_more: false, ...more });
    const pages = [page('INV-1', { has_more: true, next_cursor: 'a_b' }), page('CN-1', {})];
    const method = kind === 'py' ? 'documents_by_day' : 'documentsByDay';
    const { results } = await drive(pages, [[method, '2026-11-30']]);
    expect(results).toEqual([{ result: [{ number: 'INV-1' }, { number: 'CN-1' }] }]);
    const query = '/api/documents?issued_from=2026-11-30&issued_to=2026-11-30&limit=100';
    expect(sent()).toEqual([`GET ${query}`, `GET ${query}&cursor=a_b`]);
  });

  it('reads every page of the changed orders, and the open orders when its point is gone', async () => {
    const page = (order_number: string, sync_token: string, has_more: boolean) =>
      json(200, { data: [{ order_number }], sync_token, has_more });
    const statuses = json(200, { data: [{ order_number: 'C' }], unknown: ['D/1'] });
    const start = json(200, { data: [], sync_token: 'S9' });
    const { results } = await drive(
      [
        page('A', 'S2', true),
        page('B', 'S3', false),
        fails(410, 'sync_token_expired'),
        start,
        statuses,
        start,
      ],
      [['changes', 'S1'], ['changes', 'S3', ['C', 'D/1']], ['changes']],
    );
    expect(results.map(({ result }) => result)).toEqual([
      { orders: [{ order_number: 'A' }, { order_number: 'B' }], unknown: [], since: 'S3' },
      { orders: [{ order_number: 'C' }], unknown: ['D/1'], since: 'S9' },
      { orders: [], unknown: [], since: 'S9' },
    ]);
    expect(sent()).toEqual([
      'GET /api/orders?since=S1',
      'GET /api/orders?since=S2',
      'GET /api/orders?since=S3',
      'GET /api/orders?limit=1',
      'GET /api/orders/status?orders=C&orders=D%2F1',
      'GET /api/orders?limit=1',
    ]);
  });
});

it('has a type for each method of wholesale.mjs', async () => {
  const { Wholesale } = (await import(fileAt('examples/wholesale.mjs'))) as {
    Wholesale: { prototype: object };
  };
  const [, typed = ''] = readFileSync(fileAt('examples/wholesale.d.mts'), 'utf8').split(
    'export class Wholesale {',
  );
  const names = [...typed.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.getOwnPropertyNames(Wholesale.prototype));
});
