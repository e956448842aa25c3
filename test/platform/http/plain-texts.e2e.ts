import request from 'supertest';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

const CONTROLS = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)];
const TURNING = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const LINE_BREAKS_AND_TABS = ['\t', '\n', '\r'];

describe('A text in an order', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  /** Paths as in error answers: `customer.name`, `items[0].variation`. */
  let texts: string[];

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
    const { body } = await request(test.url).get('/docs/openapi.json');
    const { schemas } = (body as { components: { schemas: Record<string, Schema> } }).components;
    texts = textsOf({ $ref: 'CreateOrder' }, schemas);
  });

  /** Returns every text field in the OpenAPI document, so that none is forgotten. */
  function textsOf(schema: Schema, schemas: Record<string, Schema>, path = ''): string[] {
    const suggested = schema.$ref
      ? { $ref: schema.$ref }
      : (schema.allOf?.[0] ?? schema.anyOf?.[0] ?? schema);
    if (suggested.$ref) return textsOf(schemas[suggested.$ref.split('/').at(-1)!]!, schemas, path);
    if ([suggested.type].flat().includes('string')) return [path];
    if (suggested.items) return textsOf(suggested.items, schemas, `${path}[0]`);
    const prefix = path === '' ? '' : `${path}.`;
    return Object.entries(suggested.properties ?? {}).flatMap(([name, child]) =>
      textsOf(child, schemas, prefix + name),
    );
  }

  /** Returns an order with this text in every field. */
  function orderOf(of: (path: string) => string): object {
    const order: Record<string, unknown> = { ...orderBody([{ sku, quantity: 1 }]) };
    for (const path of texts) {
      const keys = path.split(/[.[\]]+/).filter(Boolean);
      const holder = keys
        .slice(0, -1)
        .reduce<Record<string, unknown>>((object, key) => object[key] as Record<string, unknown>, order);
      holder[keys.at(-1)!] = of(path);
    }
    return order;
  }

  const refusals = async (order: object) => {
    const { body } = await test.post(store, '/api/orders', order).expect(422);
    return Object.fromEntries(
      (body.errors as { field: string; code: string }[]).map(({ field, code }) => [field, code]),
    );
  };

  const written = async () =>
    (await test.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM orders')).rows[0]!.count;

  it('is refused with a control character or one that changes the direction of text', async () => {
    expect(texts).toEqual(
      expect.arrayContaining(['customer.name', 'items[0].sku', 'notes', 'store_order_id']),
    );
    const characters = [...CONTROLS, ...TURNING];
    let count = 0;
    for (const character of characters) {
      const lines = LINE_BREAKS_AND_TABS.includes(character);
      const refused = texts.filter((path) => !lines || path !== 'notes');
      count += refused.length;
      expect([character, await refusals(orderOf((path) => `${path}${character}.`))]).toEqual([
        character,
        Object.fromEntries(refused.map((path) => [path, 'invalid_text'])),
      ]);
    }
    expect(await written()).toBe(0);
    printFigures('texts of an order', {
      fields: texts.length,
      characters: characters.length,
      refused: count,
    });
  });

  it.each([
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
  ])('has one line and is refused with %s', async (_, separator) => {
    expect(Object.keys(await refusals(orderOf((path) => `${path}${separator}.`))).toSorted()).toEqual(
      texts.filter((path) => path !== 'notes').toSorted(),
    );
  });

  it('may have several lines as notes, with letters of any script', async () => {
    const notes = 'Ring twice.\r\n\tThen:\n– wait ‏(شكرا)‏\r– नमस्ते, क्\u200dष 👩\u200d👧';
    const customer = { name: 'O\u2019Brien ‏محمد', phone: '+91 98765 43210' };
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], { notes, customer })).expect(201);
    const { rows } = await test.pool.query('SELECT notes, customer_name FROM orders');
    expect(rows).toEqual([{ notes, customer_name: customer.name }]);
  });

  it.each(['search', 'category'])('is checked in the query `%s` too', async (name) => {
    const { body } = await test.get(store, `/api/products?${name}=a%1Bb`).expect(422);
    expect(body.errors).toMatchObject([{ field: name, code: 'invalid_text' }]);
  });
});
