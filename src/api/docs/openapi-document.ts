import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { TEST_FAILURE_HEADER } from '../../platform/access/test-failure.js';
import { ERROR_CODES, FIELD_CODES } from '../../platform/errors/error-codes.js';
import { ErrorResponse } from '../../platform/http/error.response.js';
import { SENT } from '../../platform/http/send-answer.js';
import { MAX_DEBT_MINUTES } from '../../platform/limits/allowance.js';
import { UNIT } from '../../platform/limits/work-meter.js';
import { IGNORED_PARAMETERS_HEADER } from '../../platform/validation/ignored-parameters.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { VERSION } from '../../platform/version.js';
import { addCodeSamples } from './code-samples.js';
import { describeErrors, schemasOf } from './describe-errors.js';
import { partOf } from './split-document.js';

/** Swagger UI shows this document, client generators read it, and tests check every answer against it. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const { publicUrl } = app.get<Settings>(SETTINGS);
  const config = new DocumentBuilder()
    .setTitle('Wholesale Order API')
    .setDescription(describeApi())
    .setOpenAPIVersion('3.1.0')
    .setVersion(VERSION)
    .addServer(publicUrl ?? '/', 'This server')
    .addTag('Catalog', 'The products that you may sell, at the prices of your plan.')
    .addTag('Stock', 'The stock that can be sold right now.')
    .addTag('Orders', 'Place orders and follow them.')
    .addTag('Test orders', 'Try your whole flow with a test token.')
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
  // No page describes the licence, so it has an SPDX identifier instead of a URL.
  Object.assign(config.info, { license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } });
  const all = SwaggerModule.createDocument(app, config, { extraModels: [ErrorResponse] });
  const document = partOf(all, 'stores');
  describeErrors(document);
  markGrowingEnums(document);
  return addCodeSamples(withNullTypes(withShortNames(describeHeaders(describeOptionalExamples(document)))));
}

/** The introduction of the docs, in Markdown. */
export function describeApi(): string {
  const markdown = `
Read the wholesale catalog at your plan's prices, check stock, push your customers' orders and follow their
status. The [guide](/docs/guide) leads to a first order in ten minutes, and has clients to download.

**Credentials.** Every request carries two headers: \`Authorization: Bearer <token>\` and \`X-Client-Domain:
<your domain>\`. Press *Authorize*, fill in both, and *Try it out* works. \`GET /api/account\` and \`GET
/api/plan\` show why credentials do not work. A read-only token places and cancels nothing; a
test token places test orders, which hold and cost nothing. Every token
belongs on your server, never in a browser; there are no CORS headers. Postman imports
\`/docs/openapi.json\`; then set \`baseUrl\`, the token and a header \`X-Client-Domain\`.

**Flow.** Fetch the catalog, check the stock, create the order, pay for it in the dashboard, then poll its
status for tracking. If goods come back, ask for a return.

**Polling.** Ask for changes instead of full lists: pass the \`sync_token\` of one answer as \`since\` of the
next, for products, stock and orders. Or send the \`ETag\` of your copy as \`If-None-Match\`: if nothing
changed, the answer is a 304. On order routes \`X-Poll-Interval\` gives the seconds after which a new request
makes sense.

**Failures on demand.** With a test token, the header \`${TEST_FAILURE_HEADER}\` makes a request fail as a
real one would: \`sold_out\` and \`price_changed\` on \`POST /api/orders\`, \`rate_limited\` and
\`unavailable\` on every address. Nothing is changed.

**Limits.** Each client has a number of units per minute, for all its tokens together: once for orders and
quotes, and once for all other requests, so that reads and PDFs never delay an order. Its test tokens have as
many again. Every answer to a good token has the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds until the limit is full again). A request costs one unit, and more if its work
takes longer. A unit pays for:

- ${UNIT.loopMs} ms of the service's processor,
- ${UNIT.threadMs} ms of a thread that draws PDFs,
- ${UNIT.connectionMs} ms of a connection to the database, or
- ${1 / SENT.kilobyte} KB of an answer, if it is longer than ${SENT.freeKilobytes} KB.

So a stock check costs one, an order about ten, a PDF about a hundred. Work is counted while it is done, so
the last of it shows in the next answer. A request that costs more than is left is served, and later requests
wait until the debt is paid, for ${MAX_DEBT_MINUTES} minutes at most. A 304 costs nothing if its answer is
kept in memory, as catalog and stock are, but not with \`If-None-Match: *\`. With nothing left, every
request gets 429 with \`Retry-After\`. A client may have a few requests in progress at a time. Further
requests wait in a queue; if hundreds wait, the next ones get 429.

**Texts.** Every text is one line without control characters. Only \`notes\` and \`note\` may have line breaks
and tabs: join the lines of an address with commas. Characters that change the direction of text (U+202A to
U+202E, U+2066 to U+2069) are refused, because a label would show another text than the one that is stored.

**Unknown fields.** Price fields and all other unknown fields are ignored. An order and a quote list them in
\`ignored_fields\`, with a similar known field: without its \`store_order_id\` an order cannot be repeated
safely. A 422 lists them too. The header \`X-Ignored-Parameters\` lists unknown query parameters, and lists
repeat them in \`ignored_parameters\`. A list refuses with 422 a parameter that differs from a known one by
brackets, case or one letter, parameters of other lists, and names of other APIs for pages and filters,
such as \`page\` and \`email\`: the answer would look right. An address without a body refuses one, unless
it is empty, such as \`{}\`. A list in the query may be written as \`a=1,2\`,
\`a=1&a=2\`, \`a[]=1&a[]=2\` or \`a[0]=1&a[1]=2\`. Beside plain commas, \`%2C\` belongs to a name.

**Versions.** The path has no version. What this page lists is neither changed nor removed. New addresses,
optional parameters, fields and codes may come at any time: ignore unknown fields, and treat an unknown
\`code\` by its status. An incompatible change would get its own path, and this one would work for 12 more
months. Enums with \`x-extensible-enum\` may get more values.

**Errors.** Every error has the same body: \`code\` for programs, \`message\` for people, and the
\`request_id\`, which every answer also has in the header \`X-Request-Id\`. An \`X-Request-Id\` of yours is
kept if it has 8 to 64 letters, digits, \`_\`, \`.\` or \`-\`. With 422, \`errors\` lists every
fault at once. For an order these are missing and invalid fields, unknown SKUs and variations together; stock
is checked once the fields are right.

<details><summary>All codes</summary>

| code | status | meaning, and what to do |
| --- | --- | --- |
${Object.entries(ERROR_CODES)
  .map(([code, [status, meaning, advice]]) => `| \`${code}\` | ${status} | ${meaning} ${advice} |`)
  .join('\n')}

</details>

<details><summary>All codes of fields</summary>

| code in \`errors\` | meaning |
| --- | --- |
${Object.entries(FIELD_CODES)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}

</details>
`;
  // Swagger UI shows every line break, also those within a paragraph.
  return markdown.trim().replace(/(?<=[^\n|])\n *(?![\n|-]|<\/?details)/g, ' ');
}

interface Parameter {
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: { example?: unknown };
}

/**
 * Swagger UI fills in the example of every parameter, and all filters together match nothing. Optional
 * parameters describe their example as text, so that "Try it out" works.
 */
export function describeOptionalExamples(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { parameters?: Parameter[] }[]) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'query' && !parameter.required) describeExample(parameter);
        if (parameter.in === 'path') liftExample(parameter);
      }
    }
  }
  return document;
}

function describeExample(parameter: Parameter): void {
  const example = parameter.example ?? parameter.schema?.example;
  if (example === undefined) return;
  delete parameter.example;
  delete parameter.schema?.example;
  parameter.description = `${parameter.description ?? ''} For example \`${String(example)}\`.`.trim();
}

/** Moves the example out of the schema, where Nest writes it and some tools do not look. */
function liftExample(parameter: Parameter): void {
  parameter.example ??= parameter.schema?.example;
  delete parameter.schema?.example;
}

type Json = Record<string, unknown>;

/** Adds Zalando's mark to enums that may get more values. */
function markGrowingEnums(document: OpenAPIObject): void {
  const { FieldError, ...schemas } = schemasOf(document);
  FieldError!.properties!.code!['x-extensible-enum'] = Object.keys(FIELD_CODES);
  for (const schema of Object.values(schemas)) if (schema.enum) schema['x-extensible-enum'] = schema.enum;
}

/** For stores, a `PlanResponse` is called `Plan`. */
function withShortNames(document: OpenAPIObject): OpenAPIObject {
  const short = JSON.stringify(document).replaceAll(
    /"(#\/components\/schemas\/)?([A-Z][A-Za-z]*)Response"/g,
    '"$1$2"',
  );
  return JSON.parse(short) as OpenAPIObject;
}

/** Nest writes `nullable`, which OpenAPI 3.1 dropped. This turns it into the null type of JSON Schema. */
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

interface Operation {
  security?: object[];
  responses?: Record<string, { headers?: Record<string, unknown> }>;
}

const REQUEST_ID = {
  'X-Request-Id': {
    description:
      'Names the request in our logs: your own `X-Request-Id` if it has 8 to 64 letters, digits, `_`, `.` ' +
      'or `-`, else a new one.',
    schema: { type: 'string' },
    example: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  },
} as const;

const RATE_LIMIT = {
  'RateLimit-Limit': {
    description:
      'Units that the client may spend per minute, with all its tokens together, at the process that ' +
      'answers: those for orders and quotes, or those for other requests. Absent if there is no limit.',
    schema: { type: 'integer', minimum: 1 },
    example: 12_000,
  },
  'RateLimit-Remaining': {
    description: 'Units that are left now.',
    schema: { type: 'integer', minimum: 0 },
    example: 11_999,
  },
  'RateLimit-Reset': {
    description:
      'Seconds until all units are available again; more than 60 if a request cost more than was left.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
} as const;

const IGNORED_PARAMETERS = {
  [IGNORED_PARAMETERS_HEADER]: {
    description: 'Query parameters that were ignored, percent-encoded; only if there are any.',
    schema: { type: 'string' },
    example: 'brand',
  },
} as const;

/** Documents the headers of every answer in one place. */
export function describeHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as Operation[]) describe(operation);
  }
  document.components = {
    ...document.components,
    headers: { ...REQUEST_ID, ...RATE_LIMIT, ...IGNORED_PARAMETERS },
  };
  return document;
}

/** Requests without a valid token are not counted. Answers to refused requests name no parameters. */
function describe({ security = [], responses = {} }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    const counted = security.length > 0 && status !== '401';
    const admitted = counted && status !== '403' && status !== '429';
    response.headers = {
      ...response.headers,
      ...referencesTo(REQUEST_ID),
      ...(counted && referencesTo(RATE_LIMIT)),
      ...(admitted && referencesTo(IGNORED_PARAMETERS)),
    };
  }
}

function referencesTo(headers: object) {
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
