import { orderBody } from '../support/order-body.js';
import { signIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RENEW = 'Ask <a href="/dashboard/help">the wholesaler</a> to renew it';

describe('The plan in the dashboard', () => {
  let test: TestApp;
  beforeAll(
    async () => void (test = await startTestApp({ rateLimitPerMinute: 1_200, unpaidOrdersLimit: 10 })),
  );
  afterAll(() => test.close());

  const planOf = async (clientId: number) =>
    (await (await signIn(test, clientId, 'viewer')).get('/dashboard/plan').expect(200)).text;

  it('says at which discount a client buys, until when, and what it may leave unpaid', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'Growth <b>', discount: '12.5' });
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    await test.fixtures.fixedPrice(planId, sku, '80.00');
    const store = await test.fixtures.store({ planId, until: 90 });
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
    const text = await planOf(store.clientId);
    expect(text).toContain('<h1>Your plan is Growth &lt;b></h1>');
    expect(text).toContain('12.5 %');
    expect(text).toContain('1 product<');
    expect(text).toContain('₹160.00');
    expect(text).toContain('1 of at most 10');
    expect(text).toContain('1,200 units per minute');
    expect(text).toContain('No further subscription is agreed.');
    expect(text).not.toContain(RENEW);
  });

  it('warns before a subscription ends that nothing follows, and tells what does', async () => {
    const { id: next } = await test.fixtures.plan({ name: 'Premium', discount: '20' });
    const store = await test.fixtures.store({ until: 10 });
    expect(await planOf(store.clientId)).toContain(RENEW);
    await test.fixtures.subscription(store.clientId, next, 10, 375);
    const text = await planOf(store.clientId);
    expect(text).not.toContain(RENEW);
    expect(text).toMatch(/Premium.*20 %/s);
  });

  it('says that a subscription has ended, or never was', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'The last one' });
    const ended = await test.fixtures.store({ from: -60, until: -30 });
    await test.fixtures.subscription(ended.clientId, planId, -30, -1);
    const text = await planOf(ended.clientId);
    expect(text).toContain('<h1>Your subscription has ended</h1>');
    expect(text).toContain('Your plan was The last one, until');
    const { clientId } = await test.fixtures.store({ until: null });
    expect(await planOf(clientId)).toContain('<h1>You have no subscription</h1>');
  });
});
