import { DomainError } from '../../platform/errors/domain-error.js';

/** A name as in a `Host` header, with a port for stores in development. */
const HOST =
  /^(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:\d{1,5})?$/;

/**
 * The normalised form for comparison: lower case, without `http(s)://` and a leading `www.`. Surrounding
 * white space and one trailing slash are ignored. Ports, paths and subdomains are compared.
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

/** The normalised domain, or null if no store can have it. */
export function hostDomain(text: string): string | null {
  const domain = normaliseDomain(text);
  return domain !== null && HOST.test(domain) ? domain : null;
}

/** Takes the domain of a whole address too, as a browser shows it. */
export function readDomain(text: string): string {
  const domain = hostDomain(text.replace(/^\s*(https?:\/\/[^/?#]+)[/?#].*$/i, '$1'));
  if (domain === null) {
    throw new DomainError(
      'invalid_value',
      'The domain must look like store.example.com, without a path (IDN in its xn-- form).',
    );
  }
  return domain;
}
