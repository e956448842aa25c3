import type { DemoCredentials } from '../../demo/load-demo.js';
import { log } from './log.js';

/** What a newcomer needs next. */
export function announce(listeningAt: string, demo: DemoCredentials | undefined): void {
  const url = listeningAt
    .replace('[::1]', 'localhost')
    .replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::\])(?=:|$)/, '//localhost');
  const lines = ['', `The wholesale order API listens at ${url}`, `Docs: ${url}/docs`];
  if (demo) lines.push('Try it with the demo credentials:', '', curlLine(url, demo), '');
  log(lines.join('\n'));
}

function curlLine(url: string, { token, domain }: DemoCredentials): string {
  return `curl ${url}/api/products -H 'Authorization: Bearer ${token}' -H 'X-Client-Domain: ${domain}'`;
}
