import type { DomainError } from '../platform/errors/domain-error.js';

/** What is wrong with which field, for its form to be shown once more. */
export type Faults = Readonly<Record<string, string>>;

/** Of several faults of one field the first: the others mostly go with it. */
export function faultsOf({ errors = [] }: DomainError): Faults {
  return Object.fromEntries(errors.toReversed().map(({ field, message }) => [field, sentence(message)]));
}

/** Messages go on where a field's name ends: "must be at least 1". */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
