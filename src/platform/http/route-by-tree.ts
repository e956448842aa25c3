import { METHODS } from 'node:http';
import express, { type Request, type Response, type Router } from 'express';
import { isDecodable } from './identify-request.js';
import { type Found, RouteTree } from './route-tree.js';

type Next = (error?: unknown) => void;

/** An entry of the list that Express keeps: middleware, or a route with its handlers. */
interface Layer {
  /** Of middleware: whether it is for all paths. */
  slash: boolean;
  route?: Route;
  match(path: string): unknown;
  handleRequest(request: Request, response: Response, next: Next): void;
}

interface Route {
  path: unknown;
  methods: Record<string, boolean>;
  stack: Layer[];
}

interface List {
  stack: Layer[];
  handle(request: Request, response: Response, done: Next): void;
}

/** By what names Express knows those who answer a method. OPTIONS is answered by what all routes together know. */
const ANSWERING = new Map(
  METHODS.filter((method) => method !== 'OPTIONS').map((method) => [
    method,
    method === 'HEAD' ? ['head', 'get', '_all'] : [method.toLowerCase(), '_all'],
  ]),
);

/**
 * Express asks one route after the other whether it takes a path. This goes through the same list in the same order, but looks the first
 * route that does up in a tree. Whatever is out of the ordinary is left to Express, from that place of its list on: an error, middleware for some
 * paths only, a handler that passes the request on, a pattern that the tree does not understand.
 */
export function routeByTree(router: Router): void {
  const list = router as unknown as List;
  let way = new WayThrough(list);
  list.handle = (request, response, done) => {
    // Something may be added to the list at any time, though hardly once the app listens.
    if (way.length !== list.stack.length) way = new WayThrough(list);
    way.go(request, response, done);
  };
}

/** The way through a list of this length: past the middleware before the first route to one of the routes up to the next middleware. */
class WayThrough {
  readonly length: number;
  private readonly handle: List['handle'];
  private readonly before: readonly Layer[];
  private readonly tree = new RouteTree<Route>();
  /** What the tree does not understand. */
  private readonly others: { place: number; layer: Layer }[] = [];
  /** What is left of the list from a place on. */
  private readonly rests = new Map<number, List>();

  constructor(private readonly list: List) {
    const { stack } = list;
    this.length = stack.length;
    this.handle = (Object.getPrototypeOf(list) as List).handle;
    const firstRoute = stack.findIndex(({ route }) => route);
    this.before = stack.slice(0, Math.max(0, firstRoute));
    for (let place = this.before.length; stack[place]?.route; place++) this.add(place, stack[place]!);
  }

  go(request: Request, response: Response, done: Next): void {
    const answering = ANSWERING.get(request.method);
    if (!answering) return this.goOn(0, request, response, done);
    const { before } = this;
    request.originalUrl ||= request.url;
    request.baseUrl ||= '';
    request.params = {};
    let place = 0;
    const next: Next = (error) => {
      if (error) return this.fail(error, place, request, response, done);
      // As it is now: whoever was before may have written another address.
      const path = readPath(request);
      if (path === undefined) return this.goOn(place, request, response, done);
      while (place < before.length) {
        const layer = before[place]!;
        if (!layer.slash && layer.match(path)) break;
        place++;
        if (layer.slash) return layer.handleRequest(request, response, next);
      }
      const found = place === before.length && this.find(answering, path);
      if (!found) return this.goOn(place, request, response, done);
      place = found.place + 1;
      request.params = found.params;
      request.route = found.route;
      found.route.stack[0]!.handleRequest(request, response, next);
    };
    request.next = next;
    next();
  }

  private add(place: number, layer: Layer): void {
    const { path, methods, stack } = layer.route!;
    const isKnown =
      typeof path === 'string' &&
      stack.length === 1 &&
      this.tree.add(place, Object.keys(methods), path, layer.route!);
    if (!isKnown) this.others.push({ place, layer });
  }

  private find(answering: readonly string[], path: string): Found<Route> | undefined {
    const found = this.tree.find(answering, path);
    if (!found) return undefined;
    const isFirst = !this.others.some(({ place, layer }) => place < found.place && layer.match(path));
    return isFirst ? found : undefined;
  }

  private goOn(place: number, request: Request, response: Response, done: Next): void {
    let rest = this.rests.get(place);
    if (!rest) this.rests.set(place, (rest = this.listOf(this.list.stack.slice(place))));
    this.handle.call(rest, request, response, done);
  }

  /** Goes on with what handles errors. Express begins with none, so the first entry of what it gets raises it. */
  private fail(error: unknown, place: number, request: Request, response: Response, done: Next): void {
    const raising = express.Router().use((_request, _response, next) => next(error)) as unknown as List;
    const rest = this.listOf([...raising.stack, ...this.list.stack.slice(place)]);
    this.handle.call(rest, request, response, done);
  }

  private listOf(stack: Layer[]): List {
    return Object.create(this.list, { stack: { value: stack } }) as List;
  }
}

/** Only one of which all segments can be read. */
function readPath({ path }: { path: string | null }): string | undefined {
  return path !== null && (!path.includes('%') || isDecodable(path)) ? path : undefined;
}
