import { ERROR_CODES } from '../errors/error-codes.js';

/** The introduction of the docs, in Markdown. */
export function describeApi(): string {
  return `
Read the wholesale catalog at your plan's prices, check stock, push your customers' orders and follow their status.

**Credentials.** Every request carries two headers: \`Authorization: Bearer <token>\` and \`X-Client-Domain: <your domain>\`.
Press *Authorize*, fill in both, and *Try it out* works. \`GET /api/account\` and \`GET /api/plan\` tell why credentials do not work.
The token belongs on your server, never in a browser; there are no CORS headers.

**Flow.** Fetch the catalog, check the stock, create the order, pay for it in the dashboard, then poll its status for tracking.

**Errors.** Every error has the same body: \`code\` for machines, \`message\` for people, with 422 a list of \`errors\` that names every
fault at once, and the \`request_id\` that also stands in the header \`X-Request-Id\` of every answer.

| code | status | meaning |
| --- | --- | --- |
${Object.entries(ERROR_CODES)
  .map(([code, [status, meaning]]) => `| \`${code}\` | ${status} | ${meaning} |`)
  .join('\n')}
`.trim();
}
