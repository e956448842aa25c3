import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv } from 'ajv';
import * as formats from 'ajv-formats';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import request from 'supertest';
import { ERROR_CODES, FIELD_CODES } from '../../src/platform/errors/error-codes.js';
import { VERSION } from '../../src/platform/version.js';
import { sendRaw } from '../support/fuzz/raw-request.js';
import { endEverything } from '../support/suite-end.js';
import { setUpTestApp } from '../support/test-app.js';

interface Described {
  in?: string;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
  schema?: object;
}

/** The types of the client, and the schemas with the same fields. */
const CLIENT_TYPES = {
  Order: 'CreateOrder',
  Quote: 'Quote',
  QuoteItem: 'QuoteItem',
  OrderItem: 'OrderItem',
  Warning: 'OrderWarning',
  OrderStatus: 'OrderStatusForm',
  OrderDetails: 'OrderDetails',
  OrderedItem: 'OrderedItem',
  Tracking: 'Tracking',
  Return: 'Return',
  ReturnedLine: 'ReturnedLine',
  Refund: 'Refund',
  TaxDocument: 'TaxDocument',
};

describe('The OpenAPI document', () => {
  const test = setUpTestApp({ publicUrl: 'https://api.wholesale.test' });
  let document: OpenAPIObject;

  beforeAll(async () => {
    document = (await request(test.url).get('/docs/openapi.json').expect(200)).body as OpenAPIObject;
  });

  it('has the fields of the types of wholesale.mjs', async () => {
    const source = await readFile('examples/wholesale.d.mts', 'utf8');
    const fieldsOf = (name: string): string[] => {
      const [, base, body = ''] = new RegExp(
        `interface ${name}(?: extends (\\w+))? \\{\\n([^]*?)\\n\\}`,
      ).exec(source)!;
      const own = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field!);
      return base === undefined ? own : [...fieldsOf(base), ...own];
    };
    const described = (schema: string) =>
      Object.keys((document.components!.schemas![schema] as { properties: object }).properties);
    const ofAnswers = new Set(['success', 'ignored_fields']);
    const [typed, documented] = [
      ([name]: [string, string]) => [name, fieldsOf(name).toSorted()],
      ([name, schema]: [string, string]) => [
        name,
        described(schema)
          .filter((field) => !ofAnswers.has(field))
          .toSorted(),
      ],
    ];
    const types = Object.entries(CLIENT_TYPES);
    expect(types.map(typed)).toEqual(types.map(documented));
    // A 409 for the same order is an answer of `place` too.
    expect(described('OrderCreated')).toEqual(expect.arrayContaining(fieldsOf('Placed')));
  });

  it('passes the public linter without errors and warnings', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
      const redocly = join(process.cwd(), 'node_modules', '.bin', 'redocly');
      const { stdout, stderr } = await promisify(execFile)(
        redocly,
        ['lint', join(directory, 'openapi.json')],
        {
          env: {
            ...process.env,
            NODE_OPTIONS: '',
            REDOCLY_TELEMETRY: 'off',
            REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
          },
        },
      );
      expect(stderr).toContain('Your API description is valid');
      expect(stdout + stderr).not.toContain('Warning was generated');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('has the version of the service', () => {
    expect(document.info.version).toBe(VERSION);
  });

  it('names the public address, which generated clients use', () => {
    expect(document.servers).toEqual([{ url: 'https://api.wholesale.test', description: 'This server' }]);
  });

  it('describes the five endpoints of the contract', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /api/products',
        'GET /api/products/{sku}',
        'GET /api/products/{sku}/stock',
        'POST /api/orders',
        'GET /api/orders/{order_number}/status',
      ]),
    );
  });

  it('describes every field, and requires both headers for every /api route', () => {
    const faults: string[] = [];
    for (const [name, schema] of Object.entries(document.components!.schemas!)) {
      for (const [field, property] of Object.entries(('properties' in schema && schema.properties) || {})) {
        if (
          !('$ref' in property) &&
          !property.description &&
          property.example === undefined &&
          !property.allOf
        ) {
          faults.push(`${name}.${field}`);
        }
      }
    }
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item) as { security?: object[] }[]) {
        const expected = path.startsWith('/api/') ? [{ token: [], domain: [] }] : [];
        if (JSON.stringify(operation.security) !== JSON.stringify(expected)) faults.push(path);
      }
    }
    expect(faults).toEqual([]);
  });

  it('describes the headers of every answer, with rate limit headers after the token check', () => {
    const faults: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { responses } of Object.values(item) as {
        responses: Record<string, { headers?: object }>;
      }[]) {
        for (const [status, { headers = {} }] of Object.entries(responses)) {
          const names = Object.keys(headers);
          const counted = path.startsWith('/api/') && status !== '401';
          if (!names.includes('X-Request-Id') || names.includes('RateLimit-Remaining') !== counted)
            faults.push(`${path} ${status}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('shows examples of a duplicate and a changed price', () => {
    expect(document.paths['/api/orders']!.post!.responses).toMatchObject({
      409: {
        content: {
          'application/json': {
            examples: {
              duplicate_order: { value: { order_number: expect.any(String), same_content: true } },
              price_changed: { value: { total: 363, expected_total: 345 } },
            },
          },
        },
      },
    });
  });

  it.each([
    ['/api/stock', 'skus', { type: 'string' }, { maxItems: 500 }],
    ['/api/orders/status', 'orders', { type: 'string' }, { maxItems: 100 }],
    ['/api/products', 'expand', { enum: ['variations', 'delivery_charge', 'details'] }, {}],
  ])('separates the list parameter of %s by commas: %s', (path, name, items, more) => {
    const parameters = document.paths[path]!.get!.parameters as object[];
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name,
        style: 'form',
        explode: false,
        schema: expect.objectContaining({ type: 'array', items: expect.objectContaining(items), ...more }),
      }),
    );
  });

  it('has an example of every path parameter, and examples that fit their schemas', () => {
    const ajv = new Ajv({ strict: false });
    formats.default.default(ajv);
    ajv.addSchema({ $id: 'openapi', ...document });
    const faults: string[] = [];
    const check = (example: unknown, schema: string) => {
      if (!ajv.validate({ $ref: `openapi#${schema}` }, example))
        faults.push(`${schema}: ${ajv.errorsText()}`);
    };
    const visit = (value: object, pointer: string) => {
      const { in: place, example, examples = {}, schema } = value as Described;
      const own = schema === undefined ? pointer : `${pointer}/schema`;
      if (place === 'path' && example === undefined) faults.push(`${pointer} has no example`);
      if (example !== undefined) check(example, own);
      for (const each of Object.values(examples)) check(each.value, own);
      for (const [key, child] of Object.entries(value)) {
        const part = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
        if (typeof child === 'object' && child !== null && !key.startsWith('example'))
          visit(child as object, `${pointer}/${part}`);
      }
    };
    visit(document, '');
    expect(faults).toEqual([]);
  });

  it('names its schemas alike, and marks the enums that may grow', () => {
    const { schemas } = document.components!;
    expect(Object.keys(schemas!).filter((name) => /(Response|Request|Dto)$/.test(name))).toEqual([]);
    expect(schemas).toMatchObject({
      OrderStatus: { 'x-extensible-enum': expect.arrayContaining(['pending']) },
      FieldError: { properties: { code: { 'x-extensible-enum': Object.keys(FIELD_CODES) } } },
      Plan: { properties: { success: { enum: [true] } } },
      Quote: { properties: { errors: { description: expect.stringContaining('`unpaid_limit_reached`') } } },
      QuoteOrder: { properties: { expected_total: { description: expect.stringContaining('a quote') } } },
    });
  });

  it('lists every error code with its status', () => {
    for (const [code, [status]] of Object.entries(ERROR_CODES)) {
      expect(document.info.description).toContain(`| \`${code}\` | ${status} |`);
    }
  });

  afterAll(endEverything);
});

const TYPES: Record<string, RegExp> = { '.css': /^text\/css/, '.js': /javascript/, '.png': /^image\/png$/ };

describe('The docs page', () => {
  const test = setUpTestApp();

  it('shows the Swagger UI under the security policy', async () => {
    const page = await request(test.url).get('/docs').expect(200);
    expect(page.text).toContain('swagger-ui');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/<script>[^<]/);
  });

  it('keeps the credentials over a reload, and folds the table of errors below the operations', async () => {
    const { text } = await request(test.url).get('/docs/swagger-ui-init.js').expect(200);
    expect(text).toContain('"persistAuthorization": true');
    const { body } = await request(test.url).get('/docs/openapi.json').expect(200);
    expect((body as { info: { description: string } }).info.description).toMatch(
      /<details><summary>[^<]*<\/summary>\s+\| code [\s\S]*\| `unavailable`[\s\S]*<\/details>$/,
    );
  });

  it('shows the code of each operation above its responses', async () => {
    const { text } = await request(test.url).get('/docs/swagger-ui-init.js').expect(200);
    interface Plugin {
      wrapComponents: Record<string, (original: string, system: object) => (props: object) => unknown>;
    }
    let options: { spec: { paths: Record<string, Record<string, object>> }; plugins: (() => Plugin)[] };
    const bundle = Object.assign((given: typeof options) => void (options = given), {
      presets: {},
      plugins: {},
    });
    const window = { location: { search: '', origin: test.url }, onload: () => undefined };
    runInNewContext(text, { window, SwaggerUIBundle: bundle, SwaggerUIStandalonePreset: {} });
    window.onload();
    const specJson = () => ({
      getIn: ([paths, path, method, name]: ['paths', string, string, string]) => ({
        toJS: () => (options.spec[paths][path]![method] as Record<string, unknown>)[name],
      }),
    });
    const createElement = (...element: unknown[]) => element;
    const [plugin] = options!.plugins;
    const show = plugin!().wrapComponents.responses!('Responses', {
      React: { createElement },
      specSelectors: { specJson },
    });
    const displayed = JSON.stringify(show({ path: '/api/orders', method: 'post' }));
    expect(displayed).toMatch(/"curl".*"PHP".*"Python".*"Node.js".*\["Responses",{"path":"\/api\/orders"/);
    expect(displayed).toContain('file_get_contents(');
  });

  it('loads only files that exist', async () => {
    const page = await request(test.url).get('/docs').expect(200);
    const loaded = [...page.text.matchAll(/(?:src|href)=['"]\.(\/docs\/[^'"]+)/g)].map(([, path]) => path!);
    expect(loaded).toContain('/docs/swagger-ui-init.js');
    expect(loaded).toContain('/docs/swagger-ui-bundle.js');
    for (const path of loaded) {
      const { headers } = await request(test.url).get(path).expect(200);
      expect([path, headers['content-type']]).toEqual([path, expect.stringMatching(TYPES[extname(path)]!)]);
    }
  });

  it.each([
    '/docs//',
    '/docs/package.json',
    '/docs/index.js',
    '/docs/swagger-initializer.js',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/swagger-ui-bundle.js/',
    '/docs/../docs/package.json',
    '/docs/%2e%2e/swagger-ui-dist/package.json',
  ])('serves no other file of the Swagger UI package, such as %s', async (path) => {
    const { status, text } = await sendRaw(test.url, {
      method: 'GET',
      path,
      headers: {},
      body: Buffer.alloc(0),
    });
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
  });

  it.each(['/docs/openapi.json', '/docs/swagger-ui-bundle.js'])('lets clients cache %s', async (path) => {
    const { headers } = await request(test.url).get(path).set('Accept-Encoding', 'gzip').expect(200);
    expect(headers['content-encoding']).toBe('gzip');
    await request(test.url)
      .get(path)
      .set('Accept-Encoding', 'gzip')
      .set('If-None-Match', headers.etag!)
      .expect(304);
  });
});
