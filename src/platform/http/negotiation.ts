import type { Encoding } from './representation.js';

/** Clients have few ways to say what they take; whoever invents more of them has each read anew. */
const MOST_KEPT = 100;
const kept = new Map<string, Encoding>();

/** The encoding that the client likes best, by RFC 9110, 12.5.3; gzip if it likes both the same. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  if (!header) return 'identity';
  const text = String(header);
  const known = kept.get(text);
  if (known) return known;
  const liked = likedBest(text);
  if (kept.size < MOST_KEPT) kept.set(text, liked);
  return liked;
}

function likedBest(header: string): Encoding {
  const weights = new Map(header.split(',').map(parseEntry));
  const anything = weights.get('*');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? anything ?? 0;
  // Identity is acceptable unless ruled out, but only preferred where it is named.
  const identity = weights.get('identity') ?? 0;
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}

/** Says whether `If-None-Match` names this tag: weak comparison, lists and `*`, by RFC 9110, 13.1.2. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === etag);
}

function parseEntry(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [name, weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')) || 0];
}
