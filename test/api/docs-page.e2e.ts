import { extname } from 'node:path';
import request from 'supertest';
import { sendRaw } from '../support/fuzz/raw-request.js';
import { setUpTestApp } from '../support/test-app.js';

const TYPES: Record<string, RegExp> = {
  '.css': /^text\/css/,
  '.js': /javascript/,
  '.png': /^image\/png$/,
};

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
