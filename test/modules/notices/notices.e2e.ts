import { mock } from 'node:test';
import { JobFailures } from '../../../src/modules/notices/job-failures.repository.js';
import { USUAL_KINDS } from '../../../src/modules/notices/rules/kinds.js';
import type { PaymentKey } from '../../../src/modules/orders/entities/payment.entity.js';
import { ClientAdministrationService } from '../../../src/modules/clients/client-administration.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { MailSender } from '../../../src/shared/mail/mail-sender.service.js';
import { NoticesJob } from '../../../src/modules/notices/notices-job.service.js';
import { NoticesRepository } from '../../../src/modules/notices/notices.repository.js';
import { orderReturns } from '../../support/order-returns.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { formatMonth } from '../../../src/platform/formats.js';
import { StatementMailsService } from '../../../src/modules/notices/statement-mails.service.js';
import { addMonths, monthAt, offsetName } from '../../../src/platform/time/time.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { MailServer, type ReceivedMail } from '../../support/mail-server.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, noticeIn, readable } from '../../support/page-text.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { answerOf } from '../../support/run-command.js';
import {
  addPerson,
  type FormValues,
  type SignedIn,
  signIn,
  signInAtDesk,
  startSession,
} from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { startTestApp } from '../../support/test-app.js';

const NOTICES = '/dashboard/notices';

const HOUR_MS = 3_600_000;
const UTC_HOUR = new Date().getUTCHours();

/** In full hours. Not the evening of UTC. */
const SINCE_EVENING = UTC_HOUR === 20 ? 3 : 2;
const EVENING = (Math.floor(Date.now() / HOUR_MS) - SINCE_EVENING) * HOUR_MS;

/** 18:00 in this zone was then, at whatever hour the suite runs. A zone of POSIX has the opposite sign. */
const OFFSET = ((18 + SINCE_EVENING - UTC_HOUR + 36) % 24) - 12;
const ZONE = `Etc/GMT${OFFSET > 0 ? '-' : '+'}${Math.abs(OFFSET)}`;

describe('Notices by mail', () => {
  let store: Store;
  let owner: SignedIn;

  let server: MailServer;
  const test = makeBeforeAll(async () => {
    server = await MailServer.start();
    const settings = { timeZone: ZONE, unpaidValueLimit: 0, unpaidOrdersLimit: 0 };
    return startTestApp({ mail: server.settings, ...settings });
  });
  const sku = 'MUG';
  beforeAll(() => test.fixtures.product({ sku, basePrice: '100.00', stock: 10_000 }));
  beforeEach(async () => {
    await sentMails();
    await test.fixtures.sql('UPDATE price_schedules SET closed_at = now() WHERE closed_at IS NULL');
    readers.clear();
    // Otherwise they get hundreds of mails about earlier tests.
    await test.fixtures.sql('UPDATE people SET disabled_at = now() WHERE disabled_at IS NULL');
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await person('owner');
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
  });

  const service = <Service>(type: new (...args: never[]) => Service): Service => test.app.get(type);
  /** The people of this test. */
  const readers = new Set<string>();
  const person = async (role: 'owner' | 'buyer' | 'viewer', of = store) => {
    const added = await startSession(test, await addPerson(test, of.clientId, { role }));
    readers.add(added.person.email);
    return added;
  };
  const choose = (who: SignedIn, ...kinds: string[]) =>
    who.post(NOTICES, { kinds, lowWallet: '' }).expect(303);

  /** Sends pending notices, and returns the mails that arrived since the last call. */
  async function sentMails(): Promise<ReceivedMail[]> {
    await service(NoticesJob).runSoon();
    await service(MailSender).runSoon();
    return server.received.splice(0).filter(({ recipient }) => readers.has(recipient));
  }
  /** The same, if another node may be sending one. */
  const sentByAnyNode = async () => {
    const mails: ReceivedMail[] = [];
    await eventually(async () => mails.push(...(await sentMails())));
    return [...mails, ...(await sentMails())];
  };
  const onlyMail = async (mails = sentMails()) => {
    const [mail, ...others] = await mails;
    expect(others).toEqual([]);
    return mail!;
  };
  const runOnTwoNodes = async () => {
    const node = await startTestApp({ mail: server.settings, timeZone: ZONE }, test.database);
    await Promise.all([test, node].map(({ app }) => app.get(NoticesJob).run()));
    await node.close();
  };
  const subjects = async (mails = sentMails()) =>
    (await mails).map(({ recipient, subject }) => `${recipient}: ${subject}`).toSorted();

  const place = (of = store) => test.place(of, [{ sku, quantity: 1 }]);
  const set = (table: string, key: string, value: unknown, columns: string) =>
    test.fixtures.rewrite(`UPDATE ${table} SET ${columns} WHERE ${key} = $1`, [value]);
  const due = (number: string, hours: number) =>
    test.fixtures.rewrite(
      `UPDATE orders SET payment_due_at = now() + make_interval(secs => $2 * 3600.0) WHERE order_number = $1`,
      [number, hours],
    );

  it('tell buyers and owners of orders that are due within a day, each once, and no other client', async () => {
    const neighbour = await test.fixtures.store();
    await set('clients', 'id', neighbour.clientId, `time_zone = 'Asia/Tokyo'`);
    const [other, buyer] = [await person('owner', neighbour), await person('buyer')];
    await person('viewer');
    const [first, second, later, processed] = [await place(), await place(), await place(), await place()];
    await due(first, 22.5);
    await due(second, 22.2);
    await due(later, 24.5);
    await due(processed, 22.6);
    const paid = await place();
    await due(paid, 22.4);
    await moveOrder(test, store, paid, 'pay');
    await due(await place(neighbour), 22.5);
    await (await Buyer.of(test, store.clientId)).pay(processed);
    const mails = await sentMails();
    const named = mails.map(({ recipient, subject }) => [recipient, subject]);
    expect(named).toHaveLength(3);
    expect(named).toEqual(
      expect.arrayContaining([
        [owner.person.email, '3 orders need payment within a day'],
        [buyer.person.email, '3 orders need payment within a day'],
        [other.person.email, '1 order needs payment within a day'],
      ]),
    );
    const textFor = (reader: SignedIn) =>
      mails.find(({ recipient }) => recipient === reader.person.email)!.text;
    const text = textFor(owner);
    expect(text).toContain('Pay 3 orders, ₹300.00 in all.');
    expect(text).toContain(`(${offsetName(EVENING, ZONE)})`);
    expect(textFor(other)).toContain('(GMT+9)');
    expect(text.indexOf(second)).toBeLessThan(text.indexOf(first));
    expect([processed, later, paid].map((number) => text.includes(number))).toEqual([true, false, false]);
    expect(await sentMails()).toEqual([]);
  });

  it('come half of a short payment window before its end', async () => {
    const hasty = await startTestApp({ mail: server.settings, paymentWindowHours: 12 }, test.database);
    const [number, later] = [await place(), await place()];
    await due(number, 4.5);
    await due(later, 8);
    await hasty.app.get(NoticesJob).run();
    await hasty.close();
    const mail = await onlyMail(sentByAnyNode());
    expect([number, later].map((one) => mail.text.includes(one))).toEqual([true, false]);
  });

  it('are written once by two nodes at the same moment', async () => {
    await due(await place(), 22.5);
    await runOnTwoNodes();
    expect(await subjects(sentByAnyNode())).toEqual([
      `${owner.person.email}: 1 order needs payment within a day`,
    ]);
  });

  it('tell of orders that expired, and not of those that a person cancelled', async () => {
    const [expired, cancelled] = [await place(), await place()];
    await owner.post(`/dashboard/orders/${cancelled}/cancel`).expect(303);
    await due(expired, -1);
    await service(OrderExpiryService).runSoon();
    await test.fixtures.rewrite(
      `UPDATE orders SET cancelled_at = now() - interval '70 minutes' WHERE order_number = ANY ($1)`,
      [[expired, cancelled]],
    );
    const mail = await onlyMail();
    expect(mail).toMatchObject({ recipient: owner.person.email, subject: '1 order was cancelled unpaid' });
    expect([mail.text.includes(expired), mail.text.includes(cancelled)]).toEqual([true, false]);
  });

  it('of one kind that fail do not hold up the others, and come later', async () => {
    const order = await place();
    await due(order, -1);
    await service(OrderExpiryService).runSoon();
    await set('orders', 'order_number', order, `cancelled_at = now() - interval '70 minutes'`);
    const unpaid = await place();
    await due(unpaid, 22.5);
    const repository = service(NoticesRepository);
    const read = repository.factsBetween.bind(repository);
    const broken = mock.method(repository, 'factsBetween', ((transaction, kind, period) =>
      kind === 'payment_due'
        ? Promise.reject(new Error('broken'))
        : read(transaction, kind, period)) as typeof read);
    try {
      await expect(service(NoticesJob).run()).rejects.toThrow('broken');
    } finally {
      broken.mock.restore();
    }
    await service(MailSender).runSoon();
    const sent = () => server.received.splice(0).filter(({ recipient }) => readers.has(recipient));
    expect(sent().map(({ subject }) => subject)).toEqual(['1 order was cancelled unpaid']);
    expect((await sentMails()).map(({ text }) => text.includes(unpaid))).toEqual([true]);
  });

  describe('tell of money', () => {
    const ended = (paymentId: string, status: string) =>
      test.fixtures.sql(
        `UPDATE payments SET status = $2, ended_at = now() - interval '2 minutes' WHERE payment_id = $1`,
        [paymentId, status],
      );
    afterEach(() => test.fixtures.sql(`UPDATE payments SET status = 'given_up' WHERE status = 'paid'`));

    it('of top-ups that arrived, and of payments that were not finished', async () => {
      const buyer = await Buyer.of(test, store.clientId);
      await ended((await buyer.topUp('500')).paymentId, 'paid');
      expect(await subjects()).toEqual([`${owner.person.email}: ₹500.00 arrived in your wallet`]);
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      await ended((await buyer.pay(await place()))!.paymentId, 'given_up');
      const [mail] = await sentMails();
      expect(mail!.subject).toBe('The results of 2 payments');
      expect(mail!.text).toContain(
        'A payment of ₹100.00 was not finished within an hour and is given up. No money has arrived.',
      );
    });

    it('of a payment for orders only if it left one of them unpaid', async () => {
      const [covered, left] = [await place(), await place()];
      const { paymentId } = (await (await Buyer.of(test, store.clientId)).pay(covered, left))!;
      await ended(paymentId, 'paid');
      await service(WalletService).adjust(store.clientId, '100', 'for a test', 'test');
      await (await Buyer.of(test, store.clientId)).pay(covered);
      await test.fixtures.rewrite(
        `UPDATE orders SET paid_at = (SELECT ended_at FROM payments WHERE payment_id = $2) WHERE order_number = $1`,
        [covered, paymentId],
      );
      const [mail] = await sentMails();
      expect(mail!.text).toContain(
        `₹200.00 arrived in your wallet. It paid 1 of 2 orders. Still unpaid: ${left}.`,
      );
      await service(WalletService).adjust(store.clientId, '100', 'for a test', 'test');
      await (await Buyer.of(test, store.clientId)).pay(left);
      await test.fixtures.rewrite(
        `UPDATE orders SET paid_at = (SELECT ended_at FROM payments WHERE payment_id = $2) WHERE order_number = $1`,
        [left, paymentId],
      );
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      expect(await sentMails()).toEqual([]);
    });

    it('not of a payment through the gateway that paid all of its orders', async () => {
      const orders = [await place(), await place()];
      const payment = (await (await Buyer.of(test, store.clientId)).pay(...orders))!;
      const browser = new SandboxBrowser(test);
      await browser.comeBack(await browser.press(payment, 'pay'));
      const paid = await test.pool.query(`SELECT FROM orders WHERE status = 'pending' AND client_id = $1`, [
        store.clientId,
      ]);
      expect(paid.rowCount).toBe(2);
      for (const [table, time] of [
        ['payments', 'ended_at'],
        ['orders', 'paid_at'],
      ])
        await test.fixtures.rewrite(
          `UPDATE ${table} SET ${time} = ${time} - interval '2 minutes' WHERE client_id = $1`,
          [store.clientId],
        );
      expect(await sentMails()).toEqual([]);
    });

    it('of all that a payment brought, if it was paid twice', async () => {
      const browser = new SandboxBrowser(test);
      const payTwice = async (payment: PaymentKey) => {
        await browser.comeBack(await browser.press(payment, 'pay_twice'));
        await ended(payment.paymentId, 'paid');
        await set('wallet_entries', 'client_id', store.clientId, `created_at = now() - interval '2 minutes'`);
      };
      const buyer = await Buyer.of(test, store.clientId);
      await payTwice(await buyer.topUp('500'));
      expect(await subjects()).toEqual([`${owner.person.email}: ₹1,000.00 arrived in your wallet`]);
      await service(WalletService).adjust(store.clientId, '-1000', 'for a test', 'test');
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      await test.fixtures.sql(`UPDATE payments SET ended_at = now() - interval '1 day'`);
      const order = await place();
      await payTwice((await buyer.pay(order))!);
      await test.fixtures.rewrite(
        `UPDATE orders SET paid_at = (SELECT max(ended_at) FROM payments WHERE client_id = $2)
          WHERE order_number = $1`,
        [order, store.clientId],
      );
      const [mail] = await sentMails();
      expect(mail!.text).toContain('₹200.00 arrived in your wallet. It paid 1 of 1 order.');
    });

    it('of transfers that the wholesaler confirmed or refused, and of no announced one', async () => {
      const transfers = service(BankTransfersService);
      for (const [amount, end] of [
        ['1', 'confirm'],
        ['2', 'refuse'],
        ['3', undefined],
        ['4', 'withdraw'],
      ] as const) {
        const utr = `AXIS${store.clientId}N${amount}00000`;
        const { transfer_id: id } = await transfers.announce(store.clientId, amount, utr, 'test');
        if (end === 'withdraw') await transfers.withdraw(owner.person, String(id));
        if (end === 'confirm') await transfers.confirm(id, 'operator');
        if (end === 'refuse') await transfers.refuse(id, 'it never came', 'operator');
      }
      await test.fixtures.rewrite(
        `UPDATE bank_transfers SET decided_at = now() - interval '2 minutes'
          WHERE client_id = $1 AND status <> 'announced'`,
        [store.clientId],
      );
      const [{ text, subject }] = (await sentMails()) as [ReceivedMail];
      expect(subject).toBe('The results of 2 payments');
      expect(text).toContain(`₹1.00 (UTR AXIS${store.clientId}N100000) arrived in your wallet.`);
      expect(text).toContain(`₹2.00 (UTR AXIS${store.clientId}N200000) was refused: it never came`);
      expect(text).not.toMatch(/₹[34]\.00/);
    });
  });

  describe('tell of a low wallet', () => {
    const adjust = async (amount: string, { clientId } = store) => {
      await service(WalletService).adjust(clientId, amount, 'for a test', 'test');
      await set('wallet_entries', 'client_id', clientId, `created_at = created_at - interval '70 minutes'`);
    };

    it('once, when it falls below the amount of the person', async () => {
      const buyer = await person('buyer');
      await owner.post(NOTICES, { kinds: 'low_wallet', lowWallet: '1,000' }).expect(303);
      await buyer.post(NOTICES, { kinds: 'low_wallet', lowWallet: '300' }).expect(303);
      await adjust('1000');
      expect(await sentMails()).toEqual([]);
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '100 minutes'`);
      await adjust('5', await test.fixtures.store());
      await adjust('-0.01');
      const mail = await onlyMail();
      expect(mail).toMatchObject({
        recipient: owner.person.email,
        subject: 'Your wallet is below ₹1,000.00',
      });
      expect(mail.text).toContain('It holds ₹999.99.');
    });

    it('only while it is still low', async () => {
      await owner.post(NOTICES, { kinds: 'low_wallet', lowWallet: '1000' }).expect(303);
      for (const amount of ['1000', '-500', '500']) await adjust(amount);
      expect(await sentMails()).toEqual([]);
    });

    it('not when a payment through the gateway passes through an empty one', async () => {
      await owner.post(NOTICES, { kinds: 'low_wallet', lowWallet: '1000' }).expect(303);
      for (const amount of ['5000', '-5000']) await adjust(amount);
      expect(await sentMails()).toEqual([]);
    });
  });

  it('tell of failing calls of a store in the first of several hours', async () => {
    await choose(owner, 'calls_failing');
    const neighbour = await test.fixtures.store();
    const outsider = await person('owner', neighbour);
    await choose(outsider, 'calls_failing');
    const counted = (hoursAgo: number, status: number, requests: number, code = 'x', of = store) =>
      test.fixtures.sql(
        `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests)
         VALUES ($1, date_trunc('hour', now() - interval '6 minutes', 'UTC') - make_interval(hours => $2), 'GET',
           '/api/products', $3, $4, $5)`,
        [of.clientId, hoursAgo, status, code, requests],
      );
    const mark = (hours: number) =>
      test.fixtures.sql(
        `UPDATE notice_marks SET told_until = date_trunc('hour', now() - interval '6 minutes', 'UTC')
            - make_interval(hours => $1) + interval '6 minutes' WHERE kind = 'calls_failing'`,
        [hours],
      );
    await counted(3, 4, 19);
    await counted(2, 4, 20, 'invalid_token');
    await counted(2, 2, 20);
    await counted(1, 5, 30);
    await counted(3, 4, 40, 'x', neighbour);
    await mark(3);
    const mails = await sentMails();
    const toStranger = `${outsider.person.email}: 100 % of your store’s calls fail`;
    expect(await subjects(Promise.resolve(mails))).toContain(toStranger);
    const [mail, ...others] = mails.filter(({ recipient }) => recipient !== outsider.person.email);
    expect([mails.length, others]).toEqual([2, []]);
    expect(mail).toMatchObject({ recipient: owner.person.email, subject: '50 % of your store’s calls fail' });
    expect(mail!.text).toContain('20 of 40 calls failed');
    expect(mail!.text).toContain('The most frequent errors: invalid_token.');
    await test.fixtures.sql('UPDATE store_request_counts SET requests = 21 WHERE status_class = 2');
    await mark(3);
    const repeated = [`${owner.person.email}: 100 % of your store’s calls fail`, toStranger];
    expect(await subjects()).toEqual(repeated.toSorted());
  });

  it('tell each evening which orders were shipped', async () => {
    await choose(owner, 'order_shipped');
    const [shipped, delivered, earlier, later] = [await place(), await place(), await place(), await place()];
    const sent = (number: string, minutesAfterEvening: number, deliveredToo = false) =>
      test.fixtures.rewrite(
        `UPDATE orders SET status = CASE WHEN $3 THEN 'delivered' ELSE 'shipped' END, payment_status = 'paid',
                paid_at = now(), courier = 'Delhivery', payment_method = 'wallet',
                shipped_at = $2::timestamptz,
                delivered_at = CASE WHEN $3 THEN $2::timestamptz + interval '1 minute' END
          WHERE order_number = $1`,
        [number, new Date(EVENING + minutesAfterEvening * 60_000), deliveredToo],
      );
    // A courier's file may date a shipment back. The time of the report counts.
    const reported = (number: string) =>
      test.fixtures.sql(
        `INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
         SELECT client_id, order_number, 9, 'shipped', shipped_at, 'test' FROM orders WHERE order_number = $1`,
        [number],
      );
    await sent(shipped, -20);
    await sent(delivered, -120, true);
    await sent(earlier, -60 * 60);
    await sent(later, 20);
    for (const number of [shipped, delivered, earlier, later]) await reported(number);
    await set('orders', 'order_number', shipped, `shipped_at = shipped_at - interval '9 days'`);
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '2 days'`);
    const [mail, ...others] = (await sentMails()).filter(({ subject }) => subject.includes('shipped'));
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: owner.person.email, subject: '2 orders were shipped' });
    const named = [shipped, delivered, earlier, later].filter((number) => mail!.text.includes(number));
    expect(named).toEqual([shipped, delivered]);
    expect(await sentMails()).toEqual([]);
  });

  describe('tell of new prices', () => {
    const schedule = async (...args: string[]) => {
      const command = [...args, '--from', '2099-12-01'];
      const { change } = await answerOf<{ change: number }>(test.database.url, ...command);
      return change;
    };
    /** The start is a week after this many minutes ago. */
    const within = (change: number, minutes: number) =>
      test.fixtures.sql(
        `UPDATE price_schedules
            SET created_at = now() - interval '9 days',
                from_at = now() + interval '7 days' - make_interval(mins => $2)
          WHERE id = $1`,
        [change, minutes],
      );
    let mug: string;
    beforeEach(async () => ({ sku: mug } = await test.fixtures.product({ name: 'Mug' })));

    it('a week before, each once, the clients who see a difference', async () => {
      const neighbour = await test.fixtures.store();
      await person('owner', neighbour);
      await person('viewer');
      for (const [from, until] of [[-1, 3] as const, [20, 30] as const])
        await person('owner', await test.fixtures.store({ planId: store.planId, from, until }));
      await test.fixtures.fixedPrice(neighbour.planId, mug, '80');
      const change = await schedule('product', 'set', mug, '--base-price', '120');
      await within(change, 40 - 60);
      expect(await sentMails()).toEqual([]);
      await within(change, 70);
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      const mail = await onlyMail();
      expect(mail.recipient).toBe(owner.person.email);
      expect(mail.subject).toMatch(/^Prices change on \d+ \w+ \d{4}$/);
      expect(mail.text).toContain(`  ${mug} Mug: ₹100.00 → ₹120.00`);
      expect(mail.text).toContain('/dashboard/plan#prices');
      expect(mail.text).toContain('because you get "Prices change soon"');
      expect(await sentMails()).toEqual([]);
    });

    it('that are scheduled later at once, several in one mail', async () => {
      const { rows } = await test.pool.query<{ code: string }>('SELECT code FROM plans WHERE id = $1', [
        store.planId,
      ]);
      const changes = [
        await schedule('product', 'set', mug, '--base-price', '120'),
        await schedule('plan', 'set', rows[0]!.code, '--discount', '12.5'),
      ];
      await test.fixtures.sql(
        `UPDATE price_schedules SET created_at = now() - interval '70 minutes',
                from_at = now() + id * interval '1 hour' WHERE id = ANY ($1)`,
        [changes],
      );
      const mail = await onlyMail();
      expect(mail.subject).toBe('Prices change: 2 changes');
      expect(mail.text).toMatch(/₹100\.00 → ₹120\.00\n\nFrom .*:\n\n {2}Your discount: 0 % → 12\.5 %/);
    });

    it('not if they were withdrawn, or another plan has them', async () => {
      const withdrawn = await schedule('product', 'set', mug, '--base-price', '120');
      await answerOf(test.database.url, 'price', 'withdraw', String(withdrawn));
      const { code } = await test.fixtures.plan();
      for (const change of [withdrawn, await schedule('plan', 'set', code, '--discount', '5')])
        await within(change, 70);
      expect(await sentMails()).toEqual([]);
    });

    it('once by two nodes at the same moment', async () => {
      await within(await schedule('product', 'set', mug, '--base-price', '120'), 70);
      await runOnTwoNodes();
      expect(await sentByAnyNode()).toHaveLength(1);
    });
  });

  it('tell of each answer to a return once', async () => {
    const returns = orderReturns(test.app);
    const number = await place();
    await moveOrder(test, store, number, 'pay', 'ship');
    const request = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item', key: 'k' };
    const { number: first } = await returns.add(number, request, 'test');
    await returns.accept(first, { sendTo: 'Acme\nPune 411001', sendBy: '2099-12-12' }, 'test');
    const earlier = `now() - interval '2 minutes'`;
    await set('order_returns', 'return_number', first, `accepted_at = ${earlier}`);
    const [mail, ...more] = await sentMails();
    expect([mail!.subject, more]).toEqual([`The return ${first} is accepted`, []]);
    expect(mail!.text).toContain('Send the goods by 12 Dec 2099 to:');
    expect(mail!.text).toContain(`/dashboard/orders/${number}`);
    await returns.refuse(first, 'it never came', 'test');
    await set('order_returns', 'return_number', first, `decided_at = ${earlier}`);
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
    expect(await subjects()).toEqual([`${owner.person.email}: The return ${first} is refused`]);
    expect(await sentMails()).toEqual([]);
  });

  it('tell a client of refunds, of its suspension and of the end of its subscription, each once', async () => {
    const [viewer, neighbour] = [await person('viewer'), await test.fixtures.store()];
    await person('owner', neighbour);
    const number = await place();
    await moveOrder(test, store, number, 'pay', 'ship');
    await orderDesk(test.app).refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
    const earlier = `now() - interval '2 minutes'`;
    await set('order_refunds', 'order_number', number, `refunded_at = ${earlier}`);
    await service(ClientAdministrationService).suspend(store.clientId, 'test', 'Two cheques bounced');
    await test.fixtures.sql(`UPDATE clients SET suspended_at = ${earlier} WHERE id = $1`, [store.clientId]);
    // An hourly notice: the hour before this one.
    const endIn = (days: number) =>
      test.fixtures.sql(
        `UPDATE subscriptions SET ends_at = date_trunc('hour', now() - interval '2 minutes') - interval '30 minutes'
                + make_interval(days => $2)
          WHERE client_id = $1`,
        [store.clientId, days],
      );
    await endIn(14);
    const mails = await sentMails();
    expect(mails.map(({ recipient }) => recipient)).toEqual(Array(3).fill(owner.person.email));
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringMatching(/^Your access is suspended$/),
      expect.stringMatching(/^Your subscription ends on /),
      expect.stringMatching(/^₹\d+\.\d\d came back to your wallet$/),
    ]);
    for (const { text } of mails) expect(text).toMatch(/^\S.*\n\nHello /);
    for (const reason of [`${number}: broken`, 'The reason: Two cheques bounced'])
      expect(mails.some(({ text }) => text.includes(reason))).toBe(true);
    expect(await sentMails()).toEqual([]);
    const again = () =>
      test.fixtures.sql(
        `UPDATE notice_marks SET told_until = now() - interval '3 hours' WHERE kind = 'subscription_ends'`,
      );
    await endIn(10);
    await again();
    expect(await sentMails()).toEqual([]);
    await endIn(3);
    await again();
    expect(await sentMails()).toHaveLength(1);
    await test.fixtures.sql(
      `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
       SELECT client_id, plan_id, ends_at, ends_at + interval '1 year' FROM subscriptions WHERE client_id = $1`,
      [store.clientId],
    );
    await again();
    expect(await sentMails()).toEqual([]);
    expect(viewer.person.email).not.toBe(owner.person.email);
  });

  describe('of the desk', () => {
    const DESK_NOTICES = '/desk/notices';
    const deskPerson = async (role: 'admin' | 'staff' | 'packer') => {
      const added = await signInAtDesk(test, role);
      await test.fixtures.sql(`UPDATE people SET password_hash = 'chosen' WHERE id = $1`, [added.person.id]);
      readers.add(added.person.email);
      return added;
    };
    const offered = async (who: Pick<SignedIn, 'get'>) =>
      [...(await who.get(DESK_NOTICES).expect(200)).text.matchAll(/name="kinds" value="(\w+)"/g)].map(
        ([, kind]) => kind,
      );

    it('are chosen by each, within the role, and tell of what waits, once by two nodes', async () => {
      const [admin, clerk] = [await deskPerson('admin'), await deskPerson('staff')];
      const packer = await deskPerson('packer');
      const ofStaff = ['transfer_reported', 'return_requested', 'payment_to_check', 'low_stock'];
      expect(await Promise.all([admin, clerk, packer].map(offered))).toEqual([
        [...ofStaff, 'job_failed'],
        ofStaff,
        ['return_requested'],
      ]);
      const kinds = [...ofStaff, 'job_failed', 'payment_due'];
      for (const who of [admin, clerk, packer]) await who.post(DESK_NOTICES, { kinds }).expect(303);
      const number = await place();
      await moveOrder(test, store, number, 'pay', 'ship');
      const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item', key: 'k' };
      await orderReturns(test.app).add(number, requested, 'test');
      await service(BankTransfersService).announce(store.clientId, '500', 'UTR000000000077', 'test');
      await (await Buyer.of(test, store.clientId)).pay(await place());
      await set('payments', 'client_id', store.clientId, `concern = 'never_captured'`);
      await service(JobFailures).record('order_expiry');
      await service(JobFailures).record('order_expiry');
      await test.fixtures.product({ sku: 'LOW-1', name: 'Tea light', stock: 4 });
      const earlier = `now() - interval '2 minutes'`;
      for (const change of [
        `order_returns SET requested_at = ${earlier}`,
        `bank_transfers SET announced_at = ${earlier}`,
        `payments SET concerned_at = ${earlier}`,
      ])
        await test.fixtures.rewrite(`UPDATE ${change} WHERE client_id = $1`, [store.clientId]);
      await test.fixtures.sql(`UPDATE job_failures SET failed_at = ${earlier}`);
      await test.fixtures.sql(
        `UPDATE notice_marks SET told_until = now() - interval '30 hours' WHERE kind = 'low_stock'`,
      );
      await runOnTwoNodes();
      const mails = (await sentByAnyNode()).filter(({ recipient }) => recipient !== owner.person.email);
      const all = [
        // With those of earlier tests.
        expect.stringMatching(/^\d+ bank transfers? to confirm$/) as string,
        '1 payment needs a person',
        '1 return is requested',
        expect.stringMatching(/^Low stock: \d+ products?$/) as string,
      ];
      const subjectsOf = (who: Awaited<ReturnType<typeof deskPerson>>) =>
        mails
          .filter(({ recipient }) => recipient === who.person.email)
          .map(({ subject }) => subject)
          .toSorted();
      expect(subjectsOf(packer)).toEqual(['1 return is requested']);
      const job = '1 background job failed';
      expect([subjectsOf(clerk), subjectsOf(admin)]).toEqual([
        expect.arrayContaining(all),
        expect.arrayContaining([job, ...all]),
      ]);
      expect([subjectsOf(clerk).length, subjectsOf(admin).length]).toEqual([4, 5]);
      expect(subjectsOf(clerk)).not.toContain(job);
      const textOf = (subject: RegExp) => mails.find((mail) => subject.test(mail.subject))!.text;
      expect(textOf(/transfer/)).toContain('Anaya Home, UTR UTR000000000077');
      expect(textOf(/payment/)).toContain('Anaya Home, ₹100.00: the money was authorized');
      expect(textOf(/Low/)).toContain('LOW-1 Tea light: 4');
      expect(textOf(/job/)).toContain('Cancelling unpaid orders');
      const [, secret] = /\/desk\/notices\/off#([\w-]{43})/.exec(textOf(/job/))!;
      await admin.post(`${DESK_NOTICES}/off`, { code: secret! }).expect(200);
      expect((await admin.get(DESK_NOTICES)).text).not.toMatch(/value="job_failed" checked/);
    });
  });

  it('tell that the statement of a month is ready, once for each client', async () => {
    const month = addMonths(monthAt(Date.now(), ZONE), -1);
    const path = '/desk/money/month/statements';
    const bela = await test.fixtures.store({ name: 'Bela' });
    for (const { clientId } of [store, bela]) {
      await service(WalletService).adjust(clientId, '100', 'a gift', 'test');
      await set('wallet_entries', 'client_id', clientId, `created_at = now() - interval '62 days'`);
    }
    const staff = await signInAtDesk(test, 'staff');
    const early = await staff.post(path, { month: monthAt(Date.now(), ZONE) }).expect(409);
    expect(readable(early.text)).toContain('is not over, so its statements still change.');
    expect((await staff.get('/desk/money/month').expect(200)).text).toContain('Mail the statements');
    const review = await staff.post(path, { month }).expect(200);
    expect(readable(review.text)).toContain('Clients with a statement 2 Mailed now 1');
    expect(readable(review.text)).toContain('Without a person who gets this notice Bela Mail 1 statement');
    await Promise.all([1, 2, 3].map(() => staff.post(path, { month, step: 'confirm' }).expect(303)));
    const requested = () =>
      test.fixtures.sql(`UPDATE statement_mails SET requested_at = now() - interval '2 minutes'`);
    await requested();
    expect(await subjects()).toEqual([`${owner.person.email}: Your statement of ${formatMonth(month)}`]);
    const again = readable((await staff.post(path, { month }).expect(200)).text);
    expect(again).toContain('Mailed before 1 Mailed now 0');
    expect(again).not.toContain('Mail 1 statement');
    const late = await person('owner', bela);
    expect(await service(StatementMailsService).send(month, 'test')).toMatchObject({
      toMail: 1,
      alreadyMailed: 1,
      unreachable: [],
    });
    await requested();
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 minutes'`);
    const mails = (await sentMails()).filter(({ recipient }) => recipient === late.person.email);
    expect(mails).toMatchObject([
      { text: expect.stringContaining(`/dashboard/wallet?month=${month}`) as string },
    ]);
    expect(await test.audited('actor, details', `action = 'statements.mailed'`)).toEqual([
      { actor: expect.stringContaining(staff.person.email) as string, details: { clients: 1 } },
      { actor: 'test', details: { clients: 1 } },
    ]);
  });

  it('tell one client that its statement is ready, once, if a person gets this notice', async () => {
    const month = addMonths(monthAt(Date.now(), ZONE), -1);
    const [cara, other] = [await test.fixtures.store({ name: 'Cara' }), await test.fixtures.store({})];
    for (const { clientId } of [cara, other]) {
      await service(WalletService).adjust(clientId, '100', 'a gift', 'test');
      await set('wallet_entries', 'client_id', clientId, `created_at = now() - interval '62 days'`);
    }
    await person('owner', other);
    const staff = await signInAtDesk(test, 'staff');
    const wallet = `/desk/clients/${cara.clientId}/wallet`;
    const button = `Mail the statement of ${formatMonth(month)}`;
    const page = async () => readable((await staff.get(wallet).expect(200)).text);
    const monthEnd = '/desk/money/month';
    const mail = (fields: FormValues, who = staff) =>
      who.post(`${monthEnd}/statements`, { client: String(cara.clientId), month, ...fields });
    const press = async () => {
      const { headers } = await mail({ step: 'confirm' }).expect(303);
      expect(headers.location).toBe(`${monthEnd}?month=${month}`);
      return noticeIn(headers);
    };
    expect(await page()).not.toContain(button);
    const { text: ofAll } = await staff.get(`${monthEnd}?after=${cara.clientId - 1}`).expect(200);
    expect(ofAll).toContain('aria-label="Mail the statement of Cara"');
    expect(await press()).toContain('0 mailed now, 0 before. Without a mail: Cara.');
    const reader = await person('owner', cara);
    expect(await page()).toContain(button);
    expect(readable((await mail({ month: monthAt(Date.now(), ZONE) }).expect(409)).text)).toContain(
      'is not over',
    );
    const review = readable((await mail({}).expect(200)).text);
    expect(review).toContain(`Mail the statement of ${formatMonth(month)} to Cara?`);
    expect(review).toContain('Mailed now 1 Mail 1 statement');
    expect(await press()).toContain('1 mailed now, 0 before.');
    expect(await page()).not.toContain(button);
    expect(await press()).toContain('0 mailed now, 1 before.');
    await mail({ month: 'x' }).expect(422);
    for (const client of ['999999', '', 'x']) await mail({ client, step: 'confirm' }).expect(404);
    const packer = await signInAtDesk(test, 'packer');
    await mail({}, packer).expect(403);
    await test.fixtures.sql(`UPDATE statement_mails SET requested_at = now() - interval '2 minutes'`);
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 minutes'`);
    expect(await subjects()).toEqual([`${reader.person.email}: Your statement of ${formatMonth(month)}`]);
    const ofCara = `action = 'statements.mailed' AND client_id = ${cara.clientId}`;
    expect(await test.audited('subject, details', ofCara)).toEqual([
      { subject: `statements ${month}`, details: { clients: 1 } },
    ]);
    const silent = await startTestApp({}, test.database);
    const { text } = await (await signInAtDesk(silent, 'staff')).get(wallet).expect(200);
    expect(text).not.toContain(button);
    await silent.close();
  });

  describe('are chosen', () => {
    it('by each person, and the choice is in the audit log', async () => {
      const viewer = await person('viewer');
      const checked = async (who: SignedIn) =>
        [...(await who.get(NOTICES)).text.matchAll(/value="(\w+)" checked/g)].map(([, kind]) => kind);
      const usual = [...USUAL_KINDS];
      expect(await checked(owner)).toEqual(usual);
      expect(await checked(viewer)).toEqual([]);
      await owner
        .post(NOTICES, { kinds: ['order_shipped', 'no such kind'], lowWallet: '2,500.50' })
        .expect(303);
      await choose(viewer, 'payment_due');
      expect([await checked(owner), await checked(viewer)]).toEqual([['order_shipped'], ['payment_due']]);
      expect((await owner.get(NOTICES)).text).toContain('value="2500.50"');
      const ofOwner = `action = 'notices.changed' AND person_id = ${owner.person.id}`;
      expect(await test.audited('details', ofOwner)).toEqual([
        { details: { kinds: 'order_shipped', low_wallet: '2500.50' } },
      ]);
      await due(await place(), 22.5);
      expect(await subjects()).toEqual([`${viewer.person.email}: 1 order needs payment within a day`]);
    });

    it('by an admin for others too: at the desk, and for people of a client', async () => {
      const [admin, clerk] = [await signInAtDesk(test, 'admin'), await signInAtDesk(test, 'staff')];
      const at = async (path: string) =>
        [...(await admin.get(path).expect(200)).text.matchAll(/name="kinds" value="(\w+)" checked/g)].map(
          ([, kind]) => kind,
        );
      const ofClerk = `/desk/people/${clerk.person.id}`;
      expect(await at(ofClerk)).toEqual([]);
      await admin.post(`${ofClerk}/notices`, { kinds: ['low_stock', 'job_failed'] }).expect(303);
      // Staff cannot get the notices of admins.
      expect(await at(ofClerk)).toEqual(['low_stock']);
      const ofOwner = `/desk/clients/${store.clientId}/people/${owner.person.id}`;
      expect(await at(ofOwner)).toEqual([...USUAL_KINDS]);
      await admin.post(`${ofOwner}/notices`, { kinds: 'refund', lowWallet: '' }).expect(303);
      expect(await at(ofOwner)).toEqual(['refund']);
      const byAdmin = `action = 'notices.changed' AND person_id = ${admin.person.id}`;
      const entry = ({ person: { id } }: { person: { id: number } }, kinds: string) => ({
        subject: `person ${id}`,
        details: { kinds, low_wallet: null },
      });
      expect(await test.audited('client_id, subject, details', byAdmin)).toEqual([
        { client_id: null, ...entry(clerk, 'low_stock') },
        { client_id: store.clientId, ...entry(owner, 'refund') },
      ]);
      const unfilled = await admin.post(`${ofOwner}/notices`, { kinds: 'low_wallet', lowWallet: '' });
      expect(unfilled).toMatchObject({ status: 422, text: expect.stringContaining('field-lowWallet-fault') });
      await clerk.post(`/desk/people/${admin.person.id}/notices`, { kinds: 'low_stock' }).expect(403);
      await admin.post(`/desk/people/${owner.person.id}/notices`, { kinds: 'low_stock' }).expect(404);
      const buyer = await person('buyer');
      await buyer.post(`/dashboard/people/${owner.person.id}/notices`, { kinds: 'refund' }).expect(403);
    });

    it.each(['', 'nothing', '-5', '0'])('and a low wallet needs an amount, not %j', async (lowWallet) => {
      const { text } = await owner.post(NOTICES, { kinds: 'low_wallet', lowWallet }).expect(422);
      expect(text).toMatch(/class="fault" id="field-lowWallet-fault"/);
      expect(text).toMatch(/value="low_wallet" checked/);
    });

    it('not for people who are disabled or have never signed in', async () => {
      const known = await person('buyer');
      readers.add((await signIn(test, store.clientId)).person.email);
      await test.fixtures.sql('UPDATE people SET disabled_at = now() WHERE id = $1', [owner.person.id]);
      await due(await place(), 22.5);
      expect(await subjects()).toEqual([`${known.person.email}: 1 order needs payment within a day`]);
    });

    it('and switched off by the link of a mail, one kind of one person', async () => {
      const buyer = await person('buyer');
      const kinds = ['payment_due', 'order_cancelled', 'low_wallet', 'price_change'];
      await owner.post(NOTICES, { kinds, lowWallet: '2500' }).expect(303);
      await due(await place(), 22.5);
      const { text } = (await sentMails()).find(({ recipient }) => recipient === owner.person.email)!;
      const secret = /\/dashboard\/notices\/off#([\w-]{43})/.exec(text)![1]!;
      // The links of older mails still work after the next ones.
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      expect(await sentMails()).toHaveLength(2);
      const outsider = await signIn(test, (await test.fixtures.store()).clientId);
      const off = await outsider.post(`${NOTICES}/off`, { code: secret }).expect(200);
      expect(headline(off.text)).toBe('“Payment due” is switched off');
      await outsider.post(`${NOTICES}/off`, { code: secret }).expect(200);
      await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '3 hours'`);
      expect(await subjects()).toEqual([`${buyer.person.email}: 1 order needs payment within a day`]);
      const page = (await owner.get(NOTICES)).text;
      const left = ['order_cancelled', 'low_wallet', 'price_change'];
      expect(page.match(/value="\w+" checked/g)).toEqual(left.map((kind) => `value="${kind}" checked`));
      expect(page).toContain('value="2500.00"');
      const byLink = `details @> '{"by": "link"}' AND person_id = ${owner.person.id}`;
      expect(await test.audited('details', byLink)).toEqual([
        { details: { kinds: left.join(' '), by: 'link' } },
      ]);
      const { rows } = await test.pool.query(`SELECT encode(hash, 'hex') AS hash FROM notice_links`);
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it.each(['', 'x', 'A'.repeat(43)])('and a link that is none is refused: %j', async (code) => {
      const { text } = await owner.post(`${NOTICES}/off`, { code }).expect(410);
      expect(readable(text)).toContain('This link no longer works');
    });
  });

  it('older than a day are not sent when mail is set up late', async () => {
    await due(await place(), -2);
    await test.fixtures.sql(`UPDATE notice_marks SET told_until = now() - interval '30 days'`);
    expect(await sentMails()).toEqual([]);
  });
});
