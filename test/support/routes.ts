import type { Application } from 'express';
import type { TestApp } from './test-app.js';

interface Route {
  path: string;
  methods: Record<string, boolean>;
}

/** The routes below an address: "GET /desk/orders/:number". A route for any method answers unknown addresses. */
export function routesBelow(test: TestApp, home: string): string[] {
  const { router } = test.app.getHttpAdapter().getInstance() as Application;
  return (router.stack as unknown as { route?: Route }[])
    .flatMap(({ route }) => (route?.path.startsWith(home) ? [route] : []))
    .filter(({ methods }) => Object.keys(methods).length === 1)
    .map(({ path, methods }) => `${Object.keys(methods)[0]!.toUpperCase()} ${path}`);
}

/** The address of a route, with these values, or 1, for its parameters. */
export function addressOf(route: string, values: Record<string, string> = {}): string {
  return route
    .split(' ')[1]!
    .replace(/\{.*\}/, '')
    .replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1');
}
