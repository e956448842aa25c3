import type { ServerResponse } from 'node:http';
import { contentPolicy, type PageRights } from './content-policy.js';

/** What every answer of a browser's door has, files and errors too. */
export function pageHeaders(rights: PageRights = {}): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', contentPolicy(rights)],
    ['Referrer-Policy', 'same-origin'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
}

/** For who leaves the head of the answer to others. */
export function setPageHeaders(response: ServerResponse): void {
  for (const [name, value] of pageHeaders()) response.setHeader(name, value);
}
