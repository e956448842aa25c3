import { readFileSync } from 'node:fs';
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

/** Reads the list of routes, each with the role that it needs at least, or `open`: "staff GET /desk/clients". */
export function readRights<Role extends string>(file: URL): Map<string, Role | 'open'> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [right, method, path] = line.split(/ +/) as [Role | 'open', string, string];
      return [`${method} ${path}`, right];
    }),
  );
}
