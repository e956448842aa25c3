import { isStorableText } from '../platform/validation/texts.js';
import type { NoteFault } from './import-kind.js';

/** A cell that is only looked up must be something that the database can be asked for. */
export function storableCell(column: string, text: string, note: NoteFault): string | null {
  if (isStorableText(text)) return text;
  note(column, 'contains a character that cannot be stored');
  return null;
}

/** Empty is nothing. */
export function optionalCell(column: string, text: string, note: NoteFault): string | null {
  return text === '' ? null : storableCell(column, text, note);
}

export function requiredCell(column: string, text: string, note: NoteFault): string | null {
  if (text === '') note(column, 'must not be empty');
  return text === '' ? null : storableCell(column, text, note);
}
