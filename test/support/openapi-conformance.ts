import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';
import { ERROR_CODES } from '../../src/platform/errors/error-codes.js';
import { createOpenApiDocument } from '../../src/api/docs/openapi-document.js';

type Json = Record<string, unknown>;

interface Answer {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

const compiled = new Map<string, OpenApiConformance>();

/** Compares answers with the OpenAPI document: an undocumented status, field or type is a fault. */
export class OpenApiConformance {
  private readonly document: OpenAPIObject;
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();

  /** Most apps have the same document, so its schemas are compiled once. */
  static of(app: INestApplication, create = createOpenApiDocument): OpenApiConformance {
    const document = JSON.stringify(create(app));
    const conformance = compiled.get(document) ?? new OpenApiConformance(document);
    compiled.set(document, conformance);
    return conformance;
  }

  private constructor(document: string) {
    this.document = closed(JSON.parse(document) as OpenAPIObject);
    Object.assign(this.document.components!.schemas!, { AnyError: anyError(this.document) });
    formats.default.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', ...(this.document as unknown as Json) });
  }

  check({ method, path, status, body }: Answer): void {
    const pointer = this.responsePointer(method, path, status);
    if (pointer === undefined) return;
    if (this.validatorOf(pointer)(body)) return;
    const faults = this.faultsOf(body, this.schemaOfError(body) ?? pointer);
    throw new Error(
      `${method} ${path} → ${status} is not as documented:\n${faults.join('\n')}\n` +
        JSON.stringify(body).slice(0, 500),
    );
  }

  /** Of an error by the schema of its code alone: the schema of the route has one for each code. */
  private faultsOf(body: unknown, pointer: string): string[] {
    const validate = this.validatorOf(pointer);
    if (validate(body))
      return ['The route does not document this code: name it in `@ApiErrors` or `errors`.'];
    return validate.errors!.map(({ instancePath, keyword, message, params }) => {
      const fact = (params as Json).additionalProperty;
      return keyword === 'additionalProperties' && instancePath === '' && (body as Json).success === false
        ? `Add an example of ${String(fact)} to \`documentFacts\`, or its name to SOMETIMES in error.response.ts.`
        : `${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }

  private schemaOfError(body: unknown): string | undefined {
    const { success, code } = body as Json;
    if (success !== false) return undefined;
    const schemas = Object.entries(this.document.components!.schemas!) as [string, { properties?: Json }][];
    const found = schemas.find(([name, { properties }]) => {
      const { enum: codes } = (properties?.code ?? {}) as { enum?: unknown[] };
      return name !== 'AnyError' && codes?.length === 1 && codes[0] === code;
    });
    return found && `#/components/schemas/${found[0]}`;
  }

  /** Returns the pointer to the schema of an answer. An answer without a body has none. */
  private responsePointer(method: string, path: string, status: number): string | undefined {
    const template = Object.keys(this.document.paths).find((candidate) => matches(candidate, path));
    const operation = template && (this.document.paths[template] as Json)[method.toLowerCase()];
    if (!operation) return '#/components/schemas/AnyError';
    const response = (operation as { responses: Json }).responses[status] as { content?: Json } | undefined;
    if (!response) throw new Error(`${method} ${template} does not document the status ${status}`);
    // A file, such as a PDF, has no schema to check.
    if (!response.content?.['application/json']) return undefined;
    const segments = [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    const encoded = segments.map((segment) =>
      encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    return `#/${encoded.join('/')}`;
  }

  private validatorOf(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known) return known;
    const validate = this.ajv.compile({ $ref: `openapi${pointer}` });
    this.validators.set(pointer, validate);
    return validate;
  }
}

/** Returns the document with closed object schemas, so that an undocumented field is a fault. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closed(inner) as unknown]),
  ) as Json;
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  if (copy['x-extensible-enum']) copy.enum = copy['x-extensible-enum'];
  return copy as Value;
}

/** An error with any code. Answers of undocumented addresses have codes that no route documents. */
function anyError({ components }: OpenAPIObject) {
  const errors = Object.entries(components!.schemas!)
    .filter(([name]) => name.endsWith('Error') && name !== 'FieldError')
    .map(([, schema]) => schema as { properties: Json });
  const properties = Object.assign({}, ...errors.map((error) => error.properties)) as Json;
  // Errors of the admin API have one schema.
  const isAdmin = 'AdminError' in components!.schemas!;
  const code = isAdmin ? { type: 'string' } : { enum: Object.keys(ERROR_CODES) };
  const required = ['success', 'code', 'message', 'request_id'];
  return { type: 'object', properties: { ...properties, code }, required, additionalProperties: isAdmin };
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}
