import type { Application } from 'express';
import { editsTo, nearestTo } from '../validation/similar-names.js';

interface Layer {
  route?: Route;
  match(path: string): boolean;
}

interface Route {
  path: string;
  methods: Record<string, boolean>;
}

/** The app's own routes, without the routes that catch everything else. */
function layersOf(app: Application): (Layer & { route: Route })[] {
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack.filter(
    (layer): layer is Layer & { route: Route } =>
      layer.route !== undefined && !layer.route.path.includes('*'),
  );
}

/** The methods that the app's own routes support for this path. GET includes HEAD. */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = layersOf(app)
    .filter((layer) => layer.match(path))
    .flatMap(({ route }) => Object.keys(route.methods).map((method) => method.toUpperCase()));
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].toSorted();
}

export function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const API = '/api/';
const ADMIN = '/api/admin/';

/** The store API's address that differs from this path in a few letters, in `/api` or in a version. */
export function nearestAddress(app: Application, method: string, path: string): string | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const sent = withoutPrefix(path);
  // A store learns nothing of addresses for the wholesaler's programs.
  const isAdmin = path.startsWith(ADMIN);
  const patterns = layersOf(app)
    .filter(
      ({ route }) =>
        route.path.startsWith(API) && route.path.startsWith(ADMIN) === isAdmin && route.methods[verb],
    )
    .map(({ route }) => route.path.slice(API.length).split('/'));
  const nearest = nearestTo(patterns, (pattern) => editsInAll(pattern, sent));
  return nearest && API + nearest.map((part, at) => (part.startsWith(':') ? sent[at] : part)).join('/');
}

/** The API has no version in its addresses. */
function withoutPrefix(path: string): string[] {
  const parts = path.split('/').slice(1);
  const first = parts.findIndex((part) => !/^(api|v\d+)$/i.test(part));
  return first < 0 ? [] : parts.slice(first);
}

function editsInAll(pattern: readonly string[], sent: readonly string[]): number | undefined {
  if (pattern.length !== sent.length || sent.includes('')) return undefined;
  const edits = pattern.map((part, at) => (part.startsWith(':') ? 0 : editsTo(part, sent[at]!)));
  return edits.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}
