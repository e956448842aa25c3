import type { Locator, Page } from 'playwright-core';
import type { Store } from '../support/fixtures.js';
import { signIn, type SignedIn } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { WalletService } from '../../src/modules/wallet/wallet.service.js';
import { browserUrl, Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { placeOrder, addStock } from './support/shop.js';

describe('Paying', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let store: Store;
  let buyer: SignedIn;

  beforeAll(() => addStock(test));
  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
    buyer = await signIn(test, store.clientId, 'buyer');
  });

  const payIn = (amount: string) =>
    test.app.get(WalletService).adjust(store.clientId, amount, 'for a test', 'test');

  /** The status that a polling store reads. */
  const statusOf = async (number: string) => {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    return (body as { status: string }).status;
  };

  const notice = async (page: Page) => (await page.locator('.notices').allInnerTexts()).join();
  /** Fails with what the page says instead. */
  const message = async (page: Page, text: string) => {
    const notices = page.locator('.notices', { hasText: text });
    await notices.waitFor().catch(async (cause: unknown) => {
      throw new Error(`${page.url()}: ${await page.locator('body').innerText()}`, { cause });
    });
  };
  const titled = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  it('takes the order that a store has just pushed, by one click on the first page', async () => {
    await payIn('5000.00');
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard');
    await titled(page, 'No orders wait for payment');
    const number = await placeOrder(test, store);
    await page.reload();
    await titled(page, '1 order waits for payment');
    await page.getByRole('link', { name: number }).waitFor();
    expect(await statusOf(number)).toBe('awaiting_payment');
    await page.getByRole('button', { name: 'Pay it from wallet · ₹609.00' }).click();
    await message(page, '1 order is paid: ₹609.00 from your wallet.');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    expect(await statusOf(number)).toBe('pending');
    // It was said once.
    await page.reload();
    expect(await notice(page)).toBe('');
  });

  it('takes three with one click, which says before what it will pay', async () => {
    await payIn('5000.00');
    const numbers = [];
    for (let at = 0; at < 3; at++) numbers.push(await placeOrder(test, store, at));
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard/orders');
    expect(await page.getByRole('button', { name: 'Choose orders to pay' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: `Choose order ${numbers[1]}` }).check();
    await page.getByRole('button', { name: 'Pay 1 from wallet · ₹1,879.00' }).waitFor();
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByRole('button', { name: 'Pay 3 from wallet · ₹3,148.00' }).click();
    await message(page, '3 orders are paid: ₹3,148.00 from your wallet.');
    expect(await Promise.all(numbers.map(statusOf))).toEqual(['pending', 'pending', 'pending']);
  });

  it('is done by keyboard alone: in the list j and k go from row to row, x chooses', async () => {
    await payIn('5000.00');
    for (let at = 0; at < 3; at++) await placeOrder(test, store, at);
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard/orders');
    await page.getByRole('checkbox', { name: 'Choose all' }).focus();
    for (const key of ['j', 'x', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Pay 2 from wallet · ₹2,539.00' }).focus();
    await page.keyboard.press('Enter');
    await message(page, '2 orders are paid: ₹2,539.00 from your wallet.');
  });

  describe.each(['phone', 'desk'] as const)('of 55 waiting orders, on a %s,', (width) => {
    /** Whether it is in the window as far as it is scrolled. */
    async function isInView(page: Page, part: Locator): Promise<boolean> {
      const box = (await part.boundingBox())!;
      return box.y >= 0 && box.y + box.height <= page.viewportSize()!.height;
    }

    beforeEach(async () => {
      await payIn('5000.00');
      await test.fixtures.orders(store, 55);
    });

    it('keeps its button in view, and takes a whole page by one box', async () => {
      const page = await chromium.openPage(test, { as: buyer, width });
      await page.goto('/dashboard/orders?group=to_pay');
      const none = page.getByRole('button', { name: 'Choose orders to pay' });
      await page.locator('tbody tr').nth(20).scrollIntoViewIfNeeded();
      expect(await isInView(page, none)).toBe(true);
      await page.locator('tbody .choose').nth(20).check();
      const one = page.getByRole('button', { name: 'Pay 1 from wallet · ₹1.00' });
      expect(await isInView(page, one)).toBe(true);
      await page.getByRole('checkbox', { name: 'Choose all' }).check();
      const button = page.getByRole('button', { name: 'Pay 50 from wallet · ₹50.00' });
      expect(await isInView(page, button)).toBe(true);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await button.click();
      await message(page, '50 orders are paid: ₹50.00 from your wallet.');
      expect(new URL(page.url()).search).toBe('?group=to_pay');
      expect(await page.locator('tbody tr').count()).toBe(5);
    });

    it.each([true, false])('takes them all, and returns to the list: scripts %s', async (scripts) => {
      const page = await chromium.openPage(test, { as: buyer, width, scripts });
      await page.goto('/dashboard/orders?group=to_pay');
      const all = page.getByRole('link', { name: 'Review and pay all 55 · ₹55.00' });
      expect(await isInView(page, all)).toBe(true);
      await all.click();
      await titled(page, 'Pay 55 orders · ₹55.00');
      await page.getByRole('button', { name: 'Pay ₹55.00 from wallet' }).click();
      await message(page, '55 orders are paid: ₹55.00 from your wallet.');
      expect(new URL(page.url()).search).toBe('?group=to_pay');
    });
  });

  it('needs no scripts: what is chosen is looked through before it is paid', async () => {
    await payIn('5000.00');
    const [first, second] = [await placeOrder(test, store, 0), await placeOrder(test, store, 1)];
    const page = await chromium.openPage(test, { as: buyer, scripts: false });
    await page.goto('/dashboard/orders');
    await page.getByRole('checkbox', { name: `Choose order ${first}` }).check();
    await page.getByRole('button', { name: 'Review and pay the selected orders' }).click();
    await titled(page, 'Pay 1 order · ₹609.00');
    await page.getByRole('button', { name: 'Pay ₹609.00 from wallet' }).click();
    expect(await notice(page)).toBe('1 order is paid: ₹609.00 from your wallet.');
    expect([await statusOf(first), await statusOf(second)]).toEqual(['pending', 'awaiting_payment']);
  });

  it('goes through the gateway for what the wallet lacks', async () => {
    await payIn('9.00');
    const number = await placeOrder(test, store);
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard/orders');
    await page.getByRole('checkbox', { name: `Choose order ${number}` }).check();
    await page.getByRole('button', { name: 'Review and pay 1 · ₹609.00' }).click();
    await page.getByRole('button', { name: 'Pay ₹600.00 through the gateway' }).click();
    await atTheSandbox(page);
    await titled(page, 'Thank you, your payment is complete');
    expect(await statusOf(number)).toBe('pending');
    await page.getByRole('link', { name: 'Back to your orders' }).click();
    await titled(page, /^All orders · \d/);
  });

  it('is not started again at the gateway when the buyer comes back from there', async () => {
    await placeOrder(test, store);
    const page = await chromium.openPage(test, { as: buyer });
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/sandbox-gateway/')) sent++;
    });
    await page.goto('/dashboard');
    await page.getByRole('link', { name: /^Review and pay/ }).click();
    await page.getByRole('button', { name: /^Pay .* through the gateway/ }).click();
    await page.waitForURL('**/sandbox-gateway/**');
    await page.goBack();
    await page.waitForLoadState('networkidle');
    expect(page.url()).toContain('/dashboard/');
    expect(sent).toBe(1);
    await page.goto(`${browserUrl(test)}/dashboard`);
    await page.getByRole('link', { name: 'Continue or give it up' }).click();
    await page.getByRole('link', { name: /^Continue and pay/ }).click();
    await page.waitForURL('**/sandbox-gateway/**');
    expect(sent).toBe(2);
    await page.goBack();
    await page.waitForLoadState('networkidle');
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(sent).toBe(2);
  });

  it('appears by itself for a buyer who waits', async () => {
    await placeOrder(test, store);
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard');
    await page.getByRole('link', { name: /^Review and pay/ }).click();
    await page.getByRole('button', { name: /^Pay .* through the gateway/ }).click();
    await page.waitForURL('**/sandbox-gateway/**');
    const otherPlace = await chromium.openPage(test, { as: buyer });
    await otherPlace.goto('/dashboard');
    await titled(otherPlace, '1 order is being paid');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await otherPlace.getByRole('heading', { name: 'No orders wait for payment' }).waitFor();
  });

  it('is prepared by a top-up', async () => {
    const page = await chromium.openPage(test, { as: buyer });
    await page.goto('/dashboard/wallet');
    await page.getByRole('link', { name: 'Top up' }).click();
    await page.getByLabel('Amount (₹)', { exact: true }).fill('2500');
    await page.getByRole('button', { name: 'Continue to the gateway' }).click();
    await atTheSandbox(page);
    await page.goto('/dashboard/wallet');
    await titled(page, '₹2,500.00 in your wallet');
  });

  /** The browser is sent there by itself, or by a button. */
  async function atTheSandbox(page: Page): Promise<void> {
    await page.waitForURL('**/sandbox-gateway/**');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('button', { name: /^Return to/ }).click();
    await page.waitForURL('**/payments/*');
  }

  it('is refused in a second window, where the order is paid already, and says so', async () => {
    await payIn('5000.00');
    await placeOrder(test, store);
    const [one, other] = [
      await chromium.openPage(test, { as: buyer }),
      await chromium.openPage(test, { as: buyer }),
    ];
    for (const page of [one, other]) {
      await page.goto('/dashboard');
    }
    await one.getByRole('button', { name: /^Pay it/ }).click();
    await message(one, '1 order is paid');
    await other.getByRole('button', { name: /^Pay it/ }).click();
    await other.getByText('was already paid').waitFor();
    await titled(other, 'Already paid');
    await other.goto('/dashboard/wallet');
    await titled(other, '₹4,391.00 in your wallet');
  });
});
