import type { ServerResponse } from 'node:http';
import { contentPolicy, type PageRights } from './content-policy.js';

/** What every answer of a browser's door has, files and errors too. */
export function setPageHeaders(response: ServerResponse, rights: PageRights = {}): void {
  response.setHeader('Content-Security-Policy', contentPolicy(rights));
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
}
