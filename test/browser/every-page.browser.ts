import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { type House, openHouse } from './support/house.js';
import { LOOKS } from './support/looks.js';
import { PAGE_NAMES } from './support/pages.js';
import { seePage } from './support/see-page.js';

describe('Every page', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let house: House;

  beforeAll(async () => {
    // Paid orders are late.
    test = await startTestApp({ shipWithinDays: 0 });
    house = await openHouse(test);
  });
  afterAll(() => test.close());

  describe.each(LOOKS)('on a $width, $scheme', (look) => {
    it.each(PAGE_NAMES)('can be used by everybody: %s', async (name) => {
      const page = await seePage(chromium, [test, house], name, look);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    });
  });
});
