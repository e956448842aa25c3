import { PaymentDeskService } from '../../src/payments/payment-desk.service.js';
import { ReconcilerService } from '../../src/payments/reconciler.service.js';
import { SettlementService } from '../../src/payments/settlement.service.js';
import { WalletService } from '../../src/wallet/wallet.service.js';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { all } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { StubRazorpay } from '../support/stub-razorpay.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { watchLog } from '../support/watch-log.js';

describe('While the gateway is away, slow or of another mind', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;
  let store: Store;
  let buyer: Buyer;
  let sku: string;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({ paymentGateway });
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(async () => {
    razorpay.isAway = false;
    razorpay.refuses = undefined;
    razorpay.refundStatus = 'processed';
    razorpay.paymentStatus = 'captured';
    razorpay.amountRefunded = 0;
    razorpay.reusedId = undefined;
    razorpay.meanwhile = () => Promise.resolve();
    store = await test.fixtures.store();
    buyer = await Buyer.of(test, store.clientId);
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  const desk = () => test.app.get(PaymentDeskService, { strict: false });
  const balance = async () =>
    (await test.app.get(WalletService, { strict: false }).show(store.clientId)).balance;
  const reconciler = () => test.app.get(ReconcilerService, { strict: false });

  async function place(): Promise<string> {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    return (body as { order_number: string }).order_number;
  }

  async function begin(number: string) {
    return (await buyer.pay(number))!;
  }

  const statusOf = async (number: string) =>
    ((await test.get(store, `/api/orders/${number}/status`).expect(200)).body as { status: string }).status;

  async function comeBack(paymentId: string, gatewayOrderId: string): Promise<void> {
    expect((await wayBack(paymentId, gatewayOrderId)).status).toBe(303);
  }

  const wayBack = (paymentId: string, gatewayOrderId: string) =>
    fetch(`${test.url}/payments/${paymentId}/return`, {
      method: 'POST',
      body: new URLSearchParams(razorpay.wayBack(gatewayOrderId)),
      redirect: 'manual',
    });

  /** As if so many days had passed since anything was heard. */
  const age = (paymentId: string, days: number) =>
    test.fixtures.rewrite(
      `UPDATE payments SET created_at = created_at - make_interval(days => $2),
              answered_at = answered_at - make_interval(days => $2), next_check_at = now()
        WHERE payment_id = $1`,
      [paymentId, days],
    );

  it('orders are placed, no payment is begun, and the next try may begin one', async () => {
    razorpay.isAway = true;
    const number = await place();
    await expect(begin(number)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    const [payment] = await all(desk().list({ clientId: store.clientId }));
    expect(await desk().show(payment!.payment_id)).toMatchObject({ status: 'failed', next_check_at: null });
    razorpay.isAway = false;
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('payments wait, and are through when it is back', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await age(paymentId, 0);
    await reconciler().soon();
    const waiting = await desk().show(paymentId);
    expect(waiting).toMatchObject({ status: 'open', concern: null, checks: 1 });
    expect(waiting.next_check_at!.getTime()).toBeGreaterThan(Date.now());
    expect(await statusOf(number)).toBe('awaiting_payment');
    await expect(desk().settle(paymentId)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    razorpay.isAway = false;
    await age(paymentId, 0);
    await reconciler().soon();
    // The service's own turn may have taken it a moment before.
    await eventually(async () => (await statusOf(number)) === 'pending');
  });

  /** While the last of three attempts is unanswered: earlier, and the service's own next turn could ask beside this one. */
  const atLast = (work: () => Promise<unknown>) => {
    let asked = 0;
    return async () => (++asked === 3 ? work() : undefined);
  };

  it('a payment that becomes due while it is asked about in vain is not put off', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    razorpay.meanwhile = atLast(() => age(paymentId, 0));
    await age(paymentId, 0);
    await reconciler().soon();
    razorpay.isAway = false;
    await eventually(async () => {
      await reconciler().soon();
      return (await statusOf(number)) === 'pending';
    }, 5_000);
  });

  it('payments that are due nobody has to wait for, whatever somebody else is doing to another one', async () => {
    const numbers = [await place(), await place()];
    const [locked, free] = [await begin(numbers[0]!), await begin(numbers[1]!)];
    // Nobody has paid before the lock is there, or the node's own turn could settle what is to be locked.
    await age(locked.paymentId, 0);
    const locker = await test.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT FROM payments WHERE payment_id = $1 FOR UPDATE', [locked.paymentId]);
    for (const { gatewayOrderId } of [locked, free]) razorpay.capture(gatewayOrderId!);
    await age(free.paymentId, 0);
    await reconciler().soon();
    const statuses = async () => (await Promise.all(numbers.map(statusOf))).join();
    await eventually(async () => (await statuses()) === 'awaiting_payment,pending');
    await locker.query('ROLLBACK');
    locker.release();
    await age(locked.paymentId, 0);
    await reconciler().soon();
    await eventually(async () => (await statuses()) === 'pending,pending');
  });

  it('that it is away is told once, however many payments wait, and so is that it is back', async () => {
    const payments = await Promise.all(['100', '200', '300'].map((amount) => buyer.topUp(amount)));
    const makeDue = () => Promise.all(payments.map(({ paymentId }) => age(paymentId, 0)));
    const told = watchLog();
    razorpay.isAway = true;
    await makeDue();
    await reconciler().soon();
    expect(told).toEqual([expect.stringContaining('The payment gateway does not answer; payments wait')]);
    razorpay.isAway = false;
    await makeDue();
    await reconciler().soon();
    await eventually(() => told.length > 1);
    expect(told.slice(1)).toEqual(['The payment gateway answers again.']);
  });

  it('what is told while the gateway is being asked is asked about again, and not forgotten', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    // The answer "nothing yet" is on its way when somebody pays and the gateway tells.
    razorpay.meanwhile = async () => {
      razorpay.meanwhile = () => Promise.resolve();
      razorpay.capture(gatewayOrderId!);
      await razorpay.tell(test.url, gatewayOrderId!);
    };
    await desk().settle(paymentId);
    const { status, next_check_at: next } = await desk().show(paymentId);
    const seconds = (next!.getTime() - Date.now()) / 1_000;
    // Due, unless the node's own turn has asked by now, or is asking, which puts the next time off by a minute.
    expect(status === 'open' && seconds > 0 && seconds < 30).toBe(false);
    await eventually(async () => (await statusOf(number)) === 'pending');
  });

  it('what it answered before somebody else had a later answer is not believed for a day, but asked about again soon', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.meanwhile = async () => {
      razorpay.meanwhile = () => Promise.resolve();
      razorpay.capture(gatewayOrderId!);
      await desk().settle(paymentId);
    };
    await desk().settle(paymentId);
    expect(await statusOf(number)).toBe('pending');
    const { status, next_check_at: next } = await desk().show(paymentId);
    expect(status).toBe('paid');
    expect(next!.getTime() - Date.now()).toBeLessThanOrEqual(30_000);
  });

  it('is asked soon at first, later after every answer, and once more a day after all is paid', async () => {
    const secondsToNext = async (paymentId: string) =>
      ((await desk().show(paymentId)).next_check_at!.getTime() - Date.now()) / 1_000;
    const { paymentId, gatewayOrderId } = await begin(await place());
    expect(await secondsToNext(paymentId)).toBeLessThanOrEqual(15);
    await age(paymentId, 0);
    await reconciler().soon();
    const [waits, day] = [await secondsToNext(paymentId), 86_400];
    expect([waits > 15, waits <= 30]).toEqual([true, true]);
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    const afterwards = await secondsToNext(paymentId);
    expect([afterwards > day - 600, afterwards <= day]).toEqual([true, true]);
  });

  it('what nobody finishes in a week is given up, and its orders can be paid in another way', async () => {
    const number = await place();
    const { paymentId } = await begin(number);
    await age(paymentId, 8);
    await reconciler().soon();
    expect(await desk().show(paymentId)).toMatchObject({ status: 'given_up', next_check_at: null });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('what a bank has said yes to is not given up, however long that is ago, and a person is told', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    razorpay.paymentStatus = 'authorized';
    razorpay.capture(gatewayOrderId!);
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: null });
    await age(paymentId, 8);
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: 'never_captured' });
  });

  it('what was paid stays paid when nobody asks about it any more', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    razorpay.capture(gatewayOrderId!);
    const { paid_at: paidAt } = await desk().settle(paymentId);
    razorpay.capture(gatewayOrderId!);
    await age(paymentId, 8);
    const settled = await desk().settle(paymentId);
    expect(settled).toMatchObject({ status: 'paid', paid_at: paidAt, next_check_at: null });
    expect(await balance()).toBe(100);
  });

  describe('a flood of payments that are due', () => {
    const FLOOD = 50;
    const SOON = FLOOD / 2;
    const other = async () => Buyer.of(test, (await test.fixtures.store()).clientId);

    // The gateway would be asked about these again in tests that follow.
    afterEach(() =>
      test.fixtures.sql(
        `UPDATE payments SET next_check_at = NULL FROM clients WHERE id = client_id AND name = 'Flood'`,
      ),
    );

    /** Payments of one client, or each of another client. */
    async function flood(isOneClient: boolean): Promise<void> {
      const { rows } = await test.pool.query<{ id: number }>(
        `INSERT INTO clients (name, email) SELECT 'Flood', 'flood@example.com' FROM generate_series(1, $1) RETURNING id`,
        [isOneClient ? 1 : FLOOD],
      );
      await test.fixtures.sql(
        `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor, next_check_at)
         SELECT ($1::int[])[1 + n % cardinality($1)], gen_random_uuid(), 'razorpay_test', 'order_' || gen_random_uuid(), 100, 'INR',
                'open', 'test', now() - interval '1 hour' FROM generate_series(1, $2) AS n`,
        [rows.map(({ id }) => id), FLOOD],
      );
    }

    /** What the gateway is asked after `happen`, which comes while most of the flood still waits. */
    async function askedAfter(happen: () => Promise<unknown>): Promise<string[]> {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      razorpay.meanwhile = () => gate;
      const before = razorpay.asked;
      // The job's own runs must not begin beside this one.
      const run = reconciler().soon();
      await eventually(() => razorpay.asked >= before + 4);
      await happen();
      const asked = razorpay.asked;
      open();
      await run;
      await eventually(async () => {
        const { rows } = await test.pool.query('SELECT FROM payments WHERE next_check_at <= now()');
        return rows.length === 0;
      });
      return razorpay.paths.slice(asked);
    }

    const makeDue = (paymentId: string) =>
      test.fixtures.sql('UPDATE payments SET next_check_at = now() WHERE payment_id = $1', [paymentId]);

    it('of one client keeps no other client waiting for its turn', async () => {
      const polled = await (await other()).topUp('300');
      razorpay.capture(polled.gatewayOrderId!);
      await flood(true);
      const asked = await askedAfter(() => makeDue(polled.paymentId));
      expect(asked.length).toBeGreaterThan(SOON);
      const turn = asked.findIndex((path) => path.includes(polled.gatewayOrderId!));
      expect([turn >= 0, turn < SOON]).toEqual([true, true]);
      expect(await desk().show(polled.paymentId)).toMatchObject({ status: 'paid' });
    });

    it('of many clients delays neither an event, nor a browser that came back, nor a refund', async () => {
      const refunded = await buyer.topUp('500');
      razorpay.capture(refunded.gatewayOrderId!);
      await desk().settle(refunded.paymentId);
      razorpay.isAway = true;
      await desk().refund(refunded.paymentId, '200', 'test');
      // The refund must not become due before it is made due below.
      await test.fixtures.sql(`UPDATE gateway_refunds SET next_check_at = now() + interval '1 hour'`);
      razorpay.isAway = false;
      const told = await (await other()).topUp('300');
      const back = await (await other()).topUp('300');
      for (const { gatewayOrderId } of [told, back]) razorpay.capture(gatewayOrderId!);
      await test.fixtures.sql('UPDATE payments SET asked_at = now() WHERE payment_id = $1', [back.paymentId]);
      await flood(false);
      const asked = await askedAfter(async () => {
        await test.fixtures.sql('UPDATE gateway_refunds SET next_check_at = now() WHERE payment_id = $1', [
          refunded.paymentId,
        ]);
        await razorpay.tell(test.url, told.gatewayOrderId!);
        await comeBack(back.paymentId, back.gatewayOrderId!);
      });
      expect(asked.length).toBeGreaterThan(SOON);
      for (const what of [told.gatewayOrderId!, back.gatewayOrderId!, '/refund']) {
        const turn = asked.findIndex((path) => path.includes(what));
        expect([what, turn >= 0, turn < SOON]).toEqual([what, true, true]);
      }
      expect(await desk().show(told.paymentId)).toMatchObject({ status: 'paid' });
      expect((await desk().show(refunded.paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
      // What was asked for is answered: the next check waits its turn like any other.
      const { rows } = await test.pool.query('SELECT FROM payments WHERE urgent');
      expect(rows).toEqual([]);
    });
  });

  it.each([
    ['with its order', true],
    ['by the payment alone', false],
  ])('a refund that was made at the gateway is told to a person at once: named %s', async (_, namesOrder) => {
    const neighbour = await Buyer.of(test, (await test.fixtures.store()).clientId);
    const [payment, other] = [await buyer.topUp('500'), await neighbour.topUp('500')];
    for (const { paymentId, gatewayOrderId } of [payment, other]) {
      razorpay.capture(gatewayOrderId!);
      await desk().settle(paymentId);
    }
    const counted = async () =>
      (await test.app.get(PaymentDeskService, { strict: false }).count()).needing_a_person!;
    // Payments of earlier tests must not be checked meanwhile: the stub tells of the same refund for each.
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
    const before = await counted();
    const refunded = async (amount: number) => {
      razorpay.amountRefunded = amount;
      expect((await razorpay.tellRefund(test.url, payment.gatewayOrderId!, namesOrder)).status).toBe(200);
      await reconciler().soon();
      await eventually(async () => (await desk().show(payment.paymentId)).concern === 'refunded_elsewhere');
    };
    await refunded(10_000);
    expect(await counted()).toBe(before + 1);
    expect(await all(desk().list({ clientId: store.clientId, concerning: true }))).toHaveLength(1);
    expect(await desk().show(other.paymentId)).toMatchObject({ concern: null, status: 'paid' });
    // A person who has seen this refund is told of the next one.
    await desk().resolve(payment.paymentId, 'taken out of the wallet');
    await refunded(20_000);
  });

  it('a payment that the gateway names a second time is a person’s, and is not credited again', async () => {
    const neighbour = await Buyer.of(test, (await test.fixtures.store()).clientId);
    const [first, again, theirs] = [
      await buyer.topUp('500'),
      await buyer.topUp('501'),
      await neighbour.topUp('500'),
    ];
    razorpay.reusedId = `pay_${first.paymentId.slice(0, 8)}`;
    for (const { gatewayOrderId } of [first, again, theirs]) razorpay.capture(gatewayOrderId!);
    expect(await desk().settle(first.paymentId)).toMatchObject({ status: 'paid', concern: null });
    for (const { paymentId } of [again, theirs])
      expect(await desk().settle(paymentId)).toMatchObject({ status: 'open', concern: 'payment_reused' });
    expect(await desk().settle(first.paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await balance()).toBe(500);
    // Two clients at the same moment.
    razorpay.reusedId = `pay_${again.paymentId.slice(0, 8)}`;
    await Promise.allSettled([again, theirs].map(({ paymentId }) => desk().settle(paymentId)));
    for (const { paymentId } of [again, theirs]) await desk().settle(paymentId);
    const both = [await desk().show(again.paymentId), await desk().show(theirs.paymentId)];
    expect(both.map(({ status }) => status).toSorted()).toEqual(['open', 'paid']);
    expect(both.filter(({ concern }) => concern === 'payment_reused')).toHaveLength(1);
    // Two in one answer.
    razorpay.reusedId = `pay_${first.paymentId.slice(0, 8)}`;
    const held = await balance();
    razorpay.capture(first.gatewayOrderId!);
    expect(await desk().settle(first.paymentId)).toMatchObject({ concern: 'payment_reused' });
    expect(await balance()).toBe(held);
  });

  it('whoever comes back a few seconds later has it asked at once', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    await comeBack(paymentId, gatewayOrderId!);
    expect(await statusOf(number)).toBe('awaiting_payment');
    razorpay.capture(gatewayOrderId!);
    await test.fixtures.sql(
      `UPDATE payments SET asked_at = asked_at - interval '6 seconds' WHERE payment_id = $1`,
      [paymentId],
    );
    await comeBack(paymentId, gatewayOrderId!);
    expect(await statusOf(number)).toBe('pending');
  });

  it('whoever comes back again and again has it asked once in a while, and not at all when it is paid', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    const comeAgain = () => comeBack(paymentId, gatewayOrderId!);
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
    const before = razorpay.asked;
    for (let n = 0; n < 10; n++) await comeAgain();
    // The first asks, the others make it due once more at most.
    expect(razorpay.asked - before).toBeLessThanOrEqual(2);
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    const paid = razorpay.asked;
    for (let n = 0; n < 10; n++) await comeAgain();
    expect(razorpay.asked).toBe(paid);
  });

  it('a refund that may have been made is not given back to the wallet when the gateway then refuses it', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    let asked = 0;
    razorpay.refuses = ({ path }) => (path.endsWith('/refund') ? (++asked === 1 ? 503 : 400) : undefined);
    expect((await desk().refund(paymentId, '200', 'test')).refunds).toMatchObject([{ status: 'requested' }]);
    expect(await balance()).toBe(300);
    await expect(desk().settle(paymentId)).rejects.toMatchObject({ code: 'gateway_refused' });
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'requested' }]);
    expect(await balance()).toBe(300);
    razorpay.refuses = undefined;
    expect((await desk().settle(paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
    expect(await balance()).toBe(300);
  });

  it('a refund that was made while somebody else is told that it cannot be is not given back to the wallet', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    razorpay.refuses = () => 400;
    razorpay.refundStatus = 'pending';
    // The refusal is on its way when somebody asks again; an event about what was made then has checks counted anew.
    razorpay.meanwhile = async () => {
      razorpay.meanwhile = () => Promise.resolve();
      razorpay.refuses = undefined;
      await desk().settle(paymentId);
      await test.fixtures.rewrite('UPDATE gateway_refunds SET checks = 0 WHERE payment_id = $1', [paymentId]);
    };
    expect((await desk().refund(paymentId, '200', 'test')).refunds).toMatchObject([
      { status: 'pending', gateway_refund_id: expect.stringContaining('rfnd_') as string },
    ]);
    expect(await balance()).toBe(300);
  });

  it('a refund that the gateway refuses outright is back in the wallet, and the reason is told', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    razorpay.refuses = ({ path }) => (path.endsWith('/refund') ? 400 : undefined);
    await expect(desk().refund(paymentId, '200', 'test')).rejects.toMatchObject({
      code: 'gateway_refused',
      message: expect.stringContaining('refused') as string,
    });
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'failed' }]);
    expect(await balance()).toBe(500);
  });

  it('a refund that becomes due while it is asked about in vain is not put off', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    const makeDue = () =>
      test.fixtures.sql('UPDATE gateway_refunds SET next_check_at = now() WHERE payment_id = $1', [
        paymentId,
      ]);
    razorpay.meanwhile = atLast(makeDue);
    await makeDue();
    await reconciler().soon();
    razorpay.isAway = false;
    await eventually(async () => {
      await reconciler().soon();
      return (await desk().show(paymentId)).refunds[0]!.status === 'processed';
    }, 5_000);
  });

  it('what was sent back is a person’s where that was not asked for here, or where it had failed', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    const sentBack = async (amount: number, status: string) => {
      razorpay.amountRefunded = amount;
      await test.fixtures.sql(`UPDATE gateway_refunds SET status = $2 WHERE payment_id = $1`, [
        paymentId,
        status,
      ]);
      razorpay.isAway = false;
      await test.app
        .get(SettlementService, { strict: false })
        .settle({ clientId: store.clientId, paymentId });
      return (await desk().show(paymentId)).concern;
    };
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    for (const status of ['requested', 'pending', 'processed'])
      expect([status, await sentBack(20_000, status)]).toEqual([status, null]);
    expect(await sentBack(20_001, 'processed')).toBe('refunded_elsewhere');
    expect(await sentBack(20_000, 'failed')).toBe('refunded_elsewhere');
  });

  it('of what was paid twice that is sent back of which most is left', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    for (const amount of ['200', '300']) await desk().refund(paymentId, amount, 'test');
    expect((await desk().refund(paymentId, undefined, 'test')).refunds).toMatchObject(
      [200, 300, 300].map((amount) => ({ amount, status: 'processed' })),
    );
    expect(await balance()).toBe(200);
  });

  it('a refund that the bank has not made after a week is a person’s, and not before', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    razorpay.refundStatus = 'pending';
    await desk().refund(paymentId, '200', 'test');
    const concerns = async () =>
      (await all(desk().list({ clientId: store.clientId, concerning: true }))).map(({ concern }) => concern);
    expect((await desk().show(paymentId)).refunds).toMatchObject([{ status: 'pending' }]);
    expect(await concerns()).toEqual([]);
    await test.fixtures.rewrite(
      `UPDATE gateway_refunds SET created_at = now() - interval '8 days', next_check_at = now() WHERE payment_id = $1`,
      [paymentId],
    );
    await reconciler().soon();
    expect(await concerns()).toEqual(['no_answer']);
  });

  it('a refund that nobody could ask about for a week is a person’s, and leaves the list when that is done', async () => {
    const { paymentId, gatewayOrderId } = await buyer.topUp('500');
    razorpay.capture(gatewayOrderId!);
    await desk().settle(paymentId);
    razorpay.isAway = true;
    await desk().refund(paymentId, '200', 'test');
    await test.fixtures.rewrite(
      `UPDATE gateway_refunds SET created_at = now() - interval '8 days', next_check_at = now() WHERE payment_id = $1`,
      [paymentId],
    );
    await reconciler().soon();
    const concerning = () => all(desk().list({ clientId: store.clientId, concerning: true }));
    const counted = async () =>
      (await test.app.get(PaymentDeskService, { strict: false }).count()).needing_a_person!;
    expect(await concerning()).toMatchObject([{ payment_id: paymentId, concern: 'no_answer' }]);
    const before = await counted();
    await desk().resolve(paymentId, 'the bank has it');
    expect(await concerning()).toEqual([]);
    expect(await counted()).toBe(before - 1);
    razorpay.isAway = false;
    expect((await desk().settle(paymentId)).refunds).toMatchObject([{ status: 'processed' }]);
  });

  it('a payment of another gateway is left to a person, who gives it up', async () => {
    const number = await place();
    const { paymentId } = await begin(number);
    await test.fixtures.rewrite(
      `UPDATE payments SET provider = 'sandbox', next_check_at = now() WHERE payment_id = $1`,
      [paymentId],
    );
    await reconciler().soon();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'other_gateway' });
    await expect(begin(number)).rejects.toMatchObject({ code: 'payment_underway' });
    expect(await desk().giveUp(paymentId)).toMatchObject({ status: 'given_up' });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('whoever comes back from another gateway finds nothing, and nobody is asked', async () => {
    const { paymentId, gatewayOrderId } = await begin(await place());
    await test.fixtures.rewrite(`UPDATE payments SET provider = 'sandbox' WHERE payment_id = $1`, [
      paymentId,
    ]);
    const before = await desk().show(paymentId);
    expect((await wayBack(paymentId, gatewayOrderId!)).status).toBe(404);
    expect(await desk().show(paymentId)).toEqual(before);
  });

  it('of those of another gateway one that was never opened is over, and one that is paid needs nobody', async () => {
    const [opening, paid] = [await buyer.topUp('100'), await buyer.topUp('200')];
    razorpay.capture(paid.gatewayOrderId!);
    await desk().settle(paid.paymentId);
    await test.fixtures.rewrite(
      `UPDATE payments SET provider = 'sandbox', next_check_at = now(), status = CASE payment_id WHEN $1 THEN 'opening' ELSE status END
        WHERE payment_id IN ($1, $2)`,
      [opening.paymentId, paid.paymentId],
    );
    await reconciler().soon();
    const left = { concern: null, next_check_at: null };
    expect(await desk().show(opening.paymentId)).toMatchObject({ status: 'failed', ...left });
    expect(await desk().show(paid.paymentId)).toMatchObject({ status: 'paid', ...left });
  });

  it('a person is told after days, and asked no more after a week, until it answers again', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await age(paymentId, 4);
    await reconciler().soon();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer' });
    await age(paymentId, 4);
    await reconciler().soon();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer', next_check_at: null });
    razorpay.isAway = false;
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await statusOf(number)).toBe('pending');
  });

  it('an event is kept, and followed up when it is back', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    expect((await razorpay.tell(test.url, gatewayOrderId!)).status).toBe(200);
    await reconciler().soon();
    expect(await statusOf(number)).toBe('awaiting_payment');
    razorpay.isAway = false;
    await age(paymentId, 0);
    await reconciler().soon();
    expect(await statusOf(number)).toBe('pending');
  });

  it('an event is forgotten after 30 days', async () => {
    const { gatewayOrderId } = await buyer.topUp('500');
    await razorpay.tell(test.url, gatewayOrderId!);
    const receivedBefore = (interval: string) =>
      test.fixtures.sql(
        `UPDATE gateway_events SET received_at = now() - $2::interval WHERE gateway_order_id = $1`,
        [gatewayOrderId, interval],
      );
    const kept = async () => {
      await test.timePasses(3_600);
      await reconciler().soon();
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

  it('an opening that was broken off is closed, and its order can be paid', async () => {
    const number = await place();
    const { paymentId } = await begin(number);
    await test.fixtures.sql(
      `UPDATE payments SET status = 'opening', gateway_order_id = NULL WHERE payment_id = $1`,
      [paymentId],
    );
    await expect(begin(number)).rejects.toMatchObject({ code: 'payment_underway' });
    await age(paymentId, 0);
    await reconciler().soon();
    expect(await desk().show(paymentId)).toMatchObject({ status: 'failed' });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });
});
