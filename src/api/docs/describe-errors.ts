import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES, type StoreErrorCode } from '../../platform/errors/error-codes.js';
import { factsOf } from '../../platform/http/error.response.js';

type Json = Record<string, unknown>;

interface Content {
  schema?: { $ref?: string; oneOf?: object[] };
  examples?: object;
}

type Responses = Record<string, { content?: Record<string, Content | undefined> }>;

interface Schema {
  properties?: Record<string, Json>;
  enum?: unknown[];
  [more: string]: unknown;
}

export const schemasOf = (document: OpenAPIObject) => document.components!.schemas as Record<string, Schema>;

/** The schema of `duplicate_order` is `DuplicateOrderError`. */
function errorName(code: string): string {
  const words = code.replace(/_error$/, '').split('_');
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Error`;
}

/** Each status of each route lists its errors, so a program that compares `code` knows the other fields. */
export function describeErrors(document: OpenAPIObject): void {
  const schemas = schemasOf(document);
  const { ErrorAnswer: all, ...others } = schemas;
  const used = new Set<string>();
  for (const item of Object.values(document.paths)) {
    for (const { responses = {} } of Object.values(item) as { responses?: Responses }[]) {
      for (const { content } of Object.values(responses)) {
        const json = content?.['application/json'];
        if (json?.schema?.$ref !== '#/components/schemas/ErrorAnswer') continue;
        const codes = Object.keys(json.examples!);
        const references = codes.map((code) => ({ $ref: `#/components/schemas/${errorName(code)}` }));
        json.schema = references.length === 1 ? references[0]! : { oneOf: references };
        for (const code of codes) used.add(code);
      }
    }
  }
  const errors = [...used].map((code) => [errorName(code), errorSchema(all!, code as StoreErrorCode)]);
  document.components!.schemas = { ...others, ...Object.fromEntries(errors) } as typeof schemas;
}

function errorSchema({ properties }: Schema, code: StoreErrorCode): Schema {
  const { always, sometimes } = factsOf(code);
  const required = ['success', 'code', 'message', ...always, 'doc_url', 'request_id'];
  const fields = [...required, ...sometimes].map((name) => [name, properties![name]]);
  const [, meaning] = ERROR_CODES[code];
  const own = { code: { type: 'string', enum: [code], description: meaning, example: code } };
  return { type: 'object', required, properties: { ...Object.fromEntries(fields), ...own } };
}
