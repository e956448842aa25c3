import fc from 'fast-check';
import { createHmac, randomUUID } from 'node:crypto';
import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import type { Payment } from '../../../src/modules/orders/entities/payment.entity.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { AnonymousLimit } from '../../../src/platform/limits/concurrency-limit.js';
import { Buyer } from '../../support/buyer.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { type RawRequest, sendRaw } from '../../support/fuzz/raw-request.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { RawConnection } from '../../support/raw-connection.js';
import { StubRazorpay } from '../../support/stub-razorpay.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';
import { countWaitingFor, lockTable } from '../../support/while-locked.js';

/** The number of unauthenticated requests that run at a time, and of those that wait in line. */
const PLACES = 4;
const LINE = 256;

const FORM = 'application/x-www-form-urlencoded';

describe('Unauthenticated requests to the gateway paths', () => {
  const test = setUpTestApp({ databasePoolSize: PLACES + 1 });
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    // These jobs read payments too, and would take that connection.
    for (const job of [ReconcilerService, AutoPayJobService])
      await test.app.get(job, { strict: false }).beforeApplicationShutdown();
    // On a busy machine requests wait longer for a slot than the two seconds of real ones.
    test.app.get(AnonymousLimit, { strict: false })['limits'].maxWaitMs = 60_000;
    store = await test.fixtures.store();
    sku = (await test.fixtures.product()).sku;
  });

  /** Blocks all reads of the table until the returned function is called. */
  const blockReads = (table: 'payments' | 'sandbox') => lockTable(test.pool, table);

  const askingDatabase = () => countWaitingFor(test.pool, 'payments', 'sandbox');

  async function untilAsking(count: number): Promise<void> {
    while ((await askingDatabase()) < count);
  }

  const ask = (path: string, method = 'GET') => fetch(`${test.url}${path}`, { method, redirect: 'manual' });
  const askForAny = () => ask(`/payments/${randomUUID()}`);

  const quote = () => test.post(store, '/api/orders/quote', orderBody([{ sku, quantity: 1 }]));

  it.each([
    ['payments', 'GET', '/payments/ID'],
    ['payments', 'GET', '/payments/ID/return'],
    ['payments', 'POST', '/payments/ID/return'],
    ['sandbox', 'GET', '/sandbox-gateway/payments/ID'],
    ['sandbox', 'POST', '/sandbox-gateway/payments/ID/arrive'],
  ] as const)('leave connections to the database for clients: %s, %s %s', async (table, method, path) => {
    const id = table === 'payments' ? randomUUID() : 'pay_00000000000000';
    const unblock = await blockReads(table);
    const requested = Array.from({ length: PLACES + 4 }, () => ask(path.replace('ID', id), method));
    await untilAsking(PLACES);
    await quote().expect(200);
    expect(await askingDatabase()).toBe(PLACES);
    await unblock();
    for (const { status } of await Promise.all(requested)) expect([400, 404]).toContain(status);
  });

  it('wait in line, and get 429 with Retry-After when the line is full', async () => {
    const unblock = await blockReads('payments');
    const requested = Array.from({ length: PLACES + LINE + 2 }, askForAny);
    const full = await Promise.race(requested);
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await full.text()).toContain('Try again in a moment');
    const sandbox = await ask(`/sandbox-gateway/payments/${randomUUID()}`);
    expect([sandbox.status, sandbox.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await ask('/health/ready')).status).toBe(200);
    // An event needs no place in the line, so an invalid signature is refused at once.
    const event = await fetch(`${test.url}/payments/webhook`, {
      method: 'POST',
      headers: { 'X-Razorpay-Signature': '0'.repeat(64) },
      body: '{}',
    });
    expect(await event.json()).toMatchObject({ code: 'signature_invalid' });
    await unblock();
    const statuses = (await Promise.all(requested)).map(({ status }) => status);
    // On a slow machine some have waited for two seconds by now, and get a 503.
    expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(2);
    for (const status of statuses) expect([404, 429, 503]).toContain(status);
  });

  it.each(['', 'X-Razorpay-Signature: signed\r\n'])(
    'get 400 for a missing or invalid signature before their body has arrived: %j',
    async (header) => {
      const connection = await RawConnection.open(
        test.url,
        `POST /payments/webhook HTTP/1.1\r\nHost: a\r\n${header}Content-Length: 60000\r\n\r\n{`,
      );
      await eventually(() => connection.received.includes('signature_invalid'));
      connection.end();
    },
  );

  it('take no place by sending slowly', async () => {
    const path = `/payments/${randomUUID()}/return`;
    const slow = await Promise.all(
      Array.from({ length: PLACES * 2 }, () =>
        RawConnection.open(
          test.url,
          `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\na=1`,
        ),
      ),
    );
    expect((await askForAny()).status).toBe(404);
    for (const connection of slow) connection.end();
  });

  afterAll(endEverything);
});

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);

describe('Random requests to the public gateway paths', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;
  let payment: Payment;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({ paymentGateway });
    const { clientId } = await test.fixtures.store();
    payment = await (await Buyer.of(test, clientId)).topUp('100');
    // The payment is paid, so that a wrongly accepted request would show in the wallet.
    razorpay.capture(payment.gatewayOrderId!);
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  const event = () =>
    JSON.stringify({ payload: { payment: { entity: { id: 'pay_1', order_id: payment.gatewayOrderId } } } });

  const paths = () =>
    fc.oneof(
      fc.constantFrom(
        '/payments/webhook',
        '/payments/webhook/',
        '/payments/webhook?x=1',
        '/payments',
        '/payments/',
      ),
      fc.constantFrom(`/payments/${payment.paymentId}/return`, `/payments/${payment.paymentId}`),
      fc.webPath().map((path) => `/payments${path}`),
    );

  const bodies = () =>
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.constant(Buffer.from(event())),
      fc
        .dictionary(
          fc.constantFrom('razorpay_payment_id', 'razorpay_signature', '__proto__', 'x'),
          fc.string(),
        )
        .map((fields) => Buffer.from(new URLSearchParams(fields).toString())),
      fc.nat({ max: 63 }).map((at) => Buffer.from(new URLSearchParams(turned(at)).toString())),
    );

  /** Returns a valid return with one wrong digit in its signature. */
  function turned(at: number): Record<string, string> {
    const fields = razorpay.fieldsOfReturn(payment.gatewayOrderId!);
    const digits = [...fields.razorpay_signature!];
    digits[at] = digits[at] === '0' ? '1' : '0';
    return { ...fields, razorpay_signature: digits.join('') };
  }

  const headers = () =>
    fc.record(
      {
        'Content-Type': fc.constantFrom(
          'application/json',
          FORM,
          `${FORM}; charset=utf-16`,
          'text/plain',
          'x',
        ),
        'X-Razorpay-Signature': fc.oneof(
          fc.constantFrom('', 'x', '0'.repeat(64), '0'.repeat(1_000)),
          // A signature with the key secret is not valid for events.
          fc.constant(createHmac('sha256', razorpay.keys.keySecret).update(event()).digest('hex')),
        ),
        'X-Razorpay-Event-Id': fc.constantFrom('evt_1', '', 'x'.repeat(300), "' OR 1=1"),
        'Content-Encoding': fc.constantFrom('gzip', 'identity'),
        Cookie: fc.constant('session=1'),
      },
      { requiredKeys: [] },
    );

  const requests = (): fc.Arbitrary<RawRequest> =>
    fc.record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'),
      path: paths(),
      headers: headers(),
      body: bodies(),
    }) as fc.Arbitrary<RawRequest>;

  const known = async () =>
    (
      await test.pool.query(
        `SELECT (SELECT count(*)::int FROM wallet_entries) AS entries,
                (SELECT count(*)::int FROM gateway_events) AS events,
                (SELECT string_agg(status, ',') FROM payments) AS payments`,
      )
    ).rows[0] as unknown;

  it('get no 5xx, and change nothing without a valid signature', async () => {
    const before = await known();
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requests(), async (fuzzed) => {
        const { status, headers: message, text } = await sendRaw(test.url, fuzzed);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
        if (status < 400 || fuzzed.method === 'HEAD') return;
        if (message['content-type'] === 'text/html; charset=utf-8')
          expect(text).toContain('Back to the dashboard');
        else expect(JSON.parse(text)).toMatchObject({ success: false, code: expect.any(String) });
      }),
      { numRuns: RUNS },
    );
    expect(await known()).toEqual(before);
    const answers = [...statuses].map(([status, times]) => `${status}×${times}`).join(' ');
    printFigures('fuzz of the gateway’s addresses', { requests: RUNS, answers });
  });
});
