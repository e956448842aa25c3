import type { Store } from '../support/fixtures.js';
import { signIn, type SignedIn } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings } from './support/findings.js';
import { placeOrder, addStock } from './support/shop.js';

describe('With scripts', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let store: Store;
  let owner: SignedIn;

  beforeAll(async () => {
    await addStock(test);
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await signIn(test, store.clientId);
    for (let at = 0; at < 4; at++) await placeOrder(test, store, at);
  });

  it('several rows are chosen with the shift key, and the box for all rows shows it', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/orders');
    const boxes = page.locator('.choose');
    const all = page.getByRole('checkbox', { name: 'Choose all' });
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    expect(await page.locator('.choose:checked').count()).toBe(3);
    expect(await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([
      false,
      true,
    ]);
    await boxes.nth(3).click();
    expect(await all.isChecked()).toBe(true);
    await all.click();
    expect(await page.locator('.choose:checked').count()).toBe(0);
  });

  it('the keys of a list are heard on the whole page, but not in a field', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/orders');
    const chosen = page.locator('.choose:checked');
    const row = (at: number) => page.locator('tbody tr').nth(at);
    await page.keyboard.type('jjkx');
    expect([await chosen.count(), await row(0).locator('.choose').isChecked()]).toEqual([1, true]);
    await page.keyboard.type('x');
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('jkx');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jkx');
    expect(await chosen.count()).toBe(0);
    await page.locator('.choose').first().focus();
    await page.keyboard.type('jjx');
    expect(await page.locator('tbody tr:has(.choose:checked) .as-title a').count()).toBe(1);
    expect(await row(2).locator('.choose').isChecked()).toBe(true);
  });

  it('a list shows the end of a number; copies, screen readers and the search take the whole one', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/orders');
    const number = page.locator('.as-title .number').first();
    const whole = (await number.getAttribute('title'))!;
    expect(whole).toMatch(/^WO-\d{8}-\w{5}-\w{5}$/);
    expect(await page.getByRole('link', { name: whole, exact: true }).count()).toBe(1);
    expect(
      await number.locator('.number-beginning').evaluate((part) => part.getBoundingClientRect().width),
    ).toBe(0);
    await number.evaluate((part) => getSelection()!.selectAllChildren(part));
    await page.keyboard.press('Control+C');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole);
    for (const typed of [whole, whole.slice(-11)]) {
      await page.goto(`/dashboard/orders?search=${typed}`);
      expect(await page.locator('tbody tr').count()).toBe(1);
    }
  });

  it('an order in a list on a phone is low', async () => {
    const page = await chromium.openPage(test, { as: owner, width: 'phone' });
    await page.goto('/dashboard/orders');
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(130);
  });

  it('/ leads to the search and ? tells of the keys, unless a person turns the keys off', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/orders');
    const search = page.getByRole('searchbox');
    const isInSearch = () => search.evaluate((field) => field === document.activeElement);
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('/');
    expect(await isInSearch()).toBe(true);
    await page.keyboard.type('a/b?');
    expect([await search.inputValue(), await dialog.count()]).toEqual(['a/b?', 0]);
    await search.blur();
    await page.keyboard.press('?');
    await dialog.getByText('Next row of a list').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'Use these keys on every page' }).uncheck();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await dialog.count()).toBe(0);
    await page.reload();
    for (const key of ['/', '?', 'j']) await page.keyboard.press(key);
    expect([await isInSearch(), await dialog.count()]).toEqual([false, 0]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByRole('checkbox', { name: 'Use these keys on every page' }).check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await isInSearch()).toBe(true);
  });

  it('a form on its way is seen to be busy', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/wallet/auto-pay');
    const save = page.getByRole('button', { name: 'Save' });
    await save.evaluate((button) => {
      const note = () => sessionStorage.setItem('busy', getComputedStyle(button).opacity);
      document.addEventListener('submit', () => setTimeout(note));
    });
    await save.click();
    await page.locator('.notices').waitFor();
    expect(Number(await page.evaluate(() => sessionStorage.getItem('busy')))).toBeLessThan(1);
  });

  it('the menu closes by a key, and by a click anywhere else', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/orders');
    const menu = page.locator('details.menu');
    const isOpen = () => menu.evaluate((details: HTMLDetailsElement) => details.open);
    await menu.locator('summary').click();
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    await menu.locator('summary').click();
    await page.getByRole('heading', { level: 1 }).click();
    expect(await isOpen()).toBe(false);
  });

  it('what is needed elsewhere is copied by a button', async () => {
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/wallet/top-up');
    const number = page.getByLabel('Account number');
    await number.locator('xpath=..').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await number.inputValue());
  });

  it('a form is sent once, however often its button is pressed', async () => {
    const page = await chromium.openPage(test, { as: owner });
    let sent = 0;
    await page.route('**/dashboard/wallet/auto-pay', async (route) => {
      if (route.request().method() === 'POST') sent++;
      await route.continue();
    });
    await page.goto('/dashboard/wallet/auto-pay');
    const save = page.getByRole('button', { name: 'Save' });
    await save.evaluate((button: HTMLButtonElement) => {
      for (let n = 0; n < 5; n++) button.click();
    });
    await page.locator('.notices').waitFor();
    expect(sent).toBe(1);
  });
});
