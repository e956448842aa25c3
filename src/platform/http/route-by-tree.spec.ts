import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import fc from 'fast-check';
import { routeByTree } from './route-by-tree.js';

/** Something to put into a router's list, and what it does with a request. */
interface Entry {
  kind: 'middleware' | 'get' | 'post' | 'head' | 'all' | 'catches errors';
  path: string;
  does: 'answers' | 'passes on' | 'fails' | 'fails later';
}

const SEGMENTS = ['a', 'b', 'A', 'a.b', ':x', ':y', ':x', ''];
const ODD_PATTERNS = ['/*rest', '/a/*rest', '/{*rest}', '/:x{/:y}', '/a-:x', '/a{/b}'];

const pattern = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 }).map(joined),
  },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_PATTERNS) },
);

const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('middleware', 'get', 'get', 'get', 'post', 'head', 'all', 'catches errors'),
  path: pattern,
  does: fc.constantFrom('answers', 'answers', 'answers', 'passes on', 'fails', 'fails later'),
});

/** Middleware for all paths, as Nest's is, comes first as a rule. */
const entries = fc
  .tuple(fc.nat(2), fc.array(entry, { maxLength: 12 }))
  .map(([count, others]): Entry[] => [
    ...Array.from({ length: count }, (): Entry => ({ kind: 'middleware', path: '/', does: 'passes on' })),
    ...others,
  ]);

const asked = fc.record({
  method: fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'PROPFIND'),
  url: fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .array(
          fc.constantFrom('a', 'b', 'A', 'a.b', '', 'a%2Fb', '%C3%BC', '%FF', '%', 'a-1', 'x y', '__proto__'),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map(joined),
    },
    { weight: 1, arbitrary: fc.constantFrom('*', '', 'http://host/a/b', '/a?b=/c', '/a#b', '//a', '/?/a/b') },
  ),
});

function joined(segments: string[]): string {
  return `/${segments.join('/')}`;
}

function routerOf(all: Entry[]): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [index, { kind, path, does }] of all.entries()) {
    const handler = (request: Request, _response: Response, next: NextFunction): unknown => {
      const { params, route, url, baseUrl, originalUrl } = request;
      const trace = (request as unknown as { trace: unknown[] }).trace;
      trace.push({
        index,
        params: { ...params },
        route: (route as { path?: unknown } | undefined)?.path,
        url,
        baseUrl,
        originalUrl,
      });
      if (does === 'answers' && kind !== 'middleware') return (request as unknown as { over(): void }).over();
      if (does === 'fails') throw new Error(`by ${index}`);
      if (does === 'fails later') return Promise.reject(new Error(`by ${index}`));
      next();
    };
    if (kind === 'middleware') router.use(path, handler);
    else if (kind === 'catches errors')
      router.use(path, (error: Error, request: Request, response: Response, next: NextFunction) => {
        (request as unknown as { trace: unknown[] }).trace.push(error.message);
        return does === 'passes on' ? next(error) : handler(request, response, next);
      });
    else router[kind](path, handler);
  }
  return router;
}

/** Everything a request meets on its way, and how it ends. */
async function wayOf(router: Router, { method, url }: { method: string; url: string }): Promise<unknown[]> {
  const trace: unknown[] = [];
  await new Promise<void>((resolve) => {
    const over = () => resolve();
    const request = { method, url, headers: {}, trace, over };
    const response = { setHeader: () => undefined, end: (text: string) => resolve(void trace.push(text)) };
    Object.defineProperty(request, 'path', Object.getOwnPropertyDescriptor(express.request, 'path')!);
    (router as unknown as { handle(...all: unknown[]): void }).handle(request, response, (error?: Error) =>
      resolve(void trace.push('not taken', error?.message, request.url)),
    );
  });
  return trace;
}

describe('routing by a tree', () => {
  it('takes every request the way that Express takes it', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.array(asked, { minLength: 1, maxLength: 6 }), async (all, requests) => {
        const byExpress = routerOf(all);
        const byTree = routerOf(all);
        routeByTree(byTree);
        for (const request of requests) {
          expect(await wayOf(byTree, request)).toEqual(await wayOf(byExpress, request));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('goes a way that was added after the first request', async () => {
    const router = routerOf([{ kind: 'get', path: '/a', does: 'answers' }]);
    routeByTree(router);
    expect(await wayOf(router, { method: 'GET', url: '/b' })).toEqual(['not taken', undefined, '/b']);
    router.get('/:x', (request) => (request as unknown as { over(): void }).over());
    expect(await wayOf(router, { method: 'GET', url: '/b' })).toEqual([]);
  });
});
