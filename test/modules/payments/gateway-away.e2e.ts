import type { PaymentKey } from '../../../src/modules/orders/entities/payment.entity.js';
import { DueChecksRepository } from '../../../src/modules/payments/due-checks.repository.js';
import type { PaymentRow } from '../../../src/modules/payments/payments.repository.js';
import { PaymentDeskService } from '../../../src/modules/payments/payment-desk.service.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { SettlementService } from '../../../src/modules/payments/settlement.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import { eventually } from '../../support/eventually.js';
import { all } from '../../support/operator-services.js';
import { headline, rows as rowsOf } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { signInAtDesk } from '../../support/sign-in.js';
import { StubRazorpay } from '../../support/stub-razorpay.js';
import { makeBeforeAll, makeBeforeEach } from '../../support/suite-hooks.js';
import { startTestApp } from '../../support/test-app.js';
import { watchLog } from '../../support/watch-log.js';
import { withMethods } from '../../support/with-methods.js';

describe('A gateway that is away, slow or contradictory', () => {
  let razorpay: StubRazorpay;
  const test = makeBeforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    return startTestApp({ paymentGateway });
  });
  const product = makeBeforeAll(() => test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  const store = makeBeforeEach(() => test.fixtures.store());
  const buyer = makeBeforeEach(() => Buyer.of(test, store.clientId));
  beforeEach(() => razorpay.behave());

  const desk = () => test.app.get(PaymentDeskService);
  const balance = async () => (await test.app.get(WalletService).show(store.clientId)).balance;
  const reconciler = () => test.app.get(ReconcilerService);
  const countConcerning = async () => (await desk().count()).needing_a_person!;
  const listConcerning = () => all(desk().list({ clientId: store.clientId, concerning: true }));

  const place = () => test.place(store, [{ sku: product.sku, quantity: 1 }]);
  const begin = async (number: string) => (await buyer.pay(number))!;
  const beginNew = async () => {
    const number = await place();
    return { number, ...(await begin(number)) };
  };

  /** A top-up of 500.00 that is captured and credited. */
  const paidTopUp = async () => {
    const payment = await buyer.topUp('500');
    razorpay.capture(payment.gatewayOrderId!);
    await desk().settle(payment.paymentId);
    return payment;
  };

  const statusOf = async (number: string) =>
    (await test.get(store, `/api/orders/${number}/status`).expect(200)).body.status as string;

  const comeBack = async (paymentId: string, gatewayOrderId: string) =>
    expect((await postReturn(paymentId, gatewayOrderId)).status).toBe(303);

  const postReturn = (paymentId: string, gatewayOrderId: string) =>
    fetch(`${test.url}/payments/${paymentId}/return`, {
      method: 'POST',
      body: new URLSearchParams(razorpay.fieldsOfReturn(gatewayOrderId)),
      redirect: 'manual',
    });

  /** Moves all times of the payment back by some days. */
  const age = (paymentId: string, days: number) =>
    test.fixtures.rewrite(
      `UPDATE payments SET created_at = created_at - make_interval(secs => $2),
              answered_at = answered_at - make_interval(secs => $2), next_check_at = now()
        WHERE payment_id = $1`,
      [paymentId, days * 86_400],
    );

  const checkAfter = async (paymentId: string, days = 0) => {
    await age(paymentId, days);
    await reconciler().runSoon();
  };

  const setPayment = (paymentId: string, columns: string) =>
    test.fixtures.rewrite(`UPDATE payments SET ${columns} WHERE payment_id = $1`, [paymentId]);
  const setRefunds = (paymentId: string, columns: string) =>
    test.fixtures.rewrite(`UPDATE gateway_refunds SET ${columns} WHERE payment_id = $1`, [paymentId]);

  it('does not stop orders; a payment cannot begin, but the next attempt can', async () => {
    razorpay.isAway = true;
    const number = await place();
    await expect(begin(number)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    const [payment] = await all(desk().list({ clientId: store.clientId }));
    expect(await desk().show(payment!.payment_id)).toMatchObject({ status: 'failed', next_check_at: null });
    razorpay.isAway = false;
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('delays payments, which succeed when it is back', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await checkAfter(paymentId);
    const waiting = await desk().show(paymentId);
    expect(waiting).toMatchObject({ status: 'open', concern: null, checks: 1 });
    expect(waiting.next_check_at!.getTime()).toBeGreaterThan(Date.now());
    expect(await statusOf(number)).toBe('awaiting_payment');
    await expect(desk().settle(paymentId)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    razorpay.isAway = false;
    await checkAfter(paymentId);
    // The regular run of the service may have settled it a moment before.
    await eventually(async () => (await statusOf(number)) === 'pending');
  });

  /**
   * Runs the work during the last of three attempts. Earlier, the next regular run could ask at the same
   * time.
   */
  const atLast = (work: () => Promise<unknown>) => {
    let requested = 0;
    return async () => (++requested === 3 ? work() : undefined);
  };

  it('does not delay a payment that becomes due during a failed request', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    razorpay.meanwhile = atLast(() => age(paymentId, 0));
    await checkAfter(paymentId);
    razorpay.isAway = false;
    await eventually(async () => {
      await reconciler().runSoon();
      return (await statusOf(number)) === 'pending';
    }, 30_000);
  });

  it('is asked about due payments while another transaction locks another payment', async () => {
    const numbers = [await place(), await place()];
    const [locked, free] = [await begin(numbers[0]!), await begin(numbers[1]!)];
    // Both are paid after the lock. Before it, the regular run could settle the payment that is to be locked.
    await age(locked.paymentId, 0);
    const locker = await test.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT FROM payments WHERE payment_id = $1 FOR UPDATE', [locked.paymentId]);
    for (const { gatewayOrderId } of [locked, free]) razorpay.capture(gatewayOrderId!);
    await checkAfter(free.paymentId);
    const statuses = async () => (await Promise.all(numbers.map(statusOf))).join();
    await eventually(async () => (await statuses()) === 'awaiting_payment,pending');
    await locker.query('ROLLBACK');
    locker.release();
    await checkAfter(locked.paymentId);
    await eventually(async () => (await statuses()) === 'pending,pending');
  });

  it('is reported once for many waiting payments, and its return is reported once', async () => {
    const payments = await Promise.all(['100', '200', '300'].map((amount) => buyer.topUp(amount)));
    const makeDue = () => Promise.all(payments.map(({ paymentId }) => age(paymentId, 0)));
    const notice = watchLog();
    razorpay.isAway = true;
    await makeDue();
    await reconciler().runSoon();
    expect(notice).toEqual([expect.stringContaining('The payment gateway does not answer; payments wait')]);
    razorpay.isAway = false;
    await makeDue();
    await reconciler().runSoon();
    await eventually(() => notice.length > 1);
    expect(notice.slice(1)).toEqual(['The payment gateway answers again.']);
  });

  it('gets a second request about a payment whose event arrives during the first', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    // The answer "not paid yet" is under way when the buyer pays and the event arrives.
    razorpay.duringNext = async () => {
      razorpay.capture(gatewayOrderId!);
      await razorpay.sendEvent(test.url, gatewayOrderId!);
    };
    await desk().settle(paymentId);
    const { status, next_check_at: next } = await desk().show(paymentId);
    const seconds = (next!.getTime() - Date.now()) / 1_000;
    // The payment is due, unless the regular run is asking now, which delays the next check by a minute.
    expect(status === 'open' && seconds > 0 && seconds < 30).toBe(false);
    await eventually(async () => (await statusOf(number)) === 'pending');
  });

  it('is asked again soon when a later answer was stored before its own', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    razorpay.duringNext = async () => {
      razorpay.capture(gatewayOrderId!);
      await desk().settle(paymentId);
    };
    await desk().settle(paymentId);
    expect(await statusOf(number)).toBe('pending');
    const { status, next_check_at: next } = await desk().show(paymentId);
    expect(status).toBe('paid');
    expect(next!.getTime() - Date.now()).toBeLessThanOrEqual(30_000);
  });

  it('keeps the concern of a later answer when an older answer arrives after it', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.duringNext = async () => {
      razorpay.amountRefunded = 10_000;
      await desk().settle(paymentId);
    };
    await desk().settle(paymentId);
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'refunded_elsewhere' });
  });

  it('does not ask at once about an event that another check has answered meanwhile', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.duringNext = async () => {
      razorpay.capture(gatewayOrderId!);
      await razorpay.sendEvent(test.url, gatewayOrderId!);
      await eventually(async () => (await desk().show(paymentId)).status === 'paid');
    };
    await desk().settle(paymentId);
    const { rows } = await test.pool.query('SELECT urgent FROM payments WHERE payment_id = $1', [paymentId]);
    expect(rows).toEqual([{ urgent: false }]);
  });

  it('does not ask again about an event that is delivered twice', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    const deliver = () => razorpay.sendEvent(test.url, gatewayOrderId!, `evt_${paymentId}`);
    await deliver();
    await eventually(async () => (await desk().show(paymentId)).status === 'paid');
    const before = await desk().show(paymentId);
    expect((await deliver()).status).toBe(200);
    expect(await desk().show(paymentId)).toEqual(before);
  });

  it('leads to giving up a payment after an hour, and its orders can be paid in another way', async () => {
    const { number, paymentId } = await beginNew();
    const aged = async (minutes: number) => {
      await checkAfter(paymentId, minutes / (24 * 60));
      return desk().show(paymentId);
    };
    const atFirst = await aged(59);
    expect(atFirst).toMatchObject({ status: 'open', checks: 1 });
    const [end, next] = [atFirst.created_at.getTime() + 3_600_000, atFirst.next_check_at!.getTime()];
    expect(next).toBeLessThanOrEqual(end + 1_000);
    expect(await aged(1)).toMatchObject({ status: 'given_up', next_check_at: expect.any(Date) as Date });
    expect(await begin(number)).toMatchObject({ status: 'open' });
    expect(await aged(8 * 24 * 60)).toMatchObject({ status: 'given_up', next_check_at: null });
  });

  it('does not lead to giving up while the gateway cannot be asked', async () => {
    const { paymentId } = await begin(await place());
    razorpay.isAway = true;
    await checkAfter(paymentId, 1);
    expect(await desk().show(paymentId)).toMatchObject({ status: 'open', checks: 1 });
  });

  it('does not give up an authorized payment after a week, but reports it to an operator', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    razorpay.paymentStatus = 'authorized';
    razorpay.capture(gatewayOrderId!);
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: null });
    await age(paymentId, 8);
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: 'never_captured' });
    const authorized = async () =>
      (await test.pool.query('SELECT authorized FROM payments WHERE payment_id = $1', [paymentId])).rows;
    expect(await authorized()).toEqual([{ authorized: true }]);
    for (const notice of ['', '/cancelled', '/failed']) {
      const page = await (await fetch(`${test.url}/payments/${paymentId}${notice}`)).text();
      expect([page.includes('The payment is on its way'), page.includes('Try again')]).toEqual([true, false]);
    }
    razorpay.paymentStatus = 'captured';
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await authorized()).toEqual([{ authorized: false }]);
  });

  it('leaves a payment paid when the weekly limit has passed', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    razorpay.capture(gatewayOrderId!);
    const { paid_at: paidAt } = await desk().settle(paymentId);
    razorpay.capture(gatewayOrderId!);
    await age(paymentId, 8);
    const settled = await desk().settle(paymentId);
    expect(settled).toMatchObject({ status: 'paid', paid_at: paidAt, next_check_at: null });
    expect(await balance()).toBe(100);
  });

  describe('with a flood of due payments', () => {
    const FLOOD = 50;
    const SOON = FLOOD / 2;
    const other = async () => Buyer.of(test, (await test.fixtures.store()).clientId);

    // Otherwise later tests would ask about these again.
    afterEach(() =>
      test.fixtures.sql(
        `UPDATE payments SET next_check_at = NULL FROM clients WHERE id = client_id AND name = 'Flood'`,
      ),
    );

    /** Creates due payments of one client, or each of another client. */
    async function flood(isOneClient: boolean): Promise<void> {
      const { rows } = await test.pool.query<{ id: number }>(
        `INSERT INTO clients (name, email)
         SELECT 'Flood', 'flood@example.com' FROM generate_series(1, $1) RETURNING id`,
        [isOneClient ? 1 : FLOOD],
      );
      await test.fixtures.sql(
        `INSERT INTO payments
           (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
            next_check_at)
         SELECT ($1::int[])[1 + n % cardinality($1)], gen_random_uuid(), 'razorpay_test',
                'order_' || gen_random_uuid(), 100, 'INR', 'open', 'test', now() - interval '1 hour'
           FROM generate_series(1, $2) AS n`,
        [rows.map(({ id }) => id), FLOOD],
      );
    }

    /** Returns the requests to the gateway after `happen`, which runs while most of the flood still waits. */
    async function requestedAfter(happen: () => Promise<unknown>): Promise<string[]> {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      razorpay.meanwhile = () => gate;
      const before = razorpay.requestCount;
      // Otherwise the regular runs of the job could start beside this one.
      const run = reconciler().runSoon();
      await eventually(() => razorpay.requestCount >= before + 4);
      await happen();
      const requested = razorpay.requestCount;
      open();
      await run;
      await eventually(async () => {
        const { rows } = await test.pool.query('SELECT FROM payments WHERE next_check_at <= now()');
        return rows.length === 0;
      });
      return razorpay.paths.slice(requested);
    }

    const makeDue = (paymentId: string) => setPayment(paymentId, 'next_check_at = now()');

    it('is checked to its end, although one check fails', async () => {
      const settlement = test.app.get(SettlementService);
      const check = settlement.check.bind(settlement);
      let checks = 0;
      const failOnce = (key: PaymentKey) =>
        ++checks === 1 ? Promise.reject(new Error('a row that no code expects')) : check(key);
      await withMethods(settlement, { check: failOnce }, async () => {
        await flood(true);
        await reconciler().runSoon();
      });
      expect(checks).toBeGreaterThanOrEqual(FLOOD);
    });

    it('of one client does not delay the payment of another client', async () => {
      const polled = await (await other()).topUp('300');
      razorpay.capture(polled.gatewayOrderId!);
      await flood(true);
      const requested = await requestedAfter(() => makeDue(polled.paymentId));
      expect(requested.length).toBeGreaterThan(SOON);
      const turn = requested.findIndex((path) => path.includes(polled.gatewayOrderId!));
      expect([turn >= 0, turn < SOON]).toEqual([true, true]);
      expect(await desk().show(polled.paymentId)).toMatchObject({ status: 'paid' });
    });

    it('is taken once when several nodes look at the same moment', async () => {
      for (let n = 0; n < 6; n++) await flood(false);
      const taken: string[] = [];
      const node = async () => {
        for (;;) {
          const { payments } = await test.app.get(DueChecksRepository).take('razorpay_test');
          if (payments.length === 0) return;
          taken.push(...payments.map(({ paymentId }) => paymentId));
        }
      };
      await Promise.all(Array.from({ length: 5 }, node));
      expect(taken.length).toBeGreaterThan(FLOOD);
      expect(new Set(taken).size).toBe(taken.length);
    });

    it('of many clients does not delay an event, a returning browser or a refund', async () => {
      const refunded = await buyer.topUp('500');
      razorpay.capture(refunded.gatewayOrderId!);
      await desk().settle(refunded.paymentId);
      razorpay.isAway = true;
      await desk().refund(refunded.paymentId, '200', 'test');
      // The refund must become due only below.
      await test.fixtures.sql(`UPDATE gateway_refunds SET next_check_at = now() + interval '1 hour'`);
      razorpay.isAway = false;
      const notice = await (await other()).topUp('300');
      const back = await (await other()).topUp('300');
      for (const { gatewayOrderId } of [notice, back]) razorpay.capture(gatewayOrderId!);
      await setPayment(back.paymentId, 'asked_at = now()');
      await flood(false);
      const requested = await requestedAfter(async () => {
        await setRefunds(refunded.paymentId, 'next_check_at = now()');
        await razorpay.sendEvent(test.url, notice.gatewayOrderId!);
        await comeBack(back.paymentId, back.gatewayOrderId!);
      });
      expect(requested.length).toBeGreaterThan(SOON);
      for (const what of [notice.gatewayOrderId!, back.gatewayOrderId!, '/refund']) {
        const turn = requested.findIndex((path) => path.includes(what));
        expect([what, turn >= 0, turn < SOON]).toEqual([what, true, true]);
      }
      expect(await desk().show(notice.paymentId)).toMatchObject({ status: 'paid' });
      expect((await desk().show(refunded.paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
      // After the answer the next check has normal priority again.
      const { rows } = await test.pool.query('SELECT FROM payments WHERE urgent');
      expect(rows).toEqual([]);
    });
  });

  it.each([
    ['that names the order', true],
    ['without the order', false],
  ])('reports a refund made at the gateway to an operator at once: event %s', async (_, namesOrder) => {
    const neighbour = await Buyer.of(test, (await test.fixtures.store()).clientId);
    const [payment, other] = [await buyer.topUp('500'), await neighbour.topUp('500')];
    for (const { paymentId, gatewayOrderId } of [payment, other]) {
      razorpay.capture(gatewayOrderId!);
      await desk().settle(paymentId);
    }
    // Earlier payments must not be checked meanwhile: the stub reports the same refund for each.
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
    const before = await countConcerning();
    const refunded = async (amount: number) => {
      razorpay.amountRefunded = amount;
      expect((await razorpay.sendRefundEvent(test.url, payment.gatewayOrderId!, namesOrder)).status).toBe(
        200,
      );
      await reconciler().runSoon();
      await eventually(async () => (await desk().show(payment.paymentId)).concern === 'refunded_elsewhere');
    };
    await refunded(10_000);
    expect(await countConcerning()).toBe(before + 1);
    expect(await listConcerning()).toHaveLength(1);
    expect(await desk().show(other.paymentId)).toMatchObject({ concern: null, status: 'paid' });
    // After the operator has resolved this refund, the next one is reported again.
    await desk().resolve(payment.paymentId, 'taken out of the wallet', 'test');
    await refunded(20_000);
  });

  it('reports a payment id that it uses twice to an operator, without a second credit', async () => {
    const neighbour = await Buyer.of(test, (await test.fixtures.store()).clientId);
    const [first, repeated, theirs] = [
      await buyer.topUp('500'),
      await buyer.topUp('501'),
      await neighbour.topUp('500'),
    ];
    razorpay.reusedId = `pay_${first.paymentId.slice(0, 8)}`;
    for (const { gatewayOrderId } of [first, repeated, theirs]) razorpay.capture(gatewayOrderId!);
    expect(await desk().settle(first.paymentId)).toMatchObject({ status: 'paid', concern: null });
    for (const { paymentId } of [repeated, theirs])
      expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: 'payment_reused' });
    expect(await desk().settle(first.paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await balance()).toBe(500);
    // Two clients at the same moment.
    razorpay.reusedId = `pay_${repeated.paymentId.slice(0, 8)}`;
    await Promise.allSettled([repeated, theirs].map(({ paymentId }) => desk().settle(paymentId)));
    for (const { paymentId } of [repeated, theirs]) await desk().settle(paymentId);
    const both = [await desk().show(repeated.paymentId), await desk().show(theirs.paymentId)];
    expect(both.map(({ status }) => status).toSorted()).toEqual(['open', 'paid']);
    expect(both.filter(({ concern }) => concern === 'payment_reused')).toHaveLength(1);
    // Two in one answer.
    razorpay.reusedId = `pay_${first.paymentId.slice(0, 8)}`;
    const held = await balance();
    razorpay.capture(first.gatewayOrderId!);
    expect(await desk().settle(first.paymentId)).toMatchObject({ concern: 'payment_reused' });
    expect(await balance()).toBe(held);
  });

  it('is asked at once when the buyer comes back a few seconds later', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    await comeBack(paymentId, gatewayOrderId!);
    expect(await statusOf(number)).toBe('awaiting_payment');
    razorpay.capture(gatewayOrderId!);
    await setPayment(paymentId, `asked_at = asked_at - interval '6 seconds'`);
    await comeBack(paymentId, gatewayOrderId!);
    expect(await statusOf(number)).toBe('pending');
  });

  it('is asked only once in a while when the buyer reloads, and never after the payment', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    const returnAgain = () => comeBack(paymentId, gatewayOrderId!);
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
    const before = razorpay.requestCount;
    for (let n = 0; n < 10; n++) await returnAgain();
    // The first asks; the others make the payment due at most once.
    expect(razorpay.requestCount - before).toBeLessThanOrEqual(2);
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    const paid = razorpay.requestCount;
    for (let n = 0; n < 10; n++) await returnAgain();
    expect(razorpay.requestCount).toBe(paid);
  });

  it('has a refund voucher for its own receipt once it has succeeded', async () => {
    await test.fixtures.seller({ receiptVouchers: true });
    const [{ paymentId, gatewayOrderId }, later] = [await buyer.topUp('500'), await buyer.topUp('300')];
    for (const one of [{ paymentId, gatewayOrderId }, later]) {
      razorpay.capture(one.gatewayOrderId!);
      await desk().settle(one.paymentId);
    }
    const vouchers = async () => {
      const text = `SELECT kind, number, gross::float8, facts->'returns' AS returns FROM tax_documents
                     WHERE client_id = $1 ORDER BY issued_at, number`;
      return (await test.pool.query<{ number: string }>(text, [store.clientId])).rows;
    };
    const [own] = await vouchers();
    razorpay.refundStatus = 'pending';
    await desk().refund(paymentId, '100', 'test');
    expect(await vouchers()).toHaveLength(2);
    razorpay.refundStatus = 'processed';
    await desk().refund(paymentId, '200', 'test');
    expect((await vouchers())[2]).toMatchObject({
      kind: 'refund_voucher',
      gross: 200,
      returns: [{ number: own!.number, amount: '200.00' }],
    });
    await test.fixtures.seller();
  });

  it('does not return a possibly made refund to the wallet when it refuses a repeat', async () => {
    const { paymentId } = await paidTopUp();
    let requested = 0;
    razorpay.refuses = ({ path }) => (path.endsWith('/refund') ? (++requested === 1 ? 503 : 400) : undefined);
    expect((await desk().refund(paymentId, '200', 'test')).refunds).toMatchObject([{ status: 'requested' }]);
    expect(await balance()).toBe(300);
    await expect(desk().settle(paymentId)).rejects.toMatchObject({ code: 'gateway_refused' });
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'requested' }]);
    expect(await balance()).toBe(300);
    razorpay.refuses = undefined;
    expect((await desk().settle(paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
    expect(await balance()).toBe(300);
  });

  it('does not return a refund to the wallet that another request has made', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.refuses = () => 400;
    razorpay.refundStatus = 'pending';
    // The refusal is under way when another request asks again. An event about that refund then resets the
    // number of checks.
    razorpay.duringNext = async () => {
      razorpay.refuses = undefined;
      await desk().settle(paymentId);
      await test.fixtures.rewrite('UPDATE gateway_refunds SET checks = 0 WHERE payment_id = $1', [paymentId]);
    };
    expect((await desk().refund(paymentId, '200', 'test')).refunds).toMatchObject([
      { status: 'pending', gateway_refund_id: expect.stringContaining('rfnd_') as string },
    ]);
    expect(await balance()).toBe(300);
  });

  it('returns a refused refund to the wallet, and its reason is reported', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.refuses = ({ path }) => (path.endsWith('/refund') ? 400 : undefined);
    await expect(desk().refund(paymentId, '200', 'test')).rejects.toMatchObject({
      code: 'gateway_refused',
      message: expect.stringContaining('refused') as string,
    });
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'failed' }]);
    expect(await balance()).toBe(500);
  });

  it('does not delay a refund that becomes due during a failed request', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    const makeDue = () => setRefunds(paymentId, 'next_check_at = now()');
    razorpay.meanwhile = atLast(makeDue);
    await makeDue();
    await reconciler().runSoon();
    razorpay.isAway = false;
    await eventually(async () => {
      await reconciler().runSoon();
      return (await desk().show(paymentId)).refunds[0]!.status === 'processed';
    }, 30_000);
  });

  it('is reported to an operator when it sent back more than was asked for', async () => {
    const { paymentId } = await paidTopUp();
    const sentBack = async (amount: number, status: string) => {
      razorpay.amountRefunded = amount;
      await setRefunds(paymentId, `status = '${status}'`);
      razorpay.isAway = false;
      await test.app.get(SettlementService).settle({ clientId: store.clientId, paymentId });
      return (await desk().show(paymentId)).concern;
    };
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    for (const status of ['requested', 'pending', 'processed'])
      expect([status, await sentBack(20_000, status)]).toEqual([status, null]);
    expect(await sentBack(20_001, 'processed')).toBe('refunded_elsewhere');
    expect(await sentBack(20_000, 'failed')).toBe('refunded_elsewhere');
  });

  it('refunds from the capture with most left when a payment was captured twice', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    // Refunds of another payment and refunds that failed take nothing from a capture.
    await desk().refund((await paidTopUp()).paymentId, '500', 'test');
    const requested: string[] = [];
    razorpay.meanwhile = ({ path }) =>
      Promise.resolve(requested.push(...(/pay_\w+(?=\/refund$)/.exec(path) ?? [])));
    razorpay.refuses = () => 400;
    const refused = { code: 'gateway_refused' };
    await expect(desk().refund(paymentId, '400', 'test')).rejects.toMatchObject(refused);
    razorpay.refuses = undefined;
    for (const amount of ['200', '300']) await desk().refund(paymentId, amount, 'test');
    expect((await desk().refund(paymentId, undefined, 'test')).refunds).toMatchObject(
      [400, 200, 300, 300].map((amount, at) => ({ amount, status: at === 0 ? 'failed' : 'processed' })),
    );
    const [first, second] = [...new Set(requested)];
    expect(requested).toEqual([first, first, second, first]);
    expect(await balance()).toBe(200);
  });

  it('is listed and counted once, if a person must check the payment, its refunds, or both', async () => {
    const before = await countConcerning();
    const concerned: string[] = [];
    for (const kinds of ['', 'own', 'refund', 'own refund']) {
      const [own, ofRefund] = [kinds.includes('own'), kinds.includes('refund')];
      const { paymentId } = await paidTopUp();
      for (const amount of ['200', '50']) await desk().refund(paymentId, amount, 'test');
      if (own) await setPayment(paymentId, `concern = 'amount_differs'`);
      if (ofRefund) await setRefunds(paymentId, `concern = 'no_answer'`);
      if (own || ofRefund) concerned.unshift(paymentId);
    }
    expect(await countConcerning()).toBe(before + 3);
    const listed = await answerOf<PaymentRow[]>(
      test.database.url,
      'payment',
      'list',
      '--needs-person',
      '--client',
      String(store.clientId),
    );
    expect(listed.map(({ payment_id: id, concern }) => [id, concern])).toEqual([
      [concerned[0], 'amount_differs'],
      [concerned[1], 'no_answer'],
      [concerned[2], 'amount_differs'],
    ]);
    const staff = await signInAtDesk(test, 'staff');
    const { text } = await staff.get('/desk/money/payments?view=concerning').expect(200);
    expect(headline(text)).toBe(`${before + 3} payments need you`);
    expect(rowsOf(text)).toHaveLength(before + 3);
    for (const id of concerned) await desk().resolve(id, 'checked', 'test');
    expect(await countConcerning()).toBe(before);
  });

  it('is reported to an operator when a refund is pending for a week, and not before', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.refundStatus = 'pending';
    await desk().refund(paymentId, '200', 'test');
    const concerns = async () => (await listConcerning()).map(({ concern }) => concern);
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'pending' }]);
    expect(await concerns()).toEqual([]);
    await setRefunds(paymentId, `created_at = now() - interval '8 days', next_check_at = now()`);
    await reconciler().runSoon();
    expect(await concerns()).toEqual(['no_answer']);
  });

  it('is reported to an operator when a refund has no answer for a week', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    await setRefunds(paymentId, `created_at = now() - interval '8 days', next_check_at = now()`);
    await reconciler().runSoon();
    expect(await listConcerning()).toMatchObject([{ payment_id: paymentId, concern: 'no_answer' }]);
    const before = await countConcerning();
    await desk().resolve(paymentId, 'the bank has it', 'test');
    await expect(desk().resolve(paymentId, 'once more', 'test')).rejects.toMatchObject({ code: 'conflict' });
    expect(await listConcerning()).toEqual([]);
    expect(await countConcerning()).toBe(before - 1);
    razorpay.isAway = false;
    expect((await desk().settle(paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
  });

  it('leaves a payment of another gateway to an operator, who can give it up', async () => {
    const { number, paymentId } = await beginNew();
    await setPayment(paymentId, `provider = 'sandbox', next_check_at = now()`);
    await reconciler().runSoon();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'other_gateway' });
    await expect(begin(number)).rejects.toMatchObject({ code: 'payment_underway' });
    expect(await desk().giveUp(paymentId, 'test')).toMatchObject({ status: 'given_up' });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('keeps a refund of another gateway until that gateway is set up again', async () => {
    const { paymentId } = await paidTopUp();
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    razorpay.isAway = false;
    const at = async (provider: string) => {
      await setPayment(paymentId, `provider = '${provider}'`);
      await setRefunds(paymentId, 'next_check_at = now()');
      await reconciler().runSoon();
      return (await desk().show(paymentId)).refunds[0]!.status;
    };
    expect(await at('sandbox')).toBe('requested');
    await eventually(async () => (await at('razorpay_test')) === 'processed');
  });

  it('answers 404 to a browser that returns from another gateway, and is not asked', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    await setPayment(paymentId, `provider = 'sandbox'`);
    const before = await desk().show(paymentId);
    expect((await postReturn(paymentId, gatewayOrderId!)).status).toBe(404);
    expect(await desk().show(paymentId)).toEqual(before);
  });

  it('fails an unopened payment of another gateway, and leaves a paid one without a concern', async () => {
    const [opening, paid] = [await buyer.topUp('100'), await buyer.topUp('200')];
    razorpay.capture(paid.gatewayOrderId!);
    await desk().settle(paid.paymentId);
    await test.fixtures.rewrite(
      `UPDATE payments SET provider = 'sandbox', next_check_at = now(),
              status = CASE payment_id WHEN $1 THEN 'opening' ELSE status END
        WHERE payment_id IN ($1, $2)`,
      [opening.paymentId, paid.paymentId],
    );
    await reconciler().runSoon();
    const left = { concern: null, next_check_at: null };
    expect(await desk().show(opening.paymentId)).toMatchObject({ status: 'failed', ...left });
    expect(await desk().show(paid.paymentId)).toMatchObject({ status: 'paid', ...left });
  });

  it('is reported to an operator after four days, and not asked any more after a week', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await checkAfter(paymentId, 4);
    const next = expect.anything() as unknown;
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer', next_check_at: next });
    await checkAfter(paymentId, 4);
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer', next_check_at: null });
    razorpay.isAway = false;
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await statusOf(number)).toBe('pending');
  });

  it('raises no resolved concern again, and replaces no other concern, while it does not answer', async () => {
    const [resolved, other] = [await buyer.topUp('100'), await buyer.topUp('200')];
    await setPayment(other.paymentId, `concern = 'never_captured'`);
    razorpay.isAway = true;
    const concernsAfter = async (days: number) => {
      await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
      for (const { paymentId } of [resolved, other]) await checkAfter(paymentId, days);
      const displayed = await Promise.all([resolved, other].map(({ paymentId }) => desk().show(paymentId)));
      return displayed.map(({ concern }) => concern);
    };
    expect(await concernsAfter(4)).toEqual(['no_answer', 'never_captured']);
    await desk().resolve(resolved.paymentId, 'the gateway is known to be down', 'test');
    expect(await concernsAfter(1)).toEqual([null, 'never_captured']);
  });

  it('does not lose an event, which is settled when it is back', async () => {
    const { number, paymentId, gatewayOrderId } = await beginNew();
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    expect((await razorpay.sendEvent(test.url, gatewayOrderId!)).status).toBe(200);
    await reconciler().runSoon();
    expect(await statusOf(number)).toBe('awaiting_payment');
    razorpay.isAway = false;
    await checkAfter(paymentId);
    expect(await statusOf(number)).toBe('pending');
  });

  it('has its events deleted after 30 days', async () => {
    const { gatewayOrderId } = await buyer.topUp('500');
    await razorpay.sendEvent(test.url, gatewayOrderId!);
    const receivedBefore = (interval: string) =>
      test.fixtures.sql(
        `UPDATE gateway_events SET received_at = now() - $2::interval WHERE gateway_order_id = $1`,
        [gatewayOrderId, interval],
      );
    const kept = async () => {
      await test.timePasses(3_600);
      await reconciler().runSoon();
      const { rowCount } = await test.pool.query('SELECT 1 FROM gateway_events WHERE gateway_order_id = $1', [
        gatewayOrderId,
      ]);
      return rowCount;
    };
    await receivedBefore('29 days');
    expect(await kept()).toBe(1);
    await receivedBefore('31 days');
    expect(await kept()).toBe(0);
  });

  it('leaves an interrupted opening, which is closed so that the order can be paid', async () => {
    const { number, paymentId } = await beginNew();
    await setPayment(paymentId, `status = 'opening', gateway_order_id = NULL`);
    await expect(begin(number)).rejects.toMatchObject({ code: 'payment_underway' });
    await checkAfter(paymentId);
    expect(await desk().show(paymentId)).toMatchObject({ status: 'failed' });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });
});
