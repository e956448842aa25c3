import { DataSource } from 'typeorm';
import { ClientAdministrationService } from '../../../src/modules/clients/client-administration.service.js';
import { NewClientsService } from '../../../src/modules/auth/new-clients.service.js';
import { Subscription } from '../../../src/modules/clients/client.entity.js';
import { SubscriptionAdministrationService } from '../../../src/modules/clients/subscription-administration.service.js';
import { PlanAdministration } from '../../../src/modules/plans/plan-administration.service.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { createTestDatabase } from '../../support/test-database.js';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** Midnight, so many days from now. */
const day = (days: number) => new Date(TODAY + days * DAY_MS);

describe('clients, their plans, subscriptions and tokens', () => {
  const database = makeBeforeAll(() => createTestDatabase());
  const operator = makeBeforeAll(() => OperatorServices.open(database.serviceUrl));
  let clients: ClientAdministrationService;
  let newClients: NewClientsService;
  let subscriptions: SubscriptionAdministrationService;
  let plans: PlanAdministration;

  beforeAll(async () => {
    clients = operator.app.get(ClientAdministrationService);
    newClients = operator.app.get(NewClientsService);
    subscriptions = operator.app.get(SubscriptionAdministrationService);
    plans = operator.app.get(PlanAdministration);
    await plans.set('basic', {}, 'test');
    await plans.set('gold', {}, 'test');
  });

  /** A client whose subscription to `basic` is from then until then. */
  const clientWith = async (from: Date, until: Date) => {
    const input = { name: 'Anaya', email: 'anaya@example.com', domain: 'anaya.example.com' };
    return (await newClients.add({ ...input, plan: 'basic', from, until }, 'test', { force: true })).clientId;
  };
  const periodsOf = async (clientId: number) => {
    const rows = await operator.app
      .get(DataSource)
      .getRepository(Subscription)
      .find({
        where: { clientId },
        relations: { plan: true },
        order: { startsAt: 'ASC' },
      });
    return rows.map(({ plan, startsAt, endsAt }) => [plan.code, startsAt, endsAt]);
  };

  it('leaves nothing of a client whose token cannot be registered', async () => {
    const input = { name: 'Missing', email: 'missing@example.com', plan: 'basic', until: day(30) };
    await expect(newClients.add({ ...input, domain: 'no domain' }, 'test')).rejects.toMatchObject({
      code: 'invalid_value',
    });
    expect((await clients.list()).map(({ name }) => name)).not.toContain('Missing');
  });

  it('goes on with a subscription to the same plan from where it began', async () => {
    await clientWith(day(-20), day(10));
    const id = await clientWith(day(-10), day(10));
    await subscriptions.set(id, { plan: 'basic', until: day(40) }, 'test');
    expect(await periodsOf(id)).toEqual([['basic', day(-10), day(40)]]);
  });

  it('starts a subscription now when the last one to the same plan has ended', async () => {
    const id = await clientWith(day(-20), day(-10));
    const { from } = await subscriptions.set(id, { plan: 'basic', until: day(40) }, 'test');
    expect(new Date(from).getTime()).toBeGreaterThan(day(-1).getTime());
    expect(await periodsOf(id)).toEqual([
      ['basic', day(-20), day(-10)],
      ['basic', new Date(from), day(40)],
    ]);
  });

  it.each([
    ['replaces a later one to the same plan', true],
    ['ends what runs', false],
  ])('starts a subscription to another plan now, and %s', async (_, isLater) => {
    const id = await clientWith(day(-10), day(10));
    if (isLater) await subscriptions.set(id, { plan: 'gold', from: day(20), until: day(30) }, 'test');
    const { from } = await subscriptions.set(id, { plan: 'gold', until: day(40) }, 'test');
    expect(await periodsOf(id)).toEqual([
      ['basic', day(-10), new Date(from)],
      ['gold', new Date(from), day(40)],
    ]);
  });

  it('cuts off what runs at the start of a later one, and drops what was to come after it', async () => {
    const id = await clientWith(day(-10), day(10));
    await subscriptions.set(id, { plan: 'gold', from: day(20), until: day(30) }, 'test');
    await subscriptions.set(id, { plan: 'gold', from: day(5), until: day(15) }, 'test');
    expect(await periodsOf(id)).toEqual([
      ['basic', day(-10), day(5)],
      ['gold', day(5), day(15)],
    ]);
  });

  it.each([
    [
      'that would end before it starts',
      { plan: 'gold', from: day(5), until: day(5) },
      /starts \(.*\+05:30\)/,
    ],
    ['that would end before now', { plan: 'gold', until: day(-1) }, /starts \(.*\+05:30\)/],
    ['to a plan that there is not', { plan: 'platinum', until: day(5) }, /There is no plan/],
  ])('refuses a subscription %s, and leaves the one there is', async (_, terms, message) => {
    const id = await clientWith(day(-10), day(10));
    await expect(subscriptions.set(id, terms, 'test')).rejects.toThrow(message);
    expect(await periodsOf(id)).toEqual([['basic', day(-10), day(10)]]);
  });

  it('lets those take turns who set the subscription of a client at the same moment', async () => {
    const id = await clientWith(day(-10), day(10));
    const ends = [20, 30, 40, 50, 60, 70];
    await Promise.all(
      ends.map((end) => subscriptions.set(id, { plan: 'gold', from: day(1), until: day(end) }, 'test')),
    );
    expect(await periodsOf(id)).toEqual([
      ['basic', day(-10), day(1)],
      ['gold', day(1), expect.any(Date)],
    ]);
  });

  it('ends a subscription now, drops what was to come, and says when there is nothing to end', async () => {
    const id = await clientWith(day(-10), day(10));
    await subscriptions.set(id, { plan: 'gold', from: day(5), until: day(15) }, 'test');
    const { endedAt } = await subscriptions.end(id, 'test');
    expect(await periodsOf(id)).toEqual([['basic', day(-10), endedAt]]);
    await expect(subscriptions.end(id, 'test')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('lists each client with its active subscription, else the next, else the last', async () => {
    const active = await clientWith(day(-30), day(-20));
    await subscriptions.set(active, { plan: 'gold', from: day(-10), until: day(10) }, 'test');
    await subscriptions.set(active, { plan: 'basic', from: day(10), until: day(20) }, 'test');
    const next = await clientWith(day(-30), day(-20));
    await subscriptions.set(next, { plan: 'gold', from: day(5), until: day(10) }, 'test');
    await subscriptions.set(next, { plan: 'basic', from: day(10), until: day(20) }, 'test');
    const last = await clientWith(day(-30), day(-20));
    await subscriptions.set(last, { plan: 'gold', from: day(-10), until: day(-5) }, 'test');
    const displayed = new Map((await clients.list()).map((client) => [client.id, client.subscription]));
    expect(displayed.get(active)).toMatchObject({ plan: 'gold', from: day(-10).toISOString(), active: true });
    expect(displayed.get(next)).toMatchObject({ plan: 'gold', from: day(5).toISOString(), active: false });
    expect(displayed.get(last)).toMatchObject({ plan: 'gold', from: day(-10).toISOString(), active: false });
    expect((await clients.show(next)).subscription).toEqual(displayed.get(next));
    expect((await clients.show(active)).upcoming).toMatchObject([
      { plan: 'basic', from: day(10).toISOString() },
    ]);
    expect((await clients.show(last)).upcoming).toEqual([]);
  });

  it('keeps the time of a suspension that is repeated, until it is lifted', async () => {
    const id = await clientWith(day(-10), day(10));
    const { suspendedAt } = await clients.suspend(id, 'operator:test');
    expect(await clients.suspend(id, 'operator:test')).toMatchObject({ suspendedAt });
    expect(await clients.resume(id, 'operator:test')).toMatchObject({ suspendedAt: null });
  });

  it('gives a client limits of its own, none, or those of the settings again', async () => {
    const id = await clientWith(day(-1), day(30));
    const limits = async () => {
      const { unpaidValueLimit, unpaidOrdersLimit } = await clients.show(id);
      return [unpaidValueLimit, unpaidOrdersLimit];
    };
    expect(await limits()).toEqual([null, null]);
    await clients.set(id, { unpaidValueLimit: '2500.50', unpaidOrdersLimit: '7' }, 'operator:test');
    expect(await limits()).toEqual(['2500.50', 7]);
    await clients.set(id, { unpaidValueLimit: 'none' }, 'operator:test');
    expect(await limits()).toEqual(['0.00', 7]);
    await clients.set(id, { unpaidValueLimit: 'default', unpaidOrdersLimit: 'default' }, 'operator:test');
    expect(await limits()).toEqual([null, null]);
    const wrong = ['-1', '0', '1.005', 'much', '10000000000000000'];
    for (const unpaidValueLimit of wrong)
      await expect(clients.set(id, { unpaidValueLimit }, 'operator:test')).rejects.toMatchObject({
        code: 'invalid_value',
      });
    for (const unpaidOrdersLimit of ['-1', '0', '1.5', 'many', '9999999999'])
      await expect(clients.set(id, { unpaidOrdersLimit }, 'operator:test')).rejects.toMatchObject({
        code: 'invalid_value',
      });
    expect(await limits()).toEqual([null, null]);
  });

  it('has the audit log tell who suspended, resumed or changed it, and what it was before', async () => {
    const id = await clientWith(day(-10), day(10));
    await clients.set(id, { unpaidValueLimit: '2500.50', name: 'Anaya Home' }, 'meera');
    await clients.set(id, { unpaidValueLimit: '2500.50', unpaidOrdersLimit: 'none' }, 'meera');
    await clients.set(id, { name: 'Anaya Home' }, 'meera');
    await clients.suspend(id, 'meera');
    const { suspendedAt } = await clients.show(id);
    await clients.suspend(id, 'meera');
    await clients.resume(id, 'meera');
    const notice = await operator.app.get(DataSource).query<Record<string, unknown>[]>(
      `SELECT actor, action, subject, details FROM audit_log
          WHERE client_id = $1 AND action LIKE 'client.%' ORDER BY id`,
      [id],
    );
    const by = { actor: 'meera', subject: `client ${id}` };
    const named = { name: 'Anaya Home', name_before: 'Anaya' };
    const value = { unpaid_value_limit: 2500.5, unpaid_value_limit_before: null };
    const orders = { unpaid_orders_limit: 0, unpaid_orders_limit_before: null };
    const since = suspendedAt!.toISOString();
    expect(notice).toEqual([
      { ...by, action: 'client.changed', details: { ...named, ...value } },
      { ...by, action: 'client.changed', details: orders },
      { ...by, action: 'client.suspended', details: { suspended_at: since, suspended_at_before: null } },
      { ...by, action: 'client.resumed', details: { suspended_at: null, suspended_at_before: since } },
    ]);
  });

  it('counts for a plan the subscriptions that are active, and no others', async () => {
    await plans.set('counted', {}, 'test');
    for (const [from, until] of [
      [-5, 5],
      [-10, -5],
      [5, 10],
    ] as const) {
      const id = await clientWith(day(-30), day(-20));
      await subscriptions.set(id, { plan: 'counted', from: day(from), until: day(until) }, 'test');
    }
    const listed = (await subscriptions.plans()).find(({ code }) => code === 'counted');
    expect(listed).toMatchObject({ activeSubscriptions: 1 });
  });

  it('creates a plan once when two set it at the same moment, with what both gave', async () => {
    const set = await Promise.all([
      plans.set('twice', { name: 'Twice' }, 'test'),
      plans.set('twice', { discount: '12.5%' }, 'test'),
    ]);
    expect(set.map(({ created }) => created).toSorted()).toEqual([false, true]);
    const listed = (await subscriptions.plans()).find(({ code }) => code === 'twice');
    expect(listed).toEqual({
      code: 'twice',
      name: 'Twice',
      discount: 12.5,
      fixedPrices: 0,
      activeSubscriptions: 0,
    });
  });
});
