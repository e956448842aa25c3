import { nextPath } from './paths.js';

describe('nextPath', () => {
  it.each(['/dashboard', '/dashboard/orders', '/dashboard/orders?status=pending&q=a%20b'])(
    'goes on to %s',
    (path) => {
      expect(nextPath(path)).toBe(path);
    },
  );

  it.each([
    undefined,
    ['/dashboard/orders', '/dashboard/wallet'],
    '',
    'orders',
    '//evil.example/dashboard',
    '/\\evil.example',
    'https://evil.example/dashboard',
    'javascript:alert(1)',
    '/docs',
    '/dashboards',
    '/dashboard/../docs',
    '/dashboard/%2e%2e/docs',
    '/dashboard/a\r\nb',
  ])('goes home instead of to %j', (path) => {
    expect(nextPath(path)).toBe('/dashboard');
  });
});
