import { type Day, parseDay } from '../../../platform/time/time.js';
import { readFields } from '../../../platform/validation/readers.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { paragraphFault, readLine } from '../../../platform/validation/texts.js';
import { requestKey } from './order-steps.js';
import type { LineQuantity } from './order-units.js';

export const RETURN_STATES = ['requested', 'received', 'partly_received', 'refused'] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

/** The state of a return after these units arrived. */
export function receivedState(
  lines: readonly { quantity: number; received: number | null }[],
): 'received' | 'partly_received' {
  return lines.every(({ quantity, received }) => received === quantity) ? 'received' : 'partly_received';
}

/** True if all units arrived, or some. */
export const isReceived = (state: ReturnState): boolean =>
  state === 'received' || state === 'partly_received';

/** The decision of a return that its client took back. The state is `refused`: no goods come back. */
export const WITHDRAWN = 'Withdrawn by the client';

/** For people: "partly received", "withdrawn". */
export const formatReturnState = (state: ReturnState, decision: string | null = null): string =>
  state === 'refused' && decision === WITHDRAWN ? 'withdrawn' : state.replace('_', ' ');

export const MAX_REASON_LENGTH = 200;
export const MAX_NOTE_LENGTH = 500;

/** Where and until when a client sends the goods of an accepted return. */
export interface Acceptance {
  sendTo: string;
  sendBy: Day;
}

export const MAX_ADDRESS_LENGTH = 500;

/** The address may have several lines. The day must not be over. */
export const readAcceptance = (texts: Record<keyof Acceptance, string>, today: Day): Acceptance =>
  readFields<Acceptance>({
    sendTo: () => {
      const address = texts.sendTo.replaceAll('\r\n', '\n').trim();
      const fault = address === '' ? 'must not be empty' : paragraphFault(address, MAX_ADDRESS_LENGTH);
      if (fault === undefined) return address;
      throw new DomainError('invalid_value', `The address ${fault}.`);
    },
    sendBy: () => {
      const day = parseDay(texts.sendBy);
      if (day !== undefined && day >= today) return day;
      throw new DomainError('invalid_value', `The last day must be today or later, such as ${today}.`);
    },
  });

/** The key of a return that an RTO opens. It is no request of a client, so it needs no answer. */
export const rtoKey = (parcel: number | '%' | '') => `rto of parcel ${parcel}`;

/** Whether its client may take it back: a request whose goods were neither received nor refused. */
export const isWithdrawable = ({ state, key }: { state: ReturnState; key: string }): boolean =>
  state === 'requested' && !key.startsWith(rtoKey(''));

export interface ReturnInput {
  lines: LineQuantity[];
  reason: string;
  /** May have several lines. */
  note?: string;
  /** A second request with the same key does nothing. Without a key, the same text has the same key. */
  key?: string;
  /** The store's own id, which makes the key. */
  storeReturnId?: string;
}

/** A checked request. */
export interface ReturnRequest {
  lines: LineQuantity[];
  reason: string;
  note: string | null;
  key: string;
  storeReturnId?: string;
}

export function readReturn(input: ReturnInput): ReturnRequest {
  const { lines: requestedLines, reason: reasonText, note: noteText, key, storeReturnId } = input;
  const lines = requestedLines.toSorted((a, b) => a.line - b.line);
  if (lines.length === 0) throw new DomainError('invalid_value', 'Name at least one unit that comes back.');
  const reason = readLine('reason', reasonText, MAX_REASON_LENGTH);
  const note = readNote(noteText);
  // The hash keeps the store's id apart from keys that forms and commands send.
  if (storeReturnId !== undefined)
    return { lines, reason, note, key: requestKey(undefined, ['store', storeReturnId]), storeReturnId };
  return { lines, reason, note, key: requestKey(key, ['returned', lines, reason, note]) };
}

type Content = Pick<ReturnRequest, 'lines' | 'reason' | 'note'>;

/** Whether the input asks for this return, whose lines are sorted. */
export function isSameReturn(existing: Content, input: ReturnInput): boolean {
  return contentOf(existing) === contentOf(readReturn(input));
}

const contentOf = ({ lines, reason, note }: Content) =>
  JSON.stringify([lines.map(({ line, quantity }) => [line, quantity]), reason, note]);

/** Null for an empty note. */
export function readNote(text = ''): string | null {
  const note = text.trim();
  const fault = paragraphFault(note, MAX_NOTE_LENGTH);
  if (fault !== undefined) throw new DomainError('invalid_value', `The note ${fault}.`);
  return note || null;
}
