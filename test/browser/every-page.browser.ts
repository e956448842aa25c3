import { addressOf, routesBelow } from '../support/routes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { type House, openHouse } from './support/company.js';
import { LOOKS, turnTo } from './support/looks.js';
import { PAGE_NAMES, PAGES } from './support/pages.js';
import { seePage } from './support/open-test-page.js';

/** All that a colour scheme can change. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Both doors have them; the dashboard's are looked at. */
const SHARED = ['/desk/link', '/desk/link/password', '/desk/reset', '/desk/sign-in/code'];

describe('Every page', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let house: House;

  beforeAll(async () => {
    // Paid orders are late.
    test = await startTestApp({ shipWithinDays: 0, eInvoicesFrom: '2026-01-01' });
    house = await openHouse(test);
  });
  afterAll(() => test.close());

  it('of the desk without parameters is looked at', () => {
    const seen = PAGE_NAMES.map((name) => PAGES[name].path(house).split('?', 1)[0]);
    const plain = routesBelow(test, '/desk').filter((route) => /^GET [^:.]+$/.test(route));
    const paths = plain.map((route) => addressOf(route));
    expect(paths.filter((path) => !seen.includes(path)).toSorted()).toEqual(SHARED);
  });

  it.each(PAGE_NAMES)(
    'can be used by everybody, on a phone and on a desk, light and dark: %s',
    async (name) => {
      const page = await seePage(chromium, [test, house], name, LOOKS[0]!);
      expect(await page.locator('h1').count()).toBe(1);
      for (const look of LOOKS) {
        await turnTo(page, look);
        const findings = await axeFindings(page, look.scheme === 'dark' ? OF_COLOURS : undefined);
        expect({ look, findings, overflow: await overflow(page) }).toEqual({
          look,
          findings: [],
          overflow: 0,
        });
      }
    },
  );
});
