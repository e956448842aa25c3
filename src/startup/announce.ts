import type { DemoCredentials } from '../demo/load-demo.js';
import { log } from './log.js';

/** What a newcomer needs next. */
export function announce(listeningAt: string, demo: DemoCredentials | undefined): void {
  const url = listeningAt
    .replace('[::1]', 'localhost')
    .replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::\])(?=:|$)/, '//localhost');
  log(`\nThe wholesale order API listens at ${url}`);
  log(`Docs: ${url}/docs`);
  if (!demo) return;
  log('Try it with the demo credentials:\n');
  log(
    `curl ${url}/api/products -H 'Authorization: Bearer ${demo.token}' -H 'X-Client-Domain: ${demo.domain}'\n`,
  );
}
