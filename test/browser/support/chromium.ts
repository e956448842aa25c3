import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core';
import type { SignedIn } from '../../support/sign-in.js';
import type { TestApp } from '../../support/test-app.js';
import { type Look, WIDTHS } from './looks.js';
import { launchChromium } from './launch-chromium.js';

interface BrowserOptions extends Partial<Look> {
  /** A person with a session. */
  as?: Pick<SignedIn, 'cookie'>;
  scripts?: boolean;
}

/**
 * A browser for the tests of a file. Script errors, missing files and violations of the
 * Content-Security-Policy fail the current test.
 */
export class Chromium {
  private browser: Browser;
  private contexts: BrowserContext[] = [];
  private complaints: string[] = [];

  /** Adds its hooks to the surrounding `describe`. */
  constructor() {
    beforeAll(async () => {
      this.browser = await launchChromium();
    });
    afterEach(async () => {
      await Promise.all(this.contexts.splice(0).map((context) => context.close()));
      const complaints = this.complaints.splice(0);
      if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join('\n')}`);
    });
    afterAll(() => this.browser?.close());
  }

  /** A window with its own cookies. It takes addresses without their origin. */
  async openPage(
    test: TestApp,
    { as, scripts = true, width = 'desk', scheme = 'light' }: BrowserOptions = {},
  ): Promise<Page> {
    const baseURL = browserUrl(test);
    const context = await this.browser.newContext({
      baseURL,
      javaScriptEnabled: scripts,
      colorScheme: scheme,
      viewport: { width: WIDTHS[width], height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.contexts.push(context);
    if (as) {
      const [name, value] = as.cookie.split('=') as [string, string];
      await context.addCookies([{ name, value, url: baseURL, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    page.on('console', (message) => this.watchErrors(message, page));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    return page;
  }

  /** That the page itself was answered with a 404 or a 422 is what a test may be about. */
  private watchErrors(message: ConsoleMessage, page: Page): void {
    const isOfPage =
      message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (message.type() === 'error' && !isOfPage) this.complaints.push(message.text());
  }
}

/** Clicks a link and waits until its page is loaded: what the test reads next is not of the page before. */
export async function follow(page: Page, link: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), link.click()]);
}

/** By its name, as the service calls itself: the gateway sends back to there. */
export function browserUrl({ url }: TestApp): string {
  return `http://localhost:${new URL(url).port}`;
}
