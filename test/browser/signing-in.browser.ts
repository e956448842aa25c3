import type { Page } from 'playwright-core';
import type { Store } from '../support/fixtures.js';
import { addPerson, PASSWORD } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';

describe('Signing in', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let store: Store;

  beforeAll(async () => {
    test = await startTestApp();
    store = await test.fixtures.store({ name: 'Anaya Home' });
  });
  afterAll(() => test.close());

  const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

  it('is done by keyboard alone, and leads to the page that was asked for', async () => {
    const { email } = await addPerson(test, store.clientId);
    const page = await chromium.visit(test);
    await page.goto('/dashboard/security');
    expect(await titleOf(page)).toBe('Sign in');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/security');
    expect(await titleOf(page)).toBe('Security');
  });

  it('says what was wrong and leaves what was typed, but for the password', async () => {
    const { email } = await addPerson(test, store.clientId);
    const page = await chromium.visit(test);
    await page.goto('/dashboard');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('something else entirely');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('is not right').waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
  });

  it('needs no scripts', async () => {
    const { email } = await addPerson(test, store.clientId);
    const page = await chromium.visit(test, { scripts: false });
    await page.goto('/dashboard/security');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await titleOf(page)).toBe('Security');
  });

  it('ends by the menu, and nothing of it is seen again by going back', async () => {
    const { email } = await addPerson(test, store.clientId);
    const page = await chromium.visit(test);
    await page.goto('/dashboard/security');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/security');
    await page.getByText('Test owner').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/dashboard/sign-in');
    await page.goBack();
    expect(await titleOf(page)).toBe('Sign in');
  });
});
