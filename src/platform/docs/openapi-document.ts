import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_CODES } from '../errors/error-codes.js';
import { ErrorResponse } from '../http/error.response.js';
import { BYTES_OF_ROW, KB_FREE, PRICES, PRODUCT_BYTES, ROWS_OF_ORDER } from '../rate-limit/prices.js';
import { describeHeaders } from './describe-headers.js';

/** The document that Swagger UI shows, clients are generated from and the tests hold every answer against. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Wholesale Order API')
    .setDescription(describeApi())
    .setOpenAPIVersion('3.1.0')
    .setVersion('1.0.0')
    .addServer('/', 'This server')
    .addTag('Catalog', 'What may be sold, at the prices of your plan.')
    .addTag('Stock', 'What can be sold right now.')
    .addTag('Orders', 'Place orders and follow them.')
    .addTag('Account', 'Find out why credentials do not work.')
    .addTag('Health', 'For balancers and monitors; no credentials.')
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'Your API token. Keep it on your server; never put it into a browser.',
    })
    .addSecurity('domain', {
      type: 'apiKey',
      in: 'header',
      name: 'X-Client-Domain',
      description: 'The domain the token is registered to, such as `store.example.com`.',
    })
    .build();
  // Of its own by SPDX: there is no page about it that could be named.
  Object.assign(config.info, { license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } });
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ErrorResponse] });
  return withNullTypes(describeHeaders(tellExamplesOfOptionalParameters(document)));
}

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

interface Parameter {
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: { example?: unknown };
}

/**
 * Swagger UI fills in the example of every parameter, and nobody means all the filters at once. Those that may be left out tell
 * theirs in words instead, so that "Try it out" works as it stands.
 */
export function tellExamplesOfOptionalParameters(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { parameters?: Parameter[] }[]) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'query' && !parameter.required) tellExample(parameter);
      }
    }
  }
  return document;
}

function tellExample(parameter: Parameter): void {
  const example = parameter.example ?? parameter.schema?.example;
  if (example === undefined) return;
  delete parameter.example;
  delete parameter.schema?.example;
  parameter.description = `${parameter.description ?? ''} For example \`${String(example)}\`.`.trim();
}

type Json = Record<string, unknown>;

/**
 * Nest writes `nullable`, which OpenAPI 3.1 no longer knows and which never allowed null beside a reference. Here it becomes
 * the null type that every reader of JSON Schema understands.
 */
export function withNullTypes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNullTypes) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withNullTypes(inner) as unknown]),
  ) as Json;
  return (copy.nullable === true ? allowNull(copy) : copy) as Value;
}

function allowNull({ nullable: _, type, allOf, ...schema }: Json): Json {
  if (Array.isArray(allOf)) return { ...schema, oneOf: [...(allOf as unknown[]), { type: 'null' }] };
  const values = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...values, type: [type, 'null'] };
}
