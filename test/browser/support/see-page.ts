import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/test-app.js';
import type { Chromium } from './chromium.js';
import type { Look } from './looks.js';
import { type PageName, PAGES } from './pages.js';
import type { Shop } from './shop.js';

/** One of the dashboard's pages, in a window of its own. */
export async function seePage(
  chromium: Chromium,
  [test, shop]: [TestApp, Shop],
  name: PageName,
  look: Look,
): Promise<Page> {
  const { by, path, after } = PAGES[name];
  const page = await chromium.visit(test, { ...look, ...(by !== 'visitor' && { as: shop[by] }) });
  await page.goto(path(shop));
  await after?.(page);
  return page;
}
