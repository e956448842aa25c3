import { DomainError } from '../../platform/errors/domain-error.js';

/** The same whatever is the matter with it, so that nobody learns whether it ever was one. */
export function linkInvalid(): DomainError {
  return new DomainError(
    'link_invalid',
    'This link is not good any more: its time is over, it was used, or a newer one took its place. Ask for another one.',
  );
}
