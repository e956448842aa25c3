import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/test-app.js';
import type { Chromium } from './chromium.js';
import type { Company } from './company.js';
import type { Look } from './looks.js';
import { type PageName, PAGES } from './pages.js';

/** A page of the dashboard or the desk, in a window of its own. */
export async function openTestPage(
  chromium: Chromium,
  [test, company]: [TestApp, Company],
  name: PageName,
  look: Look,
): Promise<Page> {
  const { by, path, after } = PAGES[name];
  const page = await chromium.openPage(test, { ...look, ...(by !== 'visitor' && { as: company[by] }) });
  await page.goto(path(company));
  await after?.(page);
  return page;
}
