import type { FieldError } from '../errors/domain-error.js';
import type { NamedField } from './named-fields.js';
import { editsTo } from './similar-names.js';

type Parameter = Pick<NamedField, 'name' | 'isList'>;

/** The form in which PHP and axios send a list. */
const IN_BRACKETS = /^([^[]+)\[\d{0,4}\]$/;

const MAX_REPORTED_LENGTH = 64;

/** The known parameter that is sent under this name. */
export function parameterOf(sent: string, known: readonly Parameter[]): string | undefined {
  if (known.some(({ name }) => name === sent)) return sent;
  const list = IN_BRACKETS.exec(sent)?.[1];
  return known.find(({ name, isList }) => isList && name === list)?.name;
}

type SentValue = string | string[];

/** The known parameters. A list is one, however it is spelt. */
export function readQuery(query: object, known: readonly Parameter[]): Record<string, SentValue> {
  const read: Record<string, SentValue> = {};
  for (const [sent, value] of Object.entries(query) as [string, SentValue][]) {
    const name = parameterOf(sent, known);
    if (name !== undefined) read[name] = Object.hasOwn(read, name) ? [read[name]!, value].flat() : value;
  }
  return read;
}

/** A list that names several things. */
export interface SentList {
  /** The text that was sent alone: perhaps one name with a comma. */
  whole?: string;
  names: string[];
}

/** Several values are never split. */
export function readList(sent: SentValue): SentList {
  if (typeof sent !== 'string') return { names: sent };
  return { whole: sent, names: sent.split(',').map((name) => name.trim()) };
}

/**
 * Parameters that differ from a known one by brackets, case or one letter. To ignore them would give an
 * answer that looks right. The value in brackets is not repeated, because it may be customer data.
 */
export function misspeltParameters(query: object, known: readonly Parameter[]): FieldError[] {
  return Object.keys(query).flatMap((sent) => {
    if (parameterOf(sent, known) !== undefined) return [];
    const bare = sent.split('[', 1)[0]!;
    const meant = known.find(({ name }) => (editsTo(name, bare) ?? 2) <= 1)?.name;
    if (meant === undefined) return [];
    const field = `${bare.slice(0, MAX_REPORTED_LENGTH)}${bare === sent ? '' : '[]'}`;
    return [{ field, code: 'unknown_parameter', message: `is unknown; did you mean "${meant}"?`, meant }];
  });
}
