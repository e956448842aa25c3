import { RequestLogRetention } from '../../src/modules/request-log/recording/request-log-retention.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { TokenUsesService } from '../../src/modules/auth/tokens/token-uses.service.js';
import { ImportRuns } from '../../src/shared/imports/import-runs.service.js';
import { PaymentDeskService } from '../../src/modules/payments/payment-desk.service.js';
import { ReconcilerService } from '../../src/modules/payments/reconciler.service.js';
import { TestOrdersRetention } from '../../src/modules/test-orders/test-orders-retention.js';
import { TwoFactorService } from '../../src/modules/people/two-factor/two-factor.service.js';
import { setClockWrong } from '../support/clock.js';
import { Buyer } from '../support/buyer.js';
import type { Store } from '../support/fixtures.js';
import { StubRazorpay } from '../support/stub-razorpay.js';
import { TOTP } from 'otpauth';
import request from 'supertest';
import { addPerson, PASSWORD, signIn, signInAtDesk, startSession } from '../support/sign-in.js';
import { setUpTestApp, startTestApp, type TestApp } from '../support/test-app.js';

const DAYS_AHEAD = 60;

/** The clock of its machine jumps. The database's clock is right. */
describe('A node whose clock is two months ahead', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;
  let store: Store;
  let buyer: Buyer;
  let sku: string;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({ paymentGateway });
    store = await test.fixtures.store({ until: 365 });
    buyer = await Buyer.of(test, store.clientId);
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 100 }));
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  const setAhead = (days: number) => setClockWrong(days * 86_400);
  const desk = () => test.app.get(PaymentDeskService, { strict: false });
  const count = async (table: string) => (await test.pool.query(`SELECT FROM ${table}`)).rowCount;

  it('gives no payment and no refund up', async () => {
    const open = await buyer.topUp('700');
    const paid = await buyer.topUp('500');
    razorpay.capture(paid.gatewayOrderId!);
    await desk().settle(paid.paymentId);
    razorpay.refundStatus = 'pending';
    await desk().refund(paid.paymentId, '200', 'test');

    const states = async () => {
      const { rows } = await test.pool.query(
        `SELECT status, next_check_at IS NOT NULL AS "isAsked", concern FROM payments WHERE payment_id = $1
          UNION ALL SELECT status, next_check_at IS NOT NULL, concern FROM gateway_refunds`,
        [open.paymentId],
      );
      return rows as object[];
    };
    const before = await states();
    expect(before).toEqual([
      { status: 'open', isAsked: true, concern: null },
      { status: 'pending', isAsked: true, concern: null },
    ]);
    setAhead(DAYS_AHEAD);
    for (const isAway of [false, true]) {
      razorpay.isAway = isAway;
      for (const table of ['payments', 'gateway_refunds'])
        await test.fixtures.rewrite(
          `UPDATE ${table} SET next_check_at = now() WHERE next_check_at IS NOT NULL`,
        );
      await test.app.get(ReconcilerService, { strict: false }).runSoon();
      expect(await states()).toEqual(before);
    }
    razorpay.isAway = false;
    setAhead(0);
  });

  it('deletes no test order, no kept request and no upload', async () => {
    const tester = await test.fixtures.withToken(store, 'test');
    await test.place(tester, [{ sku, quantity: 1 }]);
    await test.post(store, '/api/orders/quote', { items: [{ sku: 'NONE', quantity: 1 }] });
    await test.app.get(RequestLog, { strict: false }).writeAll();
    await test.pool.query(
      `INSERT INTO import_runs (kind, file_name, size, actor, state) VALUES ('stock', 'a.csv', 1, 'asha', 'uploading')`,
    );
    const tables = ['test_orders', 'store_request_counts', 'store_requests', 'import_runs'];
    const before = await Promise.all(tables.map(count));
    expect(before).not.toContain(0);

    setAhead(DAYS_AHEAD);
    for (const job of [TestOrdersRetention, RequestLogRetention, ImportRuns])
      await test.app.get<{ run(): Promise<unknown> }>(job, { strict: false }).run();
    setAhead(0);
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  it('leaves no use of a token in the future', async () => {
    const uses = () => test.app.get(TokenUsesService, { strict: false }).run();
    setAhead(DAYS_AHEAD);
    await test.get(store, '/api/account').expect(200);
    await uses();
    setAhead(0);
    expect((await test.pool.query('SELECT FROM token_uses WHERE last_used_at > now()')).rowCount).toBe(0);
  });

  it('takes the code of the right time, and ends the view of a client after an hour', async () => {
    const owner = await startSession(test, await addPerson(test, store.clientId));
    const twoFactor = test.app.get(TwoFactorService, { strict: false });
    const { secret } = await twoFactor.begin(owner.person, PASSWORD);
    const code = new TOTP({ secret }).generate();
    const staff = await signInAtDesk(test, 'staff');
    setAhead(400);
    expect(await twoFactor.confirm(owner.person, code)).toHaveLength(10);
    await staff.post(`/desk/clients/${store.clientId}/see`).expect(303);
    setAhead(0);
    const { rows } = await test.pool.query(
      `SELECT sees_until - now() <= interval '1 hour' AS "isSoon" FROM sessions WHERE id = $1`,
      [staff.person.sessionId],
    );
    expect(rows).toEqual([{ isSoon: true }]);
  });

  it('counts the requests of a minute on, and takes orders, whether its clock goes forward or back', async () => {
    const limit = async () =>
      Number((await test.get(store, '/api/account').expect(200)).headers['ratelimit-remaining']);
    const left = await limit();
    for (const days of [DAYS_AHEAD, -1 / 24, 0]) {
      setAhead(days);
      await test.place(store, [{ sku, quantity: 1 }]);
      expect(await limit()).toBeLessThanOrEqual(left);
    }
  });
});

describe('A node whose clock differs from the database’s by', () => {
  const test = setUpTestApp({ maxClockSkewSeconds: 60 });

  it.each([3_600, -3_600])('%d s serves nothing until it is right', async (seconds) => {
    const store = await test.fixtures.store();
    const buyer = await signIn(test, store.clientId);
    const ask = async () => {
      await test.fixtures.observed();
      const [page, stock, ready, serving] = await Promise.all([
        buyer.get('/dashboard'),
        test.get(store, '/api/stock'),
        request(test.url).get('/health/ready'),
        request(test.url).get('/health/serving'),
      ]);
      return [
        page.status,
        stock.status,
        ready.status,
        serving.status,
        (stock.body as { message?: string }).message,
      ];
    };
    const message = 'The clock of this node is wrong. Please repeat the request.';
    expect(await ask()).toEqual([200, 200, 200, 200, undefined]);
    setClockWrong(seconds);
    expect(await ask()).toEqual([503, 503, 503, 503, message]);
    setClockWrong(Math.sign(seconds) * 55);
    expect(await ask()).toEqual([200, 200, 200, 200, undefined]);
    setClockWrong(0);
  });
});
