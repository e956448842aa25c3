/** What may stand between two slashes of a pattern: a text, or the name of a parameter. Whatever else patterns know, a tree does not. */
const TEXT = /^[^{}()[\]+?!*:\\]*$/;
const PARAMETER = /^:[A-Za-z_]\w*$/;

/** A route at its place among all. */
interface Leaf<Route> {
  place: number;
  route: Route;
  /** The parameters of its pattern, and which segment of a path each of them is. */
  parameters: [name: string, segment: number][];
}

export interface Found<Route> {
  place: number;
  route: Route;
  params: Record<string, string>;
}

/** What several patterns have in common up to a slash, and how they go on. */
class Branch<Route> {
  readonly texts = new Map<string, Branch<Route>>();
  parameter: Branch<Route> | undefined = undefined;
  /** By method: of several routes for the same the first one. */
  readonly leaves = new Map<string, Leaf<Route>>();
}

/**
 * Finds the route for a path by walking along the path once, however many routes there are. It finds the one that would be found if
 * one after the other were asked, in the order in which they were added. Case and every slash count.
 */
export class RouteTree<Route> {
  private readonly root = new Branch<Route>();

  /** Says whether the tree understands the pattern. If not, it does not know the route. */
  add(place: number, methods: readonly string[], pattern: string, route: Route): boolean {
    const [beginning, ...segments] = pattern.split('/');
    if (beginning !== '' || !segments.every((segment) => TEXT.test(segment) || PARAMETER.test(segment)))
      return false;
    let branch = this.root;
    const parameters: Leaf<Route>['parameters'] = [];
    for (const [index, segment] of segments.entries()) {
      if (PARAMETER.test(segment)) {
        parameters.push([segment.slice(1), index + 1]);
        branch = branch.parameter ??= new Branch();
      } else {
        branch = grow(branch.texts, segment);
      }
    }
    for (const method of methods) {
      if (!branch.leaves.has(method)) branch.leaves.set(method, { place, route, parameters });
    }
    return true;
  }

  /** The first of the routes for one of these methods. The path has to be one that can be decoded. */
  find(methods: readonly string[], path: string): Found<Route> | undefined {
    const segments = path.split('/');
    if (segments[0] !== '') return undefined;
    const leaf = search(this.root, methods, segments, 1);
    return leaf && { place: leaf.place, route: leaf.route, params: readParameters(leaf, segments) };
  }
}

function grow<Route>(texts: Map<string, Branch<Route>>, text: string): Branch<Route> {
  let branch = texts.get(text);
  if (!branch) texts.set(text, (branch = new Branch()));
  return branch;
}

function search<Route>(
  branch: Branch<Route>,
  methods: readonly string[],
  segments: readonly string[],
  index: number,
): Leaf<Route> | undefined {
  if (index === segments.length) return firstFor(methods, branch);
  const segment = segments[index]!;
  const text = branch.texts.get(segment);
  const byText = text && search(text, methods, segments, index + 1);
  // A parameter is never empty.
  const byParameter =
    branch.parameter && segment !== '' && search(branch.parameter, methods, segments, index + 1);
  return byParameter ? earlier(byText, byParameter) : byText;
}

function firstFor<Route>(methods: readonly string[], { leaves }: Branch<Route>): Leaf<Route> | undefined {
  let first: Leaf<Route> | undefined;
  for (const method of methods) {
    const leaf = leaves.get(method);
    if (leaf) first = earlier(first, leaf);
  }
  return first;
}

function earlier<Route>(one: Leaf<Route> | undefined, other: Leaf<Route>): Leaf<Route> {
  return one && one.place < other.place ? one : other;
}

/** Without a prototype, as Express makes them: whoever looks for a parameter finds nothing else. */
function readParameters<Route>(
  { parameters }: Leaf<Route>,
  segments: readonly string[],
): Record<string, string> {
  const params = Object.create(null) as Record<string, string>;
  for (const [name, index] of parameters) {
    const segment = segments[index]!;
    params[name] = segment.includes('%') ? decodeURIComponent(segment) : segment;
  }
  return params;
}
