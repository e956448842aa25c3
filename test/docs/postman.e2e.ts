import request from 'supertest';
import { type DemoCredentials, DemoLoad } from '../../src/demo/demo-load.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Field {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  request: {
    method: string;
    auth?: { type: string };
    header: Field[];
    url: { host: string[]; path: string[]; query: Field[]; variable: Field[] };
    body?: { raw: string; options: { raw: { language: string } } };
  };
}

interface Collection {
  info: { schema: string };
  variable: Field[];
  auth: { bearer: Field[] };
  event: { script: { exec: string[] } }[];
  item: { item: Item[] }[];
}

/** Sends the requests that Postman would send for the whole collection. It reads only the file format. */
class Postman {
  private readonly variables: Map<string, string>;

  constructor(
    private readonly collection: Collection,
    given: Record<string, string>,
  ) {
    const own = collection.variable.map(({ key, value }) => [key, value] as const);
    this.variables = new Map([...own, ...Object.entries(given)]);
  }

  async run(): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const item of this.collection.item.flatMap((folder) => folder.item))
      statuses[item.name] = await this.send(item);
    return statuses;
  }

  private async send({ request: { method, auth, header, url, body } }: Item): Promise<number> {
    const response = await fetch(this.address(url), {
      method,
      headers: {
        ...(auth?.type !== 'noauth' && {
          Authorization: `Bearer ${this.fill(this.collection.auth.bearer[0]!.value)}`,
        }),
        ...(body?.options.raw.language === 'json' && { 'Content-Type': 'application/json' }),
        ...Object.fromEntries(this.enabled(header)),
      },
      ...(body && { body: this.fill(body.raw) }),
    });
    const answer = await response.text();
    const pm = {
      response: { code: response.status, json: () => JSON.parse(answer) as unknown },
      collectionVariables: this.variables,
    };
    for (const { script } of this.collection.event) new Function('pm', script.exec.join('\n'))(pm);
    return response.status;
  }

  private address({ host, path, query, variable }: Item['request']['url']): string {
    const inPath = new Map(variable.map(({ key, value }) => [`:${key}`, this.fill(value)]));
    const parts = path.map((part) => inPath.get(part) ?? part);
    const address = [host.map((part) => this.fill(part)).join('.'), ...parts].join('/');
    return `${address}?${new URLSearchParams(this.enabled(query)).toString()}`;
  }

  private enabled(fields: Field[]): [string, string][] {
    return fields
      .filter(({ disabled }) => !disabled)
      .map(({ key, value }): [string, string] => [key, this.fill(value)]);
  }

  private fill(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => this.variables.get(name) ?? whole);
  }
}

describe('The Postman collection', () => {
  let test: TestApp;
  let credentials: DemoCredentials;
  let collection: Collection;

  beforeAll(async () => {
    test = await startTestApp();
    credentials = (await test.app.get(DemoLoad).load(() => Promise.resolve()))!;
    await test.fixtures.seen();
    collection = (await request(test.url).get('/docs/postman.json').expect(200)).body as Collection;
  });
  afterAll(() => test.close());

  it('has a request for every operation of the OpenAPI document', async () => {
    const { body } = await request(test.url).get('/docs/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, { summary: string }>> };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const names = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
    expect(names.toSorted()).toEqual(operations.map(({ summary }) => summary).toSorted());
  });

  it('works with the two credentials and the number of an invoice, in repeated runs', async () => {
    const { token, domain } = credentials;
    const issued = await test.pool.query<{ number: string }>(
      `SELECT d.number FROM tax_documents d JOIN client_domains USING (client_id) WHERE domain = $1 LIMIT 1`,
      [domain],
    );
    const postman = new Postman(collection, { token, domain, document_number: issued.rows[0]!.number });
    for (const run of [1, 2]) {
      const failed = Object.entries(await postman.run()).filter(([, status]) => status >= 300);
      expect([run, failed]).toEqual([run, []]);
    }
    // The demo adds its own orders.
    const { rows } = await test.pool.query('SELECT status FROM orders ORDER BY placed_at DESC LIMIT 2');
    expect(rows).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });
});
