import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { type DemoCredentials, DemoLoad } from '../../src/demo/demo-load.service.js';
import { ORDER_EXAMPLE } from '../../src/modules/orders/placing/create-order.request.js';
import { OpenApiConformance } from '../support/openapi-conformance.js';
import { setUpTestApp } from '../support/test-app.js';
import { canRun, run } from './clients/programs.js';

interface Schema {
  $ref?: string;
  type?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; examples?: Record<string, { value: object }> }> };
  'x-codeSamples'?: { label: 'curl' | 'PHP' | 'Python' | 'Node.js'; source: string }[];
}

/** Sends the request of Swagger UI after "Try it out" and "Execute" without changes. */
describe('Trying the docs with the demo credentials', () => {
  const test = setUpTestApp();
  let credentials: DemoCredentials;
  let conformance: OpenApiConformance;
  let document: {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };

  beforeAll(async () => {
    credentials = (await test.app.get(DemoLoad).load(() => Promise.resolve()))!;
    await test.fixtures.observed();
    const issued = await test.pool.query<{ number: string }>(
      `SELECT d.number FROM tax_documents d JOIN client_domains USING (client_id) WHERE domain = $1 LIMIT 1`,
      [credentials.domain],
    );
    documentNumber = issued.rows[0]!.number;
    conformance = OpenApiConformance.of(test.app);
    const { rows } = await test.pool.query<{ id: number }>(
      'SELECT client_id AS id FROM client_domains WHERE domain = $1',
      [credentials.domain],
    );
    testToken = (await test.fixtures.token(rows[0]!.id, credentials.domain, 'test')).token;
    document = (await request(test.url).get('/docs/openapi.json')).body as typeof document;
  });

  const sample = (schema: Schema): unknown => {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref) return sample(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map(sample)) as unknown;
    if (schema.items) return [sample(schema.items)];
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field)]),
    );
  };

  /** For the operations of test orders. */
  let testToken: string;

  /** The number of an invoice depends on the year. */
  let documentNumber: string;

  const execute = async (method: string, template: string, { parameters = [], requestBody }: Operation) => {
    const filledIn = parameters.map((parameter) => ({
      ...parameter,
      value:
        { document_number: documentNumber }[parameter.name] ?? parameter.example ?? parameter.schema?.example,
    }));
    const path = filledIn
      .filter((parameter) => parameter.in === 'path')
      .reduce(
        (url, { name, value }) => url.replace(`{${name}}`, encodeURIComponent(String(value))),
        template,
      );
    const query = filledIn.filter((parameter) => parameter.in === 'query' && parameter.value !== undefined);
    const agent = request(test.url);
    const token = template.startsWith('/api/test/') ? testToken : credentials.token;
    const ask = agent[method as 'get' | 'post' | 'put'](path)
      .query(Object.fromEntries(query.map(({ name, value }) => [name, value])))
      .set({ Authorization: `Bearer ${token}`, 'X-Client-Domain': credentials.domain });
    if (!requestBody) return ask;
    const { schema, examples = {} } = requestBody.content['application/json']!;
    const [example] = Object.values(examples);
    return ask.send(example?.value ?? (sample(schema) as object));
  };

  it('works for every operation without changes', async () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    const outcomes: string[] = [];
    // The example of the parameter names an order of the demo.
    await request(test.url)
      .post('/api/orders')
      .set({ Authorization: `Bearer ${testToken}`, 'X-Client-Domain': credentials.domain })
      .send({ ...ORDER_EXAMPLE.order.value, store_order_id: 'DEMO-0990' })
      .expect(201);
    for (const { path, method, operation } of operations) {
      const answer = await execute(method, path, operation);
      const { status, text } = answer;
      const body = answer.body as Record<string, unknown>;
      if (status >= 300) outcomes.push(`${method} ${path} → ${status} ${text.slice(0, 300)}`);
      if (path.startsWith('/api/')) {
        conformance.check({ method, path: new URL(answer.request.url as string).pathname, status, body });
        if (saysNothing(body)) outcomes.push(`${method} ${path} tells of nothing: ${text.slice(0, 300)}`);
      }
    }
    expect(outcomes).toEqual([]);
  });

  it('has code for each operation, which runs as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'samples-'));
    const kinds = { curl: 'sh', PHP: 'php', Python: 'py', 'Node.js': 'mjs' } as const;
    const setting = { API: test.url, TOKEN: credentials.token, DOMAIN: credentials.domain };
    const failed: string[] = [];
    try {
      for (const [at, item] of Object.entries(document.paths))
        for (const [method, operation] of Object.entries(item)) {
          const samples = operation['x-codeSamples']!;
          expect(samples.map(({ label }) => label)).toEqual(Object.keys(kinds));
          for (const { source } of samples) expect(source).not.toMatch(/undefined|\[object|\{\w+\}"/);
          // Others need a test token, or change the demo for the next language.
          if (method !== 'get' && at !== '/api/orders') continue;
          for (const { label, source } of samples) {
            if (!canRun(kinds[label])) continue;
            const file = join(folder, `sample.${kinds[label]}`);
            await writeFile(file, source.replaceAll('INV-2627-0000042', documentNumber));
            const { exitCode, stdout, stderr } = await run(file, [], setting, folder);
            const pdf = () => readFile(join(folder, `${documentNumber}.pdf`), 'latin1').catch(() => '');
            const output = stdout || (await pdf());
            if (exitCode !== 0 || !/^%PDF|\b(true|ok)\b/i.test(output))
              failed.push(`${label} ${method} ${at}: ${exitCode} ${output.slice(0, 200)} ${stderr}`);
          }
        }
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(failed).toEqual([]);
  }, 120_000);

  it('places another order each time', async () => {
    const press = async () =>
      (await execute('post', '/api/orders', document.paths['/api/orders']!.post!)).status;
    expect([await press(), await press()]).toEqual([201, 201]);
  });
});

/** An example is useless when it returns nothing or cannot be ordered. */
function saysNothing({ data, unknown = [], orderable = true }: Record<string, unknown>): boolean {
  return [data, unknown].every((list) => Array.isArray(list) && list.length === 0) || !orderable;
}
