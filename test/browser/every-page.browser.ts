import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, routesBelow } from '../support/routes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { type Company, openCompany } from './support/company.js';
import { LOOKS, turnTo } from './support/looks.js';
import { type PageName, PAGE_NAMES, PAGES } from './support/pages.js';
import { openTestPage } from './support/open-test-page.js';

/** All that a colour scheme can change. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Dashboard and desk both have these pages. Those of the dashboard are checked. */
const SHARED = ['/desk/link', '/desk/link/password', '/desk/reset', '/desk/sign-in/code'];

/** Addresses that answer with a file. */
const FILES = ['/desk/money/register'];

/** A window of Chromium may stop answering. Then the page is opened once more; a finding is final. */
async function againIfStuck<Result>(look: () => Promise<Result>): Promise<Result> {
  const first = look();
  first.catch(() => undefined);
  return (await Promise.race([first, pause(STUCK_MS, undefined, { ref: false })])) ?? look();
}

const STUCK_MS = 60_000;

describe('Every page', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let company: Company;

  beforeAll(async () => {
    // Paid orders are late.
    test = await startTestApp({ shipWithinDays: 0, eInvoicesFrom: '2026-01-01' });
    company = await openCompany(test);
  });
  afterAll(() => test.close());

  it('of the desk without parameters is looked at', () => {
    const visited = PAGE_NAMES.map((name) => PAGES[name].path(company).split('?', 1)[0]);
    const plain = routesBelow(test, '/desk').filter((route) => /^GET [^:.]+$/.test(route));
    const paths = plain.map((route) => addressOf(route));
    const others = [...SHARED, ...FILES].toSorted();
    expect(paths.filter((path) => !visited.includes(path)).toSorted()).toEqual(others);
  });

  it.each(PAGE_NAMES)(
    'can be used by everybody, on a phone and on a desk, light and dark: %s',
    async (name) => {
      const looked = await againIfStuck(() => lookAt(name));
      expect(looked).toEqual({
        headings: 1,
        looks: LOOKS.map((look) => ({ look, findings: [], overflow: 0 })),
      });
    },
  );

  async function lookAt(name: PageName) {
    const page = await openTestPage(chromium, [test, company], name, LOOKS[0]!);
    const headings = await page.locator('h1').count();
    const looks = [];
    for (const look of LOOKS) {
      await turnTo(page, look);
      const findings = await axeFindings(page, look.scheme === 'dark' ? OF_COLOURS : undefined);
      looks.push({ look, findings, overflow: await overflow(page) });
    }
    return { headings, looks };
  }
});
