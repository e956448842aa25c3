import type { ServerResponse } from 'node:http';

/** The headers of every page, file and error. */
export function pageHeaders(rights: PageRights = {}): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', contentPolicy(rights)],
    ['Referrer-Policy', 'same-origin'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
}

/** The same, for an answer that Nest sends. */
export function setPageHeaders(response: ServerResponse): void {
  for (const [name, value] of pageHeaders()) response.setHeader(name, value);
}

/** The rights of a page. Everything else is forbidden. */
export interface PageRights {
  /** Allows our scripts, and product pictures from any https origin. */
  scripts?: boolean;
  /** Foreign origins that forms may post to. */
  formTargets?: readonly string[];
}

/** Never allows inline or foreign scripts and styles. */
export function contentPolicy({ scripts = false, formTargets = [] }: PageRights): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'", "img-src 'self' https:"] : ["img-src 'self'"]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
