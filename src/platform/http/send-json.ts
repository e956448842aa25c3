import type { ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer of the moment, which nobody is to keep: one write, serialised exactly once. */
export function sendJson(response: ServerResponse, body: object, status?: number): void {
  const text = JSON.stringify(body);
  if (status !== undefined) response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
