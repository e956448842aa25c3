import { DomainError } from './domain-error.js';

/** Names faults by the fields of a body, where a form has other names. */
export async function renameFaults<Result>(
  names: Readonly<Record<string, string>>,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || !error.errors) throw error;
    const errors = error.errors.map((fault) => ({ ...fault, field: names[fault.field] ?? fault.field }));
    throw new DomainError(error.code, error.message, { facts: error.facts, errors });
  }
}
