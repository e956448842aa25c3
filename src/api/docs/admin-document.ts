import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { DESK_ROLES } from '../../platform/access/signed-in-person.js';
import { AdminErrorResponse } from '../../platform/http/error.response.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { VERSION } from '../../platform/version.js';
import { schemasOf } from './describe-errors.js';
import { describeOptionalExamples, withNullTypes } from './openapi-document.js';
import { partOf } from './split-document.js';

/** What the wholesaler's own programs read, and what its commands are made from. */
export function createAdminDocument(app: INestApplication): OpenAPIObject {
  const { publicUrl } = app.get<Settings>(SETTINGS);
  const config = new DocumentBuilder()
    .setTitle('Wholesale Admin API')
    .setDescription(INTRODUCTION.trim().replace(/(?<=[^\n])\n(?!\n)/g, ' '))
    .setOpenAPIVersion('3.1.0')
    .setVersion(VERSION)
    .addServer(publicUrl ?? '/', 'This server')
    .addSecurity('key', {
      type: 'http',
      scheme: 'bearer',
      description: 'An admin key. Keep it on your server; never put it into a browser.',
    })
    .build();
  Object.assign(config.info, { license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } });
  const document = SwaggerModule.createDocument(app, config, { extraModels: [AdminErrorResponse] });
  const admin = partOf(withOneError(document), 'admin');
  for (const name of OPEN_SCHEMAS) schemasOf(admin)[name]!.additionalProperties = true;
  return withNullTypes(describeOptionalExamples(admin));
}

/** Decorators of bodies name the error of stores, whose codes are listed. */
const withOneError = (document: OpenAPIObject) =>
  JSON.parse(
    JSON.stringify(document).replaceAll('/schemas/ErrorAnswer"', '/schemas/AdminError"'),
  ) as OpenAPIObject;

/** Such as the number of the order that a conflict is about, and the columns of a file. */
const OPEN_SCHEMAS = ['AdminError', 'FieldError', 'ExportedRow'];

const INTRODUCTION = `
For the wholesaler's own programs: ERP, warehouse, courier, books. It does what the desk does, by the same
rules. The [guide](/docs/admin/guide.md) leads through the first hour.

**Key.** An admin makes a key at the desk, under Settings, API keys, or with the command \`key add\`. Send it
with each request: \`Authorization: Bearer <admin key>\`. A key has one of the roles
${DESK_ROLES.map((role) => `\`${role}\``).join(', ')}, with the rights of people with this role; each includes
the ones before it. It may have an end, and networks from which it works. The audit log names it.

**Answers.** \`success\`, and \`data\`. A list has \`has_more\` and \`next\`: send \`next\` as \`after\`
for the next page. Amounts are numbers, times are ISO 8601 in UTC.

**Errors.** One body: \`code\` for programs, \`message\` for people, \`request_id\`; with
\`validation_failed\`, \`errors\` lists all faults at once. Unknown fields and parameters are refused.

**Trial.** An action with \`?dry_run=true\` checks everything and answers what it would do. It does nothing.

**Twice.** Where a repetition would do something twice, send an \`Idempotency-Key\` of your own: a repetition
gets the first answer. **Changed meanwhile.** An order has an \`ETag\`: send it as \`If-Match\`, and an action
on an order that was changed since is refused with 412.

**Limits.** Each key has the units of a client: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` say what is left.
`;
