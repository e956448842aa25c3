import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's, unless another one is named. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export async function launchChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE))
    throw new Error(
      `There is no Chromium at ${EXECUTABLE}. Install the package "chromium", or set CHROMIUM to its path.`,
    );
  // Chromium's sandbox does not work for root in a container.
  return chromium.launch({ executablePath: EXECUTABLE, chromiumSandbox: process.getuid?.() !== 0 });
}
