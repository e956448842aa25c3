import fc from 'fast-check';
import type { Store } from '../fixtures.js';
import { fromSchema, type Schema } from './from-schema.js';
import type { RawRequest } from './raw-request.js';

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];

/** Only characters that Node can send in a header. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const pathText = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 80,
  })
  .map((text) => text.replaceAll('#', ''));

/**
 * Returns requests for every operation of the document with occasional faults, and some for unknown
 * operations.
 */
export function anyRequest(
  document: OpenApi,
  store: Store,
  known: Record<string, string[]>,
): fc.Arbitrary<RawRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ofOperation(path, method.toUpperCase(), operation)),
  );
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...operations) }, { weight: 1, arbitrary: beyond() });

  function ofOperation(
    template: string,
    method: string,
    { parameters = [], requestBody }: Operation,
  ): fc.Arbitrary<RawRequest> {
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema
      ? bodyOf(fromSchema(schema, document.components.schemas, known))
      : fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: garbage });
    return fc.record({
      method: fc.constant(method),
      path: pathOf(template, parameters),
      headers: headersOf(schema !== undefined),
      body,
    });
  }

  function pathOf(template: string, parameters: NonNullable<Operation['parameters']>): fc.Arbitrary<string> {
    const parts = template
      .split(/(\{[^}]+\})/)
      .map((part) => (part.startsWith('{') ? segment(part.slice(1, -1)) : fc.constant(part)));
    const query = parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema = {} }) => pair(name, schema));
    return fc
      .tuple(
        fc.tuple(...parts),
        fc.subarray(query).chain((chosen) => fc.tuple(...chosen)),
      )
      .map(([path, pairs]) => {
        const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
        return `${path.join('')}${search}`;
      });
  }

  function segment(name: string): fc.Arbitrary<string> {
    const usual = fc.constantFrom(...(known[name] ?? ['X'])).map(encodeURIComponent);
    return fc.oneof(
      { weight: 3, arbitrary: usual },
      { weight: 2, arbitrary: encoded },
      { weight: 1, arbitrary: pathText },
    );
  }

  function pair(name: string, schema: Schema): fc.Arbitrary<string> {
    const usual = fromSchema(schema, document.components.schemas, known).map(
      (value) => `${name}=${encodeText(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
    );
    return fc.oneof(
      { weight: 4, arbitrary: usual },
      { weight: 1, arbitrary: pathText.map((text) => `${name}=${text}`) },
      { weight: 1, arbitrary: pathText },
    );
  }

  function headersOf(hasBody: boolean): fc.Arbitrary<Record<string, string>> {
    const type = fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    );
    return fc
      .record({
        access: fc.oneof(
          { weight: 12, arbitrary: fc.constant(store.headers) },
          { weight: 1, arbitrary: strangeAccess },
        ),
        type,
        more: fc.dictionary(
          fc.constantFrom(
            'If-None-Match',
            'Accept',
            'Accept-Encoding',
            'X-Request-Id',
            'Idempotency-Key',
            'Range',
            'Content-Encoding',
          ),
          headerText,
          { maxKeys: 1 },
        ),
      })
      .map(({ access, type: contentType, more }) => ({
        ...access,
        ...(hasBody && { 'Content-Type': contentType }),
        ...more,
      }));
  }

  function beyond(): fc.Arbitrary<RawRequest> {
    const path = fc.oneof(
      pathText.map((text) => `/${text}`),
      pathText.map((text) => `/api/${text}`),
      fc.constantFrom(...Object.keys(document.paths)),
    );
    return fc.record({ method: fc.constantFrom(...METHODS), path, headers: headersOf(true), body: garbage });
  }
}

const none = fc.constant(Buffer.alloc(0));
const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('[', '{"a":1,"a":2}', '"\\ud800"', '['.repeat(9_000), '{}', 'null', '\ufeff{}')
    .map((text) => Buffer.from(text)),
);
const encoded = fc.string({ unit: 'binary', maxLength: 70 }).map(encodeText);
const strangeAccess = fc.record(
  { Authorization: headerText, 'X-Client-Domain': headerText },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

function bodyOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const json = values.map((value) => Buffer.from(JSON.stringify(value) ?? 'null'));
  return fc.oneof(
    { weight: 15, arbitrary: json },
    { weight: 1, arbitrary: garbage },
    { weight: 1, arbitrary: json.map((bytes) => bytes.subarray(0, -1)) },
  );
}

/** A lone surrogate has no encoding, so its three bytes are sent, which are invalid UTF-8. */
function encodeText(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : `${encodeURIComponent(text.toWellFormed())}%ED%A0%80`;
}
