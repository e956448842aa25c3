import request, { type Test } from 'supertest';
import { createAdminDocument } from '../../src/api/docs/admin-document.js';
import { AdminKeysService } from '../../src/modules/auth/keys/admin-keys.service.js';
import type { DeskRole } from '../../src/platform/access/access-rule.js';
import { OpenApiConformance } from './openapi-conformance.js';
import type { TestApp } from './test-app.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type AdminApi = Record<Method, (path: string, body?: object) => Test> & { key: string; keyId: number };

/** A program with a key of this role. Paths are below /api/admin. Answers must match the document. */
export async function adminApi(test: TestApp, role: DeskRole = 'admin'): Promise<AdminApi> {
  const keys = test.app.get(AdminKeysService, { strict: false });
  const { key, key_id: keyId } = await keys.add({ name: `ERP of ${role}`, role }, 'test');
  const conformance = OpenApiConformance.of(test.app, createAdminDocument);
  const send = (method: Method) => (path: string, body?: object) => {
    const server = request(test.app.getHttpServer());
    const sent = server[method](`/api/admin/${path}`).set('Authorization', `Bearer ${key}`);
    sent.expect(({ status, type, body: answer }) => {
      if (type === 'application/json' && !Buffer.isBuffer(answer))
        conformance.check({ method, path: new URL(sent.url).pathname, status, body: answer });
    });
    return body === undefined ? sent : sent.send(body);
  };
  return {
    key,
    keyId,
    get: send('get'),
    post: send('post'),
    put: send('put'),
    patch: send('patch'),
    delete: send('delete'),
  };
}

type Row = Record<string, unknown>;

/** The `data` of an answer with this status. */
export const dataOf = async (sent: Test, status = 200) => (await sent.expect(status)).body.data as Row;

/** The rows of a list, read in pages of two. */
export async function readPages(api: AdminApi, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = ''; next !== null;) {
    const mark = next && `&after=${next}`;
    const { body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=2${mark}`).expect(200);
    const page = body as { data: Row[]; next: string | null; has_more: boolean };
    if (page.data.length > 2 || page.has_more !== (page.next !== null)) throw new Error('Not a page of two.');
    rows.push(...page.data);
    next = page.next;
  }
  return rows;
}

/** The fields that a 422 names, sorted. */
export async function faultsOf(sent: Test): Promise<string[]> {
  const { body } = await sent.expect(422);
  return (body.errors as { field: string }[]).map(({ field }) => field).toSorted();
}

/** Sends "post clients/1/resume", and answers status and code. */
export async function refusalOf(api: AdminApi, route: string): Promise<string> {
  const [method, path] = route.split(' ') as [Method, string];
  const { status, body } = await api[method](path, method === 'get' || method === 'delete' ? undefined : {});
  return `${status} ${(body as { code: string }).code}`;
}
