/**
 * The form in which a caller's domain and a registered one are compared: without case, `http(s)://` and a leading
 * `www.`. Surrounding white space and one trailing slash are forgiven; a port, a path or a subdomain is a difference.
 */
export function normaliseDomain(text: string): string | null {
  const domain = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/^www\./, '');
  return domain === '' ? null : domain;
}
