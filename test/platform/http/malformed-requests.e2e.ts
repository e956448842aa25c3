import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import request from 'supertest';
import { SETTINGS, type Settings } from '../../../src/platform/settings/settings.js';
import { Reader } from '../../../src/platform/validation/read-by.decorators.js';
import { orderBody } from '../../support/order-body.js';
import { signIn } from '../../support/sign-in.js';
import { RequestPipe, StrictPipe } from '../../../src/platform/validation/valid.decorator.js';
import { queryTypeOf } from '../../../src/platform/validation/ignored-parameters.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

type Body = Record<string, unknown>;

interface Parameter {
  pipes: unknown[];
}

describe('Malformed requests', () => {
  let sku: string;

  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  beforeAll(async () => {
    sku = (await test.fixtures.product()).sku;
  });
  afterEach(async () => {
    const { rows } = await test.pool.query(
      'SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT sum(held)::int FROM stock_items) AS held',
    );
    expect(rows[0]).toEqual({ orders: 0, held: 0 });
  });

  /** Sends a request to an address that does not exist. */
  const send = (method: string, path: string) =>
    request(test.url)[method.toLowerCase() as 'get'](path).set(store.headers).expect(404);

  const valid = (): Body => structuredClone(orderBody([{ sku, quantity: 1 }])) as unknown as Body;

  const faults = async (body: object | string) => {
    const answer = await test.post(store, '/api/orders', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      success: false,
      code: 'validation_failed',
      message: expect.any(String),
    });
    return Object.fromEntries(
      (answer.body.errors as { field: string; code: string }[]).map(({ field, code }) => [field, code]),
    );
  };

  const set = (body: Body, path: string, value: unknown): Body => {
    const keys = path.split('.');
    const last = keys.pop()!;
    const holder = keys.reduce<Body>((object, key) => object[key] as Body, body);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
    return body;
  };

  it('are checked in every body and every query of every route', () => {
    const controllers = [...test.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const inputs = controllers.flatMap(({ metatype }) => inputsOf(metatype as new () => object));
    expect(inputs.length).toBeGreaterThan(3);
    expect(inputs.filter(({ pipes }) => !pipes.some(isCheck))).toEqual([]);
  });

  it('get all missing fields in one answer', async () => {
    expect(await faults({})).toEqual({ customer: 'required', shipping: 'required', items: 'required' });
    expect(await faults({ customer: {}, shipping: {}, items: [{}] })).toEqual({
      'customer.name': 'required',
      'customer.phone': 'required',
      'shipping.address': 'required',
      'shipping.city': 'required',
      'shipping.state': 'required',
      'shipping.pincode': 'required',
      'items[0].sku': 'required',
      'items[0].quantity': 'required',
    });
  });

  it.each([
    ['customer', null, 'customer', 'required'],
    ['customer', [], 'customer', 'wrong_type'],
    ['customer', 'Ravi', 'customer', 'wrong_type'],
    ['customer.name', '  ', 'customer.name', 'required'],
    ['customer.name', 5, 'customer.name', 'wrong_type'],
    ['customer.name', {}, 'customer.name', 'wrong_type'],
    ['customer.name', ['Ravi'], 'customer.name', 'wrong_type'],
    ['customer.name', 'x'.repeat(201), 'customer.name', 'too_long'],
    ['customer.name', 'a\0b', 'customer.name', 'invalid_text'],
    ['customer.email', 'not an address', 'customer.email', 'invalid_email'],
    ['shipping.pincode', '56003', 'shipping.pincode', 'invalid_pincode'],
    ['shipping.pincode', 560038, 'shipping.pincode', 'wrong_type'],
    ['customer.phone', 'call me', 'customer.phone', 'invalid_phone'],
    ['customer.phone', '12345', 'customer.phone', 'invalid_phone'],
    ['customer.phone', '0000000000', 'customer.phone', 'invalid_phone'],
    ['customer.phone', 9876543210, 'customer.phone', 'wrong_type'],
    ['shipping.country', 'Indiaa', 'shipping.country', 'country_not_served'],
    ['shipping.country', 'USA', 'shipping.country', 'country_not_served'],
    ['shipping.country', 'US', 'shipping.country', 'country_not_served'],
    ['items', [], 'items', 'too_few'],
    ['items', {}, 'items', 'wrong_type'],
    ['items', 'x', 'items', 'wrong_type'],
    ['items', [[]], 'items[0]', 'wrong_type'],
    ['items', [null], 'items[0]', 'wrong_type'],
    ['items', [7], 'items[0]', 'wrong_type'],
    ['items.0.quantity', 0, 'items[0].quantity', 'too_small'],
    ['items.0.quantity', -1, 'items[0].quantity', 'too_small'],
    ['items.0.quantity', 1.5, 'items[0].quantity', 'not_whole'],
    ['items.0.quantity', '1', 'items[0].quantity', 'wrong_type'],
    ['items.0.quantity', true, 'items[0].quantity', 'wrong_type'],
    ['items.0.quantity', 1e308, 'items[0].quantity', 'too_large'],
    ['items.0.quantity', 2_147_483_648, 'items[0].quantity', 'too_large'],
    ['items.0.sku', 'NO-SUCH', 'items[0].sku', 'unknown_sku'],
    ['items.0.sku', 'x'.repeat(65), 'items[0].sku', 'too_long'],
    ['store_order_id', 'x'.repeat(65), 'store_order_id', 'too_long'],
    ['store_order_id', 17, 'store_order_id', 'wrong_type'],
    ['notes', { a: 1 }, 'notes', 'wrong_type'],
  ])('with %s = %j get 422 at %s: %s', async (path, value, field, code) => {
    expect(await faults(set(valid(), path, value))).toEqual({ [field]: code });
  });

  it('with a lone surrogate get 422, because it would silently become another character', async () => {
    const body = JSON.stringify(set(valid(), 'store_order_id', 'SURROGATE')).replace(
      'SURROGATE',
      String.raw`\ud800`,
    );
    expect(await faults(body)).toEqual({ store_order_id: 'invalid_text' });
  });

  it('with more than a hundred items get 422', async () => {
    const items = Array.from({ length: 101 }, () => ({ sku, quantity: 1 }));
    expect(await faults({ ...valid(), items })).toEqual({ items: 'too_many' });
  });

  it.each(['[]', 'null', '"text"', '7', 'true'])('with the body %s get 422', async (body) => {
    expect(await faults(body)).toEqual({ body: 'wrong_type' });
  });

  it.each(['{', '{"a":}', "{'a': 1}", '{"a":1}}', 'nonsense'])(
    'with the body %s get 400 malformed_json',
    async (body) => {
      const answer = await test.post(store, '/api/orders', body).expect(400);
      expect(answer.body).toMatchObject({ success: false, code: 'malformed_json' });
    },
  );

  it('with invalid UTF-8 get 400, because it would silently become another character', async () => {
    const [before, after] = JSON.stringify(set(valid(), 'notes', '#')).split('#');
    const bytes = Buffer.concat([Buffer.from(before!), Buffer.from([0xc3, 0x28]), Buffer.from(after!)]);
    const answer = await fetch(`${test.url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: bytes,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'malformed_json' });
  });

  it('with 9,000 levels of nesting get 400', async () => {
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    expect((await test.post(store, '/api/orders', deep).expect(400)).body.code).toBe('malformed_json');
  });

  it('with a body over 256 KB get 413', async () => {
    const answer = await test
      .post(store, '/api/orders', { ...valid(), notes: 'x'.repeat(300_000) })
      .expect(413);
    expect(answer.body.code).toBe('body_too_large');
  });

  it('with a body that is not JSON get 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const answer = await test
        .post(store, '/api/orders')
        .set('Content-Type', type)
        .send(JSON.stringify(valid()));
      expect([type, answer.status, answer.body.code]).toEqual([type, 415, 'unsupported_media_type']);
    }
  });

  describe('with a body that no route reads', () => {
    const sendTo = (route: string, body: string, type = 'application/json') => {
      const [method, path] = route.split(' ') as ['GET' | 'POST', string];
      const address = path.replaceAll(/\{\w+\}/g, 'NO-SUCH');
      const sent = method === 'GET' ? test.get(store, address) : test.post(store, address);
      return sent.set('Content-Type', type).send(body);
    };
    const CANCEL = 'POST /api/orders/{order_number}/cancel';
    const EMPTY = ['{}', ' { }\r\n', '[]', 'null', '""'];

    it('get 422 that says what the address does, on every address of the API', async () => {
      const { body } = await request(test.url).get('/docs/openapi.json');
      const { paths } = body as { paths: Record<string, Record<string, Body>> };
      const routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => path.startsWith('/api/') && !operation.requestBody)
          .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation.summary] as const),
      );
      expect(routes.map(([route]) => route)).toContain(CANCEL);
      for (const [route, summary] of routes) {
        const refused = await sendTo(route, '{"lines":[{"line":1}]}').expect(422);
        expect([route, refused.body.errors]).toEqual([
          route,
          [{ field: 'body', code: 'no_body', message: expect.stringContaining(summary as string) }],
        ]);
      }
    });

    it('get it for a body of any kind and length, but not for an empty one', async () => {
      const bodies = ['lines=1', '{', '[1]', 'x'.repeat(300_000)];
      for (const body of bodies) await sendTo(CANCEL, body, 'text/plain').expect(422);
      await sendTo(CANCEL, '{}').set('Content-Encoding', 'gzip').expect(422);
      for (const body of EMPTY) {
        await sendTo(CANCEL, body).expect(404);
        await sendTo('GET /api/products', body, 'text/plain').expect(200);
      }
    });

    it('get it after the checks of token and path, on pages too', async () => {
      const lines = '{"lines":[1]}';
      await request(test.url).post('/api/orders/X/cancel').send(lines).expect(401);
      await sendTo('POST /api/orders/%ZZ/cancel', lines).expect(400);
      await sendTo('POST /api/orders/X/cancels', lines).expect(404);
      const { post } = await signIn(test, store.clientId, 'owner');
      await post('/dashboard/orders/X/cancel', { lines: '1' }).expect(422);
      await post('/dashboard/orders/X/cancel', {}).expect(404);
    });
  });

  it.each([
    ['/api/products/', '/api/products'],
    ['/api/orders//', '/api/orders'],
    ['/api/products/MUG%20350/?x=1', '/api/products/MUG%20350'],
    ['/api/orders/WEB-1001/', '/api/orders/WEB-1001'],
    ['/api/orders/WEB-1001/statuss/', '/api/orders/WEB-1001/status'],
  ])('get a suggestion of the right path: %s', async (path, suggestion) => {
    const { body } = await test.get(store, path).expect(404);
    expect(body).toMatchObject({ code: 'route_not_found', suggestion });
    expect(body.message).toContain(suggestion);
    expect((await request(test.url).get(path).expect(401)).text).not.toContain('mean');
  });

  it('tell a program at the bare address where the docs are', async () => {
    expect((await send('GET', '/')).body).toMatchObject({
      code: 'route_not_found',
      suggestion: '/docs/guide',
    });
  });

  it.each([
    ['GET', '//api/products', '/api/products'],
    ['GET', '/api/product', '/api/products'],
    ['HEAD', '/api/product', '/api/products'],
    ['POST', '/api/order', '/api/orders'],
    ['GET', '/api/Products', '/api/products'],
    ['GET', '/API/products', '/api/products'],
    ['GET', '/products?limit=1', '/api/products'],
    ['GET', '/api/api/products', '/api/products'],
    ['GET', '/api/v1/products/A%2FB/stock', '/api/products/A%2FB/stock'],
    ['GET', '/v2/stocks', '/api/stock'],
    ['GET', '/api/produkts/MUG-350/stok', '/api/products/MUG-350/stock'],
    ['GET', '/api/order/WEB-1001', '/api/orders/WEB-1001'],
    ['POST', '/api/order/WEB-1001/cansel', '/api/orders/WEB-1001/cancel'],
  ])('get a suggestion of an address that is spelt alike: %s %s', async (method, path, suggestion) => {
    const { body } = await send(method, path);
    if (method === 'HEAD') return;
    expect(body).toMatchObject({
      code: 'route_not_found',
      message: `There is no such address. Did you mean ${suggestion}?`,
      suggestion,
    });
  });

  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/v1'],
    ['DELETE', '/api/product'],
    ['GET', '/api/prod'],
    ['GET', '/api/products//stocks'],
    ['GET', '/api/products/MUG-350/price'],
    ['GET', '/payment'],
    ['GET', '/helth/live'],
  ])('get no suggestion of an address that is another: %s %s', async (method, path) => {
    const { body } = await send(method, path);
    expect(body).not.toHaveProperty('suggestion');
  });

  it.each(['/api/nowhere', '/api/orders/WEB-1001/items', '/nowhere/', `/api/products/${'x'.repeat(400)}/`])(
    'get no suggestion when no path is similar: %s',
    async (path) => {
      expect((await test.get(store, path).expect(404)).body).not.toHaveProperty('suggestion');
    },
  );

  it('get 404 for an unknown path, and 405 with Allow for a wrong method', async () => {
    expect((await test.get(store, '/api/nowhere').expect(404)).body.code).toBe('route_not_found');
    expect((await request(test.url).get('/nowhere').expect(404)).body.code).toBe('route_not_found');
    expect((await test.get(store, '/API/products').expect(404)).body.code).toBe('route_not_found');
    expect((await test.get(store, '/api/products/').expect(404)).body.code).toBe('route_not_found');
    const answer = await request(test.url).delete('/api/products').set(store.headers).expect(405);
    expect(answer.body.code).toBe('method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  it('with unusual paths get 404 or 400, never 500', async () => {
    for (const path of [
      '%00',
      '%F0%9F%92%A9',
      'a%2Fb',
      '..%2f..%2fetc%2fpasswd',
      '__proto__',
      'constructor',
    ]) {
      expect([path, (await test.get(store, `/api/products/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await test.get(store, `/api/orders/${path}/status`)).status]).toEqual([path, 404]);
    }
    for (const path of ['%ZZ', '%', '%C3%28']) {
      expect([path, (await test.get(store, `/api/orders/${path}/status`)).status]).toEqual([path, 400]);
    }
  });
});

describe('Odd but valid orders', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  it('treat an optional field that is null or blank as absent', async () => {
    const { sku } = await test.fixtures.product();
    const body = {
      ...orderBody([{ sku, quantity: 1, variation: null } as never]),
      store_order_id: null,
      notes: ' ',
      customer: { name: 'Ravi', phone: '98765 43210', email: null },
    };
    const { body: created } = await test.post(store, '/api/orders', body).expect(201);
    expect(created.store_order_id).toBeNull();
  });

  it('accept foreign postal codes with a named country', async () => {
    const { sku } = await test.fixtures.product();
    const { shipping } = orderBody([]);
    const body = orderBody([{ sku, quantity: 1 }], {
      shipping: { ...shipping, country: 'United Kingdom', pincode: 'SW1A 1AA' },
    });
    const { body: refused } = await test.post(store, '/api/orders', body).expect(422);
    expect(refused.errors).toMatchObject([{ field: 'shipping.country', code: 'country_not_served' }]);
    test.app.get<Settings>(SETTINGS).servedCountries = ['India', 'United Kingdom'];
    await test.post(store, '/api/orders', body).expect(201);
  });

  it('get Cache-Control: no-store for momentary answers', async () => {
    const answers = [
      await test.get(store, '/api/products/NO-SUCH').expect(404),
      await test.get(store, '/api/account').expect(200),
      await test.post(store, '/api/orders', '{').expect(400),
      await request(test.url).get('/api/products').expect(401),
      await request(test.url).get('/health/ready').expect(200),
    ];
    for (const { headers } of answers)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('keep a valid X-Request-Id and replace another', async () => {
    const kept = await test.get(store, '/api/products').set('X-Request-Id', 'my-request-0001');
    expect(kept.headers['x-request-id']).toBe('my-request-0001');
    for (const odd of ['no good id!', 'a'.repeat(65), 'seven-7']) {
      const replaced = await test.get(store, '/api/products').set('X-Request-Id', odd);
      expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

/** A check that the route declares, or one that Nest creates from a class. */
function isCheck(pipe: unknown): boolean {
  return (
    pipe instanceof Reader ||
    pipe instanceof RequestPipe ||
    pipe === RequestPipe ||
    pipe === StrictPipe ||
    (pipe as typeof RequestPipe).prototype instanceof RequestPipe
  );
}

function inputsOf(controller: new () => object): (Parameter & { route: string })[] {
  return Object.getOwnPropertyNames(controller.prototype).flatMap((method) => {
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
      string,
      Parameter
    >;
    return Object.entries(parameters)
      .filter(([key]) => {
        const type = Number(key.split(':')[0]);
        // `ValidQuery` checks without a pipe.
        const isUncheckedQuery = queryTypeOf(controller.prototype as object, method) === undefined;
        return type === RouteParamtypes.BODY || (type === RouteParamtypes.QUERY && isUncheckedQuery);
      })
      .map(([, { pipes }]) => ({ route: `${controller.name}.${method}`, pipes }));
  });
}
