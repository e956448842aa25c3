import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { type Company, openCompany } from './support/company.js';
import { LOOKS } from './support/looks.js';
import { PAGE_NAMES } from './support/pages.js';
import { openTestPage } from './support/open-test-page.js';

const { PICTURES, PICTURE_OF_README } = process.env;

/** No suite, but made by the same means: see scripts/screenshots.mjs. */
describe('A picture', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let company: Company;

  beforeAll(async () => {
    // Paid orders are late.
    test = await startTestApp({ shipWithinDays: 0, eInvoicesFrom: '2026-01-01' });
    company = await openCompany(test);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => test.close());

  (PICTURES ? describe.each(LOOKS) : describe.skip.each(LOOKS))('by a $width, $scheme', (look) => {
    it.each(PAGE_NAMES)('of %s', async (name) => {
      const page = await openTestPage(chromium, [test, company], name, look);
      const file = `${name}-${look.width}-${look.scheme}.png`;
      await page.screenshot({ path: path.join(PICTURES!, file), fullPage: true });
    });
  });

  (PICTURE_OF_README ? it : it.skip)('for the README', async () => {
    const page = await chromium.openPage(test, { as: company.owner });
    await page.goto('/dashboard/orders');
    for (const box of (await page.locator('.choose').all()).slice(0, 2)) await box.check();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: PICTURE_OF_README!, clip: { x: 0, y: 0, width: 1280, height: 800 } });
  });
});
