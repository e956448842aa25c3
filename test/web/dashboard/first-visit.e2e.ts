import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { readable } from '../../support/page-text.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The first visit', () => {
  const test = setUpTestApp({
    contact: [
      { label: 'E-mail', value: 'orders@wholesale.example.com' },
      { label: 'Phone', value: '+91 98200 00000' },
      { label: 'Hours', value: '<10 to 18>' },
    ],
  });
  let sku: string;

  beforeAll(async () => {
    await test.fixtures.neighbours();
    ({ sku } = await test.fixtures.product({ basePrice: '1000.00', stock: 10_000 }));
  });

  async function place(store: Store): Promise<string> {
    return test.place(store, [{ sku, quantity: 1 }]);
  }

  it('shows a new client its first steps, ticks each off, and nothing when all are done', async () => {
    const fresh = await test.fixtures.store();
    const person = await signIn(test, fresh.clientId);
    const steps = async (who = person) => {
      const { text } = await who.get('/dashboard').expect(200);
      const html = /<ol class="steps">.*?<\/ol>/s.exec(text)?.[0] ?? '';
      return {
        done: html.match(/class="done"/g)?.length ?? 0,
        next: readable(/<li[^>]*aria-current.*?<\/li>/s.exec(html)?.[0] ?? '').trim(),
      };
    };
    await test.fixtures.sql('DELETE FROM tokens WHERE client_id = $1', [fresh.clientId]);
    expect(await steps()).toEqual({ done: 0, next: 'Create a token for your store. Create a token' });
    expect((await steps(await signIn(test, fresh.clientId, 'buyer'))).next).toBe(
      'Create a token for your store.',
    );
    const { tokenId, token } = await test.fixtures.token(fresh.clientId, fresh.domain);
    const store = {
      ...fresh,
      tokenId,
      token,
      headers: { ...fresh.headers, Authorization: `Bearer ${token}` },
    };
    expect(await steps()).toMatchObject({
      done: 1,
      next: expect.stringContaining('Let your store call') as string,
    });
    await test.get(store, '/api/products').expect(200);
    await test.app.get(TokenUsesService, { strict: false }).runSoon();
    expect(await steps()).toEqual({ done: 2, next: 'Top up your wallet. Top up' });
    await test.app.get(WalletService, { strict: false }).adjust(store.clientId, '5000', 'for a test', 'test');
    expect(await steps()).toEqual({ done: 3, next: 'Place the first order from your store.' });
    const number = await place(store);
    expect(await steps()).toMatchObject({
      done: 4,
      next: expect.stringContaining('Pay the order') as string,
    });
    await (await Buyer.of(test, store.clientId)).pay(number);
    expect(await steps()).toEqual({ done: 0, next: '' });
  });

  it('has the contact of the wholesaler one click from where it advises to ask', async () => {
    const store = await test.fixtures.store({ until: null });
    const person = await signIn(test, store.clientId, 'viewer');
    for (const path of ['/dashboard/plan', '/dashboard/catalog'])
      expect((await person.get(path).expect(200)).text).toContain(
        '<a href="/dashboard/help">the wholesaler</a>',
      );
    const { text } = await person.get('/dashboard/help').expect(200);
    expect(text).toContain('<a href="mailto:orders@wholesale.example.com">orders@wholesale.example.com</a>');
    expect(text).toContain('<a href="tel:+919820000000">+91 98200 00000</a>');
    expect(text).toContain('&lt;10 to 18>');
  });
});
