import { DomainError } from '../../platform/errors/domain-error.js';

/** A name as it stands in a `Host` header, with a port for stores that are still being built. */
const HOST =
  /^(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:\d{1,5})?$/;

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

/** The same, if it is one that a store could really be at. */
export function hostDomain(text: string): string | null {
  const domain = normaliseDomain(text);
  return domain !== null && HOST.test(domain) ? domain : null;
}

/** Reads a domain to which a token is to be registered. */
export function readDomain(text: string): string {
  const domain = hostDomain(text);
  if (domain === null) {
    throw new DomainError(
      'invalid_value',
      'The domain must look like store.example.com, without a path (IDN in its xn-- form).',
    );
  }
  return domain;
}
