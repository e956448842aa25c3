import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/test-app.js';
import type { Chromium } from './chromium.js';
import type { House } from './company.js';
import type { Look } from './looks.js';
import { type PageName, PAGES } from './pages.js';

/** A page of the dashboard or the desk, in a window of its own. */
export async function seePage(
  chromium: Chromium,
  [test, house]: [TestApp, House],
  name: PageName,
  look: Look,
): Promise<Page> {
  const { by, path, after } = PAGES[name];
  const page = await chromium.visit(test, { ...look, ...(by !== 'visitor' && { as: house[by] }) });
  await page.goto(path(house));
  await after?.(page);
  return page;
}
