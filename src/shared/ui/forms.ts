import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { capitalised, isStorableText } from '../../platform/validation/texts.js';
import { type Page, type Reply, type SeeOther, seeOther } from './page.js';

/** The text of a field; empty if it is missing or sent twice. */
export function textIn(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Other text than an id gives 0, which no row has. */
export const idIn = (text = '') => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** The number of the last row shown. Other text starts at the beginning. Most ids have up to 9 digits. */
export function placeIn(query: FormFields, name: string, digits = 9): number | undefined {
  const text = textIn(query, name);
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : undefined;
}

/** One of these words, or undefined. */
export const oneOf = <Word extends string>(query: FormFields, name: string, words: readonly Word[]) =>
  words.find((word) => word === textIn(query, name));

/** A text of the address, such as a search; undefined if it is empty or cannot be stored. */
export function wordIn(query: FormFields, name: string, longest = 200): string | undefined {
  const text = textIn(query, name).slice(0, longest).trim();
  return text !== '' && isStorableText(text) ? text : undefined;
}

/** Makes a reader for a form of these text fields. */
export function readTexts<Name extends string>(...names: Name[]) {
  return (fields: FormFields) =>
    Object.fromEntries(names.map((name) => [name, textIn(fields, name)])) as Record<Name, string>;
}

/**
 * Shows the form's page again after an error of a field, or after one of these errors, which is shown above
 * the form. Other errors are rethrown.
 */
export function again(error: unknown, page: Page, ...codes: ErrorCode[]): Page {
  if (!(error instanceof DomainError)) throw error;
  if (error.errors) return { ...page, failure: error, status: 422 };
  if (!codes.includes(error.code)) throw error;
  return { refusal: error.message, ...page, failure: error };
}

/** Answers with the deed, or with the form's page again, as `again` does. */
export async function orAgain(
  deed: () => Promise<Reply>,
  page: (error: unknown) => Page | Promise<Page>,
  ...codes: ErrorCode[]
): Promise<Reply> {
  try {
    return await deed();
  } catch (error) {
    return again(error, await page(error), ...codes);
  }
}

/** For a deed of another page: what was done, or why it was not, is told on this one. */
export async function orWarn(
  path: string,
  codes: ErrorCode[],
  work: () => Promise<string>,
): Promise<SeeOther> {
  try {
    return seeOther(path, await work());
  } catch (error) {
    if (!(error instanceof DomainError) || !codes.includes(error.code)) throw error;
    return seeOther(path, { kind: 'warn', text: error.message });
  }
}

/** Some services do not name the field of a wrong value. Here the form's page does. */
export function atField(field: string, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'invalid_value' || error.errors) return error;
  return validationFailed([{ field, code: error.code, message: error.message }]);
}

export interface Sent {
  fields: FormFields;
  faults: Readonly<Record<string, string>>;
}

/** Shows the first error of each field; later ones usually follow from it. */
export function sentWith(failure: DomainError | undefined, fields: FormFields = {}): Sent {
  const faults = (failure?.errors ?? []).toReversed().map(({ field, message }) => [
    field,
    // Messages continue a field's name: "must be at least 1".
    capitalised(message),
  ]);
  return { fields, faults: Object.fromEntries(faults) as Sent['faults'] };
}
