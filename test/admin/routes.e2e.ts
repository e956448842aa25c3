import request from 'supertest';
import { createAdminDocument } from '../../src/api/docs/admin-document.js';
import type { DeskRole } from '../../src/platform/access/access-rule.js';
import { DESK_ROLES } from '../../src/platform/access/signed-in-person.js';
import { adminApi } from '../support/admin-api.js';
import { addressOf, routesBelow } from '../support/routes.js';
import { setUpTestApp } from '../support/test-app.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  'x-role': DeskRole;
  'x-command'?: string;
  parameters?: { name: string; in: string; description?: string }[];
}

describe('The routes of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });

  const operations = () =>
    Object.entries(createAdminDocument(test.app).paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        address: path.replaceAll(/\{\w+\}/g, '1'),
        method: method as 'get' | 'post',
        ...operation,
      })),
    );

  it('are all documented, each with a name, a command and words of its own', () => {
    const routes = routesBelow(test, '/api/admin').map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    const all = operations();
    expect(all.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
    for (const names of [all.map((one) => one.operationId), all.flatMap((one) => one['x-command'] ?? [])])
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const faults = all.filter(
      ({ summary, tags, parameters = [] }) =>
        !/^[A-Z].+[.]$/.test(summary) || !tags?.length || parameters.some(({ description }) => !description),
    );
    expect(faults.map(({ route }) => route)).toEqual([]);
  });

  it('refuse a request without a key, and a key whose role is too low', async () => {
    const keys = new Map<DeskRole, string>();
    for (const role of DESK_ROLES) keys.set(role, (await adminApi(test, role)).key);
    const wrong: string[] = [];
    for (const { route, address, method, 'x-role': role } of operations()) {
      const ask = (key?: string) => {
        const sent = request(test.url)[method](address);
        return key === undefined ? sent : sent.set('Authorization', `Bearer ${key}`);
      };
      const { body: anonymous } = await ask();
      if (anonymous.code !== 'key_missing') wrong.push(`${route} without a key: ${anonymous.code}`);
      const lower = DESK_ROLES[DESK_ROLES.indexOf(role) - 1];
      if (lower === undefined) continue;
      const { body } = await ask(keys.get(lower));
      if (body.code !== 'role_missing') wrong.push(`${route} as ${lower}: ${body.code}`);
    }
    expect(wrong).toEqual([]);
  });

  it('name a similar one for an address that does not exist, and the methods of one that does', async () => {
    const erp = await adminApi(test, 'packer');
    expect((await erp.get('order/1').expect(404)).body).toMatchObject({
      code: 'route_not_found',
      suggestion: '/api/admin/orders/1',
    });
    expect((await erp.get('nothing/of/this').expect(404)).body.message).toContain('See /docs/admin');
    expect((await erp.get('orders/1/pay').expect(405)).headers.allow).toBe('POST');
    const store = await test.fixtures.store();
    expect((await test.get(store, '/api/admins/orders').expect(404)).body).not.toHaveProperty('suggestion');
    await request(test.url).get('/api/admin/nothing').expect(401);
  });

  it('refuse a token of a store and a session', async () => {
    const { token, domain } = await test.fixtures.store();
    const { route } = operations()[0]!;
    const { body } = await request(test.url)
      .get(addressOf(route.replaceAll(/\{(\w+)\}/g, ':$1')))
      .set({ Authorization: `Bearer ${token}`, 'X-Client-Domain': domain })
      .expect(401);
    expect(body.code).toBe('key_invalid');
  });
});
