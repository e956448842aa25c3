import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import { type ErrorCode, statusOf } from '../../platform/errors/error-codes.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { parseMonth } from '../../platform/time/time.js';
import { capitalised, isStorableText } from '../../platform/validation/texts.js';
import { type Page, type Reply, type SeeOther, seeOther } from './page.js';

/** The text of a field; empty if it is missing or sent twice. */
export function textIn(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Other text than an id gives 0, which no row has. */
export const idIn = (text = '') => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** The number of the row after which a page begins. Other text means the first page. */
export function pageMarkIn(query: FormFields, name: string, digits = 9): number | undefined {
  const text = textIn(query, name);
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : undefined;
}

/** The day or the month of a file; undefined for no text. A mistake must not give the file of another one. */
export function readPeriod<Period>(
  text: string,
  what: 'day' | 'month',
  parse: (text: string) => Period | undefined,
): Period | undefined {
  const period = parse(text);
  if (period !== undefined || text.trim() === '') return period;
  const example = what === 'day' ? '2026-11-26' : '2026-11';
  throw new DomainError('invalid_value', `The ${what} must be one such as ${example}.`);
}

export const fileMonthIn = (query: FormFields) => readPeriod(textIn(query, 'month'), 'month', parseMonth);

/** The value of a field, if it is one of these words. */
export const oneOf = <Word extends string>(query: FormFields, name: string, words: readonly Word[]) =>
  words.find((word) => word === textIn(query, name));

/** The text of a query parameter, such as a search; undefined if it is empty or cannot be stored. */
export function searchTextIn(query: FormFields, name: string, maxLength = 200): string | undefined {
  const text = textIn(query, name).slice(0, maxLength).trim();
  return text !== '' && isStorableText(text) ? text : undefined;
}

/** Makes a reader for a form of these text fields. */
export function readTexts<Name extends string>(...names: Name[]) {
  return (fields: FormFields) =>
    Object.fromEntries(names.map((name) => [name, textIn(fields, name)])) as Record<Name, string>;
}

/** Missing rights and a database that is down are no matter of a form. Other errors of ours are refusals. */
function isRefusal(error: unknown): error is DomainError {
  return (
    error instanceof DomainError && error.code !== 'unavailable' && ![401, 403].includes(statusOf(error.code))
  );
}

/** Shows the form's page again, with errors at its fields or the message of a refusal above the form. */
export function redisplayForm(error: unknown, page: Page): Page {
  if (!isRefusal(error)) throw error;
  if (error.errors) return { ...page, failure: error, status: 422 };
  return { refusal: error.message, ...page, failure: error };
}

/** Runs the action of a form. After a refusal it shows the form's page again. */
export async function submitForm(
  action: () => Promise<Reply>,
  page: (error: unknown) => Page | Promise<Page>,
): Promise<Reply> {
  try {
    return await action();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return redisplayForm(error, await page(error));
  }
}

/** Redirects to this path, with the result of the action or its error message as a notice. */
export async function redirectWithWarning(
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

/** Adds the field to an error of a service that does not know the form's fields. */
export function errorAtField(field: string, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'invalid_value' || error.errors) return error;
  return validationFailed([{ field, code: error.code, message: error.message }]);
}

export interface SubmittedForm {
  fields: FormFields;
  faults: Readonly<Record<string, string>>;
}

/** Keeps the first error of each field: later ones usually follow from it. */
export function buildSubmittedForm(failure: DomainError | undefined, fields: FormFields = {}): SubmittedForm {
  const faults = (failure?.errors ?? []).toReversed().map(({ field, message }) => [
    field,
    // Messages continue a field's name: "must be at least 1".
    capitalised(message),
  ]);
  return { fields, faults: Object.fromEntries(faults) as SubmittedForm['faults'] };
}
