import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { addPerson, PASSWORD, startSession } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { type Look, LOOKS } from './support/looks.js';

describe('One of a client’s people', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let clientId: number;

  beforeAll(async () => ({ clientId } = await test.fixtures.store({ name: 'Anaya Home' })));

  /** A code that was not used yet: the last one was of an earlier period. */
  async function nextCode(secret: string): Promise<string> {
    await test.pool.query('UPDATE people SET totp_last_step = totp_last_step - 1');
    return new TOTP({ secret }).generate();
  }

  async function fillIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function signedIn(look?: Look): Promise<{ page: Page; email: string }> {
    const person = await addPerson(test, clientId);
    const page = await chromium.openPage(test, { ...look, as: await startSession(test, person) });
    return { page, email: person.email };
  }

  async function beginSecondStep(page: Page): Promise<string> {
    await page.goto('/dashboard/security');
    await page.getByRole('link', { name: 'Set up a second step' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Start' }).click();
    const key = await page.getByLabel('Or enter this key in the app').inputValue();
    return key.replaceAll(' ', '');
  }

  async function confirmSecondStep(page: Page, secret: string): Promise<void> {
    await page.getByLabel('Code', { exact: true }).fill(await nextCode(secret));
    await page.getByRole('button', { name: 'Turn the second step on' }).click();
    await page.getByRole('heading', { name: 'Write down your recovery codes' }).waitFor();
  }

  const shouldBeFine = async (page: Page) => {
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  it.each([
    ['with scripts', true],
    ['without', false],
  ])('signs in where they were going, and out again, %s', async (_, scripts) => {
    const { email } = await addPerson(test, clientId);
    const page = await chromium.openPage(test, { scripts });
    await page.goto('/dashboard/security');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const inCard = await page.locator('.narrow-card').evaluate((card) => card.scrollWidth - card.clientWidth);
    expect(inCard).toBe(0);
    await fillIn(page, email, 'not this one, I think');
    expect(await page.getByRole('alert').textContent()).toContain('is wrong');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await fillIn(page, email);
    await page.waitForURL('**/dashboard/security');
    await page.getByText('This browser').waitFor();
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/dashboard/security');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('signs in by keyboard alone', async () => {
    const { email } = await addPerson(test, clientId);
    const page = await chromium.openPage(test);
    await page.goto('/dashboard/security');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/security');
    await page.getByText('This browser').waitFor();
  });

  it('sees nothing any more after the sign-out, not even by going back', async () => {
    const { page, email } = await signedIn();
    await page.goto('/dashboard/security');
    await page.getByText(email).first().waitFor();
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('sets up a second step, then signs in with a code, and with a recovery code too', async () => {
    const { page, email } = await signedIn();
    const secret = await beginSecondStep(page);
    await page.getByRole('img', { name: 'QR code for the app' }).waitFor();
    await confirmSecondStep(page, secret);
    const [code] = (await page.locator('pre').textContent())!.split('\n');

    for (const next of [() => nextCode(secret), () => Promise.resolve(code!)]) {
      const other = await chromium.openPage(test);
      await other.goto('/dashboard/security');
      await fillIn(other, email);
      await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await other.getByLabel('Code').fill('000000');
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('alert').waitFor();
      await other.getByLabel('Code').fill(await next());
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.waitForURL('**/dashboard/security');
    }
    await page.getByRole('link', { name: 'I have written them down' }).click();
    await page.getByText('9 recovery codes are left').waitFor();
  });

  it('ends the session of a browser that they do not know', async () => {
    const { page, email } = await signedIn();
    const other = await chromium.openPage(test);
    await other.goto('/dashboard/security');
    await fillIn(other, email);
    await other.getByText('This browser').waitFor();
    await page.goto('/dashboard/security');
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
    await page.getByText('That session has ended.').waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it.each(LOOKS)('can use every step of it, on a $width, $scheme', async (look) => {
    const { page, email } = await signedIn(look);
    const secret = await beginSecondStep(page);
    await shouldBeFine(page);
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Turn the second step on' }).click();
    await page.getByText('Is not the code that the app shows now').waitFor();
    await shouldBeFine(page);
    await confirmSecondStep(page, secret);
    await shouldBeFine(page);
    await page.goto('/dashboard/security/two-factor');
    await shouldBeFine(page);

    const other = await chromium.openPage(test, look);
    await other.goto('/dashboard/sign-in');
    await fillIn(other, email, 'not this one, I think');
    await shouldBeFine(other);
    await fillIn(other, email);
    await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await shouldBeFine(other);
  });

  it.each(LOOKS)('explains why sign-in does not work over plain http, on a $width, $scheme', async (look) => {
    const page = await chromium.openPage(test, look);
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '198.51.100.1' });
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Signing in needs a secure connection' }).waitFor();
    await shouldBeFine(page);
  });
});
