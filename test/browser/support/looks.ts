import type { Page } from 'playwright-core';

/** In pixels. */
export const WIDTHS = { phone: 360, desk: 1280 } as const;

/** How a page is looked at. */
export interface Look {
  width: keyof typeof WIDTHS;
  scheme: 'light' | 'dark';
}

export const LOOKS: Look[] = [
  { width: 'phone', scheme: 'light' },
  { width: 'phone', scheme: 'dark' },
  { width: 'desk', scheme: 'light' },
  { width: 'desk', scheme: 'dark' },
];

/** Looks at the same page in another way. */
export async function turnTo(page: Page, { width, scheme }: Look): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[width], height: 800 });
  await page.emulateMedia({ colorScheme: scheme });
  // Their ends are looked at. Waiting for one that is not drawn could take for ever.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
  });
}
