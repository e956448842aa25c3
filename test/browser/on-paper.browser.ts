import { setUpTestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { overflow } from './support/findings.js';
import { openShop, type Shop } from './support/shop.js';

/** Of an A4 sheet between its margins, in pixels of the style sheet. */
const SHEET = { width: 718, height: 1_000 };

describe('On paper', () => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop(test);
  });

  it.each(['/dashboard/orders', '/dashboard/wallet', '/dashboard/requests', '/dashboard/catalog'])(
    '%s is a table that fits, dark on white, without what one presses',
    async (path) => {
      const page = await chromium.openPage(test, { as: shop.owner, scheme: 'dark' });
      await page.setViewportSize(SHEET);
      await page.goto(path);
      await page.emulateMedia({ media: 'print' });
      expect(await overflow(page)).toBe(0);
      // The figures of a plot are a table too, which is folded away.
      const displayed = page.locator('.table').filter({ visible: true }).first();
      expect(await displayed.locator('thead th').first().isVisible()).toBe(true);
      for (const part of ['.bar', '.button', '.search', '.choose'])
        expect([part, await page.locator(part).filter({ visible: true }).count()]).toEqual([part, 0]);
      const colours = await displayed
        .locator('td')
        .first()
        .evaluate((cell) => [getComputedStyle(cell).color, getComputedStyle(document.body).color]);
      expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(0, 0, 0)']);
    },
  );

  it('tells whose it is, and exact times instead of "3 hours ago"', async () => {
    const page = await chromium.openPage(test, { as: shop.owner });
    await page.goto('/dashboard/orders');
    const head = page.locator('main > .paper');
    const time = page.locator('td time').first();
    const displayed = () =>
      time.evaluate((element: HTMLElement) => [element.innerText.trim(), element.title]);
    expect(await head.isVisible()).toBe(false);
    expect(await displayed()).toEqual([expect.stringMatching(/ago|now|yesterday|in /), expect.any(String)]);
    await page.emulateMedia({ media: 'print' });
    expect(await head.innerText()).toMatch(/^.+, \d+ \w+ 20\d\d, \d\d:\d\d$/);
    const [text, title] = await displayed();
    const message = await time.evaluate((element) => getComputedStyle(element, '::before').content);
    expect([text, message]).toEqual(['', `"${title}"`]);
    expect(await page.locator('.zone').innerText()).toMatch(/^Times are in Asia\/Kolkata/);
  });
});
