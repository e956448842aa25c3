/** What a page may do. Left out is what it may not. */
export interface PageRights {
  /** Our scripts run on it, and it shows products' pictures from wherever they are. */
  scripts?: boolean;
  /** Origins besides our own that its forms go to. */
  formTargets?: readonly string[];
}

/** Nothing inline and nothing foreign, whatever else a page may do. */
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
