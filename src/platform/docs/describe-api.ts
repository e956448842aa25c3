import { ERROR_CODES } from '../errors/error-codes.js';
import { BYTES_OF_ROW, KB_FREE, PRICES, PRODUCT_BYTES, ROWS_OF_ORDER } from '../rate-limit/prices.js';

/** The introduction of the docs, in Markdown. */
export function describeApi(): string {
  return `
Read the wholesale catalog at your plan's prices, check stock, push your customers' orders and follow their status.

**Credentials.** Every request carries two headers: \`Authorization: Bearer <token>\` and \`X-Client-Domain: <your domain>\`.
Press *Authorize*, fill in both, and *Try it out* works. \`GET /api/account\` and \`GET /api/plan\` tell why credentials do not work.
The token belongs on your server, never in a browser; there are no CORS headers. Postman imports the same requests from \`/docs/postman.json\`.

**Flow.** Fetch the catalog, check the stock, create the order, pay for it in the dashboard, then poll its status for tracking.

**Polling.** Ask for what changed instead of everything: pass the \`sync_token\` of one answer as \`since\` of the next, for products, stock and
orders alike. Or send the \`ETag\` of the copy you have as \`If-None-Match\`: what has not changed is a 304. \`X-Poll-Interval\` of the order
routes says after how many seconds asking again makes sense.

**Limits.** Each client may spend a number of units a minute, with all its tokens together, which the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds until it is whole again) of every answer tell. A request is one unit, and three things cost more. Each order, SKU or
line that a request names is ${PRICES.named}. Each row that an order writes is ${PRICES.row}: ${ROWS_OF_ORDER}, and one for each line, or for each ${BYTES_OF_ROW} bytes of the body if these
are more. Each KB of an answer is ${PRICES.kilobyte}, if it has to be made for you or the answer is longer than ${KB_FREE} KB; ${1_024 / PRODUCT_BYTES} products that a filter, a page
or \`since\` looks at cost as much as a KB. What costs more than is left is served, and the requests after it wait
until that is made good. A request that is answered with 304 is given back if the answer was kept ready, as lists, products and stock
are; not with \`If-None-Match: *\`. With nothing left every request gets 429 with \`Retry-After\`, one with \`If-None-Match\` too. A few requests
of a client are worked on at a time; more wait in line for one another, and hundreds get a 429.

**Texts.** Every text is one line without control characters, but for \`notes\`, which may have line breaks and tabs: join the lines of an
address with commas. Characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069) are refused as well, because what
follows them would read otherwise on a label than it is.

**Unknown fields.** Price fields and whatever else is not described here are ignored. An order and a quote name them in \`ignored_fields\`, with the
field that was probably meant: without its \`store_order_id\` an order cannot be repeated safely. Query parameters that nobody looks at are named in the
header \`X-Ignored-Parameters\`.

**Errors.** Every error has the same body: \`code\` for machines, \`message\` for people, with 422 a list of \`errors\` that names every
fault at once (of an order: missing and invalid fields, unknown SKUs and variations together; what is short in stock when the fields are right), and the \`request_id\` that also stands in the header \`X-Request-Id\` of every answer.

<details><summary>All codes</summary>

| code | status | meaning |
| --- | --- | --- |
${Object.entries(ERROR_CODES)
  .map(([code, [status, meaning]]) => `| \`${code}\` | ${status} | ${meaning} |`)
  .join('\n')}

</details>
`.trim();
}
