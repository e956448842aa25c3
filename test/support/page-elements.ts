import { readFileSync } from 'node:fs';
import type request from 'supertest';
import { readable, unescaped } from './page-text.js';
import type { SignedIn } from './sign-in.js';

/** A list has many addresses: of filters, days and page marks. The first ones contain each kind of element. */
const MAX_VISITS = 13;
const MAX_VISITS_WITH_SAME_FILTERS = 3;

/** Longer lists of options are data, such as the states of India. */
const MAX_OPTIONS = 12;

/** Stands for the header and the footer of all pages. */
const FRAME = 'every page';

interface Visitors<Role extends string> {
  /** From the role with the fewest rights to the role with the most. */
  roles: readonly Role[];
  /** Each route, with its lowest role or `open`, as in `roles.txt`. */
  rights: ReadonlyMap<string, string>;
  people: Readonly<Record<Role, Pick<SignedIn, 'get'>>>;
  /** Where the visits begin. */
  starts: readonly string[];
  observe: (role: Role, path: string, answer: request.Response) => void;
}

/**
 * Visits the pages that links lead to, as each role. Returns lines "page: kind: element (its roles)". A page for the
 * highest role alone has no element that another role could see.
 */
export async function visitPages<Role extends string>(visitors: Visitors<Role>): Promise<string[]> {
  const { roles, rights, people, starts, observe } = visitors;
  const patternOf = patternFinder([...rights.keys()]);
  const visits = new Map<string, number>();
  const isEnough = (key: string, limit: number) => {
    const count = (visits.get(key) ?? 0) + 1;
    visits.set(key, count);
    return count > limit;
  };
  const observers = new Map<string, Set<Role>>();
  const paths = new Set(starts);
  for (const path of paths) {
    const found = patternOf('GET', path);
    const right = found && rights.get(`GET ${found.route}`);
    if (right === undefined || right === 'open' || right === roles.at(-1)) continue;
    const { page } = found!;
    if (isEnough(filtersOf(path, page).join('&'), MAX_VISITS_WITH_SAME_FILTERS)) continue;
    if (isEnough(`all of ${page}`, MAX_VISITS)) continue;
    const allowed = roles.slice(roles.indexOf(right as Role));
    const answers = await Promise.all(allowed.map((role) => people[role].get(path)));
    for (const [at, answer] of answers.entries()) {
      const role = allowed[at]!;
      observe(role, path, answer);
      if (answer.status !== 200) continue;
      for (const [place, element] of elementsOf(answer, patternOf)) {
        const key = `${place === FRAME ? FRAME : page}: ${element}`;
        observers.set(key, (observers.get(key) ?? new Set()).add(role));
      }
      if (answer.type !== 'text/html') continue;
      for (const [, link] of answer.text.matchAll(/ href="(\/[^"#]*)/g)) paths.add(unescaped(link!));
    }
  }
  return [...observers].map(([element, by]) => `${element} (${rolesText(roles, by)})`).toSorted();
}

/** The lowest role, and the highest one if higher roles do not see the element. */
function rolesText<Role extends string>(roles: readonly Role[], observers: ReadonlySet<Role>): string {
  const observing = roles.filter((role) => observers.has(role));
  const [lowest, highest] = [observing[0]!, observing.at(-1)!];
  return highest === roles.at(-1) ? lowest : `${lowest}–${highest}`;
}

type PatternFinder = (method: string, address: string) => { route: string; page: string } | undefined;

/** Finds the route of an address. A parameter that is a word names another page: /desk/orders/:number/ship. */
function patternFinder(routes: readonly string[]): PatternFinder {
  const patterns = routes
    .map((route) => {
      const [method, pattern] = route.split(/ +/) as [string, string];
      const source = pattern
        .replaceAll('.', '\\.')
        .replace(/\{(.*)\}/, '(?:$1)?')
        .replace(/:\w+/g, '([^/]+)');
      return { method, route: pattern, source: new RegExp(`^${source}$`) };
    })
    // A fixed word wins over a parameter: /desk/goods/new is no product.
    .toSorted((one, other) => one.route.split(':').length - other.route.split(':').length);
  return (method, address) => {
    const path = address.split(/[?#]/)[0]!;
    for (const { route, source, ...one } of patterns) {
      const match = one.method === method && source.exec(path);
      if (!match) continue;
      let at = 0;
      const name = (parameter: string) => (/^[a-z-]+$/.test(match[++at] ?? '') ? match[at]! : parameter);
      return { route, page: route.replace(/:\w+/g, name) };
    }
    return undefined;
  };
}

/** The page with each parameter of its address: "/desk/orders?status=all", "/desk/orders?from=#". */
function filtersOf(address: string, page: string): string[] {
  const [, query] = address.split('#')[0]!.split('?');
  if (!query) return [page];
  const parameters = [...new URLSearchParams(query)];
  return parameters.map(([name, value]) => `${page}?${name}=${/^[a-z_-]+$/.test(value) ? value : '#'}`);
}

function* elementsOf(answer: request.Response, patternOf: PatternFinder): Generator<[string, string]> {
  if (answer.type === 'text/csv') {
    for (const column of answer.text.replace('\uFEFF', '').split(/\r?\n/)[0]!.split(','))
      yield ['page', `column file: ${column}`];
  } else if (answer.type === 'text/html') {
    const main = /<main.*<\/main>/s.exec(answer.text)?.[0] ?? '';
    for (const element of elementsIn(answer.text.replace(main, ''), patternOf)) yield [FRAME, element];
    for (const element of elementsIn(main, patternOf)) yield ['page', element];
  }
}

/** Numbers, codes and months differ from run to run. */
const words = (part: string) => readable(part).trim().replace(CHANGING, '#');
const CHANGING =
  /[\w-]*\d[\w-]*|\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t|tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b/g;

function* elementsIn(html: string, patternOf: PatternFinder): Generator<string> {
  for (const [, title] of html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)) yield `card: ${words(title!)}`;
  for (const [, name] of html.matchAll(/<dt[^>]*>(.*?)<\/dt>/gs)) yield `fact: ${words(name!)}`;
  for (const [, table] of html.matchAll(/<table[^>]*>(.*?)<\/table>/gs)) {
    const caption = words(/<caption.*?<\/caption>/s.exec(table!)?.[0] ?? '');
    for (const [, heading] of table!.matchAll(/<th(?: [^>]*)?>(.*?)<\/th>/gs))
      yield `column ${caption}: ${words(heading!)}`;
  }
  for (const [, link] of html.matchAll(/<a [^>]*href="([^"]*)"/gs)) {
    const address = unescaped(link!);
    const page = patternOf('GET', address)?.page ?? words(address.split('?')[0]!);
    for (const target of filtersOf(address, page)) yield `link: ${target}`;
  }
  for (const [form] of html.matchAll(/<form [^>]*>/gs)) {
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? '';
    const method = form.includes('method="post"') ? 'POST' : 'GET';
    yield `form: ${method} ${patternOf(method, action)?.page ?? words(action || 'the page itself')}`;
  }
  for (const [, button] of html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)) yield `button: ${words(button!)}`;
  for (const [, name] of html.matchAll(/<(?:input|textarea|select) [^>]*?name="([^"]*)"/gs))
    yield `field: ${name!.replace(/\d+/g, '#')}`;
  for (const option of optionsIn(html)) yield `option ${option}`;
}

function* optionsIn(html: string): Generator<string> {
  const valueOf = (tag: string) => words(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  for (const [, name, options] of html.matchAll(/<select [^>]*?name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const values = [...options!.matchAll(/<option[^>]*>/g)].map(([tag]) => valueOf(tag));
    if (values.length <= MAX_OPTIONS) for (const value of values) if (value) yield `${name}: ${value}`;
  }
  for (const [tag] of html.matchAll(/<input [^>]*type="(?:radio|checkbox)"[^>]*>/g))
    yield `${words(/name="([^"]*)"/.exec(tag)?.[1] ?? '')}: ${valueOf(tag)}`;
}

/**
 * Reads a list of elements as `visitPages` returns it. Below each page stand lines "role kind: element | element".
 * A line that is indented further continues the line above.
 */
export function readElements(file: URL): string[] {
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .replace(/\n {4,}/g, ' ')
    .split('\n');
  let page = '';
  return lines
    .flatMap((line) => {
      const [, roles, kind, elements] = /^ {2}(\S+) +(.*?): (.*)$/.exec(line) ?? [];
      if (elements === undefined) page = line;
      return elements?.split(' | ').map((element) => `${page}: ${kind}: ${element} (${roles})`) ?? [];
    })
    .toSorted();
}
