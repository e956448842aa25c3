import { DomainError } from '../../platform/errors/domain-error.js';
import { paragraphFault, readLine } from '../../platform/validation/texts.js';
import { keyOf } from './order-steps.js';
import type { LineQuantity } from './order-units.js';

export const RETURN_STATES = ['requested', 'received', 'refused'] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

export const REASON_LENGTH = 200;
export const NOTE_LENGTH = 500;

export interface ReturnAsked {
  lines: LineQuantity[];
  reason: string;
  /** May have several lines. */
  note?: string;
  /** A second request with the same key does nothing. By default the same words have the same key. */
  key?: string;
}

/** A checked request. */
export interface ReturnRequest {
  lines: LineQuantity[];
  reason: string;
  note: string | null;
  key: string;
}

export function readReturn({ lines: given, reason: words, note: more, key }: ReturnAsked): ReturnRequest {
  const lines = given.toSorted((a, b) => a.line - b.line);
  if (lines.length === 0) throw new DomainError('invalid_value', 'Name at least one unit that comes back.');
  const reason = readLine('reason', words, REASON_LENGTH);
  const note = readNote(more);
  return { lines, reason, note, key: keyOf(key, ['returned', lines, reason, note]) };
}

/** An empty note is none. */
export function readNote(text = ''): string | null {
  const note = text.trim();
  const fault = paragraphFault(note, NOTE_LENGTH);
  if (fault !== undefined) throw new DomainError('invalid_value', `The note ${fault}.`);
  return note || null;
}
