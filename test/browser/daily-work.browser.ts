import type { Page } from 'playwright-core';
import { writePeriod } from '../../src/modules/request-log/kept-requests/request-figures.repository.js';
import { addPerson, PASSWORD, startSession } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { Chromium, follow } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { openShop, type Shop } from './support/shop.js';

const WIDTHS = ['phone', 'desk'] as const;

describe('In daily work', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop(test);
  });

  const shouldBeFine = async (page: Page) => {
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  describe.each(WIDTHS)('on a %s', (width) => {
    it.each([true, false])('the list of orders is sorted by its headings: scripts %s', async (scripts) => {
      const page = await chromium.openPage(test, { as: shop.owner, width, scripts });
      await page.goto('/dashboard/orders');
      const totals = async () =>
        (await page.locator('tbody .as-amount').allInnerTexts()).map((text) =>
          Number(text.replace(/[₹,]/g, '')),
        );
      const heading = page.getByRole('columnheader', { name: 'Total' }).getByRole('link');
      await follow(page, heading);
      const falling = await totals();
      expect(falling).toEqual(falling.toSorted((a, b) => b - a));
      await follow(page, heading);
      expect(await totals()).toEqual(falling.toReversed());
      if (scripts) await shouldBeFine(page);
    });

    it('long names of a client and a person cover no link of the navigation', async () => {
      const page = await chromium.openPage(test, { as: shop.owner, width });
      await page.goto('/dashboard/wallet');
      await page.evaluate(() => {
        document.querySelector('.brand')!.textContent = 'Sri Lakshmi Venkateswara Handlooms and Sons';
        document.querySelector('.menu-name')!.textContent =
          'Venkatanarasimharajuvaripeta Krishnamurthy Subramaniam';
      });
      const [links, menu] = await Promise.all([
        page.locator('.navigation').boundingBox(),
        page.locator('.menu').boundingBox(),
      ]);
      const lastLink = (await page.locator('.navigation a').last().boundingBox())!;
      const isBeside = lastLink.x + lastLink.width <= menu!.x || width === 'phone';
      expect(isBeside || menu!.y >= links!.y + links!.height).toBe(true);
      await shouldBeFine(page);
    });

    it('a bar of the plot leads to the calls of its hour, as the table below it does', async () => {
      const page = await chromium.openPage(test, { as: shop.owner, width });
      await page.goto('/dashboard/requests');
      const every = await page.locator('.as-title .code').count();
      // The hour of the shop's calls. It is the last one until the clock strikes.
      const { rows } = await test.pool.query<{ hour: Date }>(
        "SELECT date_trunc('hour', max(answered_at), 'UTC') AS hour FROM store_requests WHERE client_id = $1",
        [shop.store.clientId],
      );
      const hour = `a[href*="${encodeURIComponent(writePeriod(rows[0]!.hour))}"]`;
      await follow(page, page.locator('.plot-area').first().locator(hour));
      expect(await page.locator('.plot .current').count()).toBe(2);
      expect(await page.locator('.as-title .code').count()).toBe(every);
      await follow(page, page.locator('.plot-area').first().locator('a').nth(3));
      await page.getByText('No writes, refusals or failures match in this time.').waitFor();
      await page.getByText('As a table').click();
      await shouldBeFine(page);
      await follow(page, page.locator(`details .as-title ${hour}`));
      expect(await page.locator('.as-title .code').count()).toBe(every);
      await follow(page, page.getByRole('link', { name: 'Show all hours' }));
      expect(new URL(page.url()).search).toBe('');
    });

    it('the texts of the plot stand under their bars, and refusals are seen beside many reads', async () => {
      const page = await chromium.openPage(test, { as: shop.owner, width });
      for (const path of ['/dashboard/requests', '/dashboard/requests?span=all']) {
        await page.goto(path);
        const ticks = page.locator('.plot-ticks > span');
        const bars = page.locator('.plot-area').first().locator('.plot-touch');
        const labelled = [];
        for (let at = 0; at < (await ticks.count()); at++) {
          if ((await ticks.nth(at).innerText()) === '') continue;
          const [text, bar] = await Promise.all([
            ticks.nth(at).locator('> span').boundingBox(),
            bars.nth(at).boundingBox(),
          ]);
          labelled.push(Math.abs(text!.x + text!.width / 2 - (bar!.x + bar!.width / 2)));
        }
        expect(labelled.length).toBeGreaterThan(4);
        expect(Math.max(...labelled)).toBeLessThan(1);
        const small = await page.locator('.plot-area.apart rect:is(.warn, .bad)').all();
        expect(small.length).toBeGreaterThan(3);
        for (const rect of small) expect((await rect.boundingBox())!.height).toBeGreaterThanOrEqual(1);
      }
    });

    it.each([true, false])('the first wrong field has the focus: scripts %s', async (scripts) => {
      const page = await chromium.openPage(test, { as: shop.owner, width, scripts });
      await page.goto('/dashboard/wallet/top-up');
      await page.getByLabel('Amount sent').fill('much');
      await page.getByLabel('UTR').fill('UTR');
      await page.getByRole('button', { name: 'Report the transfer' }).click();
      await page.locator('.fault').first().waitFor();
      expect(await page.title()).toMatch(/^Error: /);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('sent');
      await page.goto('/dashboard/wallet/top-up');
      expect(await page.title()).not.toMatch(/^Error/);
    });

    it('a form that comes after the session has ended is named, and sign-in leads back to its page', async () => {
      const person = await addPerson(test, shop.store.clientId);
      const page = await chromium.openPage(test, { as: await startSession(test, person), width });
      await page.goto('/dashboard/wallet/auto-pay');
      await test.fixtures.sql('DELETE FROM sessions WHERE person_id = $1', [person.id]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('so the form “Auto-pay” was not sent. Nothing was changed.').waitFor();
      await page.getByLabel('E-mail address').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard/wallet/auto-pay');
    });

    it('one skips to the orders by keyboard', async () => {
      const page = await chromium.openPage(test, { as: shop.owner, width });
      await page.goto('/dashboard/orders');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to orders' });
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
      await shouldBeFine(page);
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('orders');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('#orders') !== null)).toBe(true);
    });
  });

  it('a thumb hits every link in a card of a phone', async () => {
    const page = await chromium.openPage(test, { as: shop.owner, width: 'phone' });
    for (const path of [
      '',
      '/orders',
      `/orders/${shop.shipped}`,
      '/requests',
      '/wallet',
      '/people',
      '/catalog',
    ]) {
      await page.goto(`/dashboard${path}`);
      const links = page.locator(
        '.card :is(td, dd) a:not(.button):visible, .tabs a, .presets a, thead a:visible',
      );
      const low = await links.evaluateAll((found) =>
        found
          .map((link) => [link.textContent, link.getBoundingClientRect().height] as const)
          .filter(([, height]) => height < 44),
      );
      expect([path, low]).toEqual([path, []]);
    }
  });

  it('the plot can be read in forced colours', async () => {
    const page = await chromium.openPage(test, { as: shop.owner });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/dashboard/requests?span=all');
    const fillOf = (of: string) =>
      page
        .locator(`.plot ${of}`)
        .first()
        .evaluate((rect) => getComputedStyle(rect).fill);
    expect(await fillOf('.plot-touch')).toBe('rgba(0, 0, 0, 0)');
    const fills = [await fillOf('rect.accent'), await fillOf('rect.warn'), await fillOf('rect.bad')];
    expect(new Set(fills).size).toBe(3);
    const swatches = await page
      .locator('.legend')
      .evaluateAll((legends) =>
        legends.map((legend) => getComputedStyle(legend, '::before').backgroundColor),
      );
    expect(swatches).toEqual(fills);
  });

  it('the bare address leads to the dashboard', async () => {
    const page = await chromium.openPage(test, { as: shop.owner });
    await page.goto('/');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });
});
