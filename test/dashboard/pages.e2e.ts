import request from 'supertest';
import { signIn, type SignedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The pages of the dashboard', () => {
  let service: TestApp;
  let anaya: SignedIn;

  beforeAll(async () => {
    service = await startTestApp();
    anaya = await signIn(service, (await service.fixtures.store({ name: 'Anaya <b>Home</b>' })).clientId);
  });

  afterAll(() => service.close());

  const get = (path: string) => request(service.url).get(path);

  it('answer an unknown address with a page that says so', async () => {
    const { status, text, headers } = await anaya.get('/dashboard/nowhere');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).toContain('<h1>There is nothing here</h1>');
  });

  it('run nothing inline, go into no frame and no cache, and tell other sites nothing', async () => {
    const { headers, text } = await anaya.get('/dashboard/nowhere');
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/<style| style=|<script>| on\w+=/);
  });

  it('load files that may be kept for ever, because their address names their content', async () => {
    const { text } = await anaya.get('/dashboard/nowhere');
    const paths = text.match(/\/assets\/[\w-]+\.\w+/g)!;
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toBe('Accept-Encoding');
    }
  });

  it('still have a style on a node of another version, which may not be kept', async () => {
    const { status, headers } = await get('/assets/pages-AAAAAAAAAAAAAAAAAAAA.css');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour of ours', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin, in a browser that says no more', { Origin: 'https://evil.example' }],
    ['nobody knows where', {}],
  ])('take no form from %s', async (_, headers) => {
    const { status, text } = await request(service.url)
      .post('/dashboard/nowhere')
      .set('Cookie', anaya.cookie)
      .set(headers);
    expect(status).toBe(403);
    expect(text).toContain('<h1>You may not do this</h1>');
  });

  it.each([
    ['says so', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
    ['only names its origin', () => ({ Origin: service.url })],
  ])('take a form of ours from a browser that %s', async (_, headers) => {
    await request(service.url).post('/dashboard/nowhere').set(headers()).expect(404);
  });
});
