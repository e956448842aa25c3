import { nextPath } from './account-paths.js';

describe('nextPath', () => {
  it.each(['/dashboard', '/dashboard/orders', '/dashboard/orders?status=pending&q=a%20b'])(
    'goes on to %s',
    (path) => {
      expect(nextPath('/dashboard', path)).toBe(path);
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
    '/desk/orders',
    '/dashboard/../docs',
    '/dashboard/%2e%2e/docs',
    '/dashboard/a\r\nb',
  ])('goes home instead of to %j', (path) => {
    expect(nextPath('/dashboard', path)).toBe('/dashboard');
  });

  it('goes where the caller says, if nothing else is asked for', () => {
    expect(nextPath('/dashboard', undefined, '/dashboard/orders')).toBe('/dashboard/orders');
  });
});
