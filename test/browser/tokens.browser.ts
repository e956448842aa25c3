import type { Page } from 'playwright-core';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import type { Store } from '../support/fixtures.js';
import { type SignedIn, signIn } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { LOOKS } from './support/looks.js';

describe('An owner', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let store: Store;
  let owner: SignedIn;

  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await signIn(test, store.clientId);
  });

  const statusOf = async (token: string) =>
    (
      await fetch(`${test.url}/api/account`, {
        headers: { Authorization: `Bearer ${token}`, 'X-Client-Domain': store.domain },
      })
    ).status;

  async function makeToken(page: Page): Promise<string> {
    await page.goto('/dashboard/api-access');
    await page.getByRole('link', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'Copy your new token now' }).waitFor();
    return page.getByLabel('Token', { exact: true }).inputValue();
  }

  it('makes a token, copies it, and gets no second one by going back or loading anew', async () => {
    const page = await chromium.openPage(test, { as: owner });
    const token = await makeToken(page);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    expect(await statusOf(token)).toBe(200);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    expect(await page.content()).not.toContain(token);
    await page.goto('/dashboard/api-access');
    expect(await page.getByRole('row').count()).toBe(3);
    expect(await page.content()).not.toContain(token);
  });

  it.each([true, false])('replaces a token and then revokes the old one (scripts: %s)', async (scripts) => {
    const page = await chromium.openPage(test, { as: owner, scripts });
    const old = await makeToken(page);
    await page.getByRole('link', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Web shop' }).click();
    await page.getByLabel('In one hour').check();
    await page.getByRole('button', { name: 'Replace the token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect([await statusOf(old), await statusOf(token)]).toEqual([200, 200]);

    await page.goto('/dashboard/api-access');
    await page.getByText('Ends in').waitFor();
    await page.getByRole('link', { name: 'Web shop' }).first().click();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByText('is revoked.').waitFor();
    expect([await statusOf(old), await statusOf(token)]).toEqual([401, 200]);
  });

  it('finds out why a call was refused, from the plot to the field', async () => {
    const { body } = await test.post(store, '/api/orders', { items: [] }).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/requests');
    await page.getByRole('heading', { name: '1 call was refused since yesterday' }).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('table', { name: 'Calls by time' }).waitFor();
    await page.getByLabel('Request id').fill((body as { request_id: string }).request_id);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'POST /api/orders' }).click();
    await page.getByRole('cell', { name: 'customer', exact: true }).waitFor();
    expect(await page.getByLabel('Request id').inputValue()).toBe(
      (body as { request_id: string }).request_id,
    );
  });

  it.each(LOOKS)(
    'sees a new token once, in a way that everybody can use, on a $width, $scheme',
    async (look) => {
      const page = await chromium.openPage(test, { as: owner, ...look });
      await makeToken(page);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    },
  );
});
