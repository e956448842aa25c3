import { ownText } from './kept-parts.js';

/** Replaces a segment that is not kept. */
const LEFT_OUT = '…';

/** An order number, a store's id or a SKU. E-mail addresses and names of two words do not match. */
const ID = /^[^\s@]+$/;

/** Known words, which are kept in an unknown path, so that a misspelling is visible. */
const WORD = /^(|api|v\d+|account|plan|products|orders|cancel|quote|status|stock)$/;

/** The name of a resource, known or not: the first segment after /api. */
const RESOURCE = /^[a-z][a-z0-9_-]{0,31}$/;

const MAX_PARTS = 8;

/**
 * The path of a request, without its query and without segments that may be customer data. `pattern` is the
 * pattern of its route, if it has one.
 */
export function keptPath(path: string, pattern: string | undefined): string {
  const parts = path.split('/');
  const kept = pattern === undefined ? ofNoRoute(parts) : ofRoute(parts, pattern.split('/'));
  return kept.join('/');
}

function ofRoute(parts: string[], pattern: string[]): string[] {
  return pattern.map((name, index) => (name.startsWith(':') ? idOf(parts[index] ?? '') : name));
}

function idOf(part: string): string {
  const id = ownText(decode(part));
  return id !== null && ID.test(id) ? part : LEFT_OUT;
}

function ofNoRoute(parts: string[]): string[] {
  const resource = parts.indexOf('api') + 1;
  return parts
    .slice(0, MAX_PARTS)
    .map((part, index) => (WORD.test(part) || (index === resource && RESOURCE.test(part)) ? part : LEFT_OUT));
}

/** Undefined for a text that cannot be decoded, which is no id. */
function decode(part: string): unknown {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
