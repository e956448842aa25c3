/** Says whether `If-None-Match` names this tag: weak comparison, lists and `*`, by RFC 9110, 13.1.2. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === etag);
}
