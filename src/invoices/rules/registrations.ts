import { DomainError } from '../../platform/errors/domain-error.js';
import { type Day, isDay } from '../../platform/time/time.js';

/** What the seller has from a day on. The id is in the numbers of its documents. */
export interface Registration {
  id: number;
  since: Day;
  name: string;
  gstin: string;
  address: string;
  state: string;
  receiptVouchers: boolean;
}

/** The first day of a new registration, or a word: the present GSTIN was never the seller's. */
export type From = typeof MISTAKE | Day;

export const MISTAKE = 'mistake';

/** A later registration has these of the one before, until a person sets its own. */
const INHERITED = ['name', 'address', 'receiptVouchers'] as const;

export function readFrom(text: string): From | undefined {
  const from = text.trim().toLowerCase();
  if (from === '') return undefined;
  if (from === MISTAKE || (isDay(from) && from.endsWith('-01'))) return from;
  throw refused(`Give the first day of a month, such as 2026-12-01, or "${MISTAKE}".`);
}

/** The registration of a day. All are in the order of their days. Unloading the demo deletes the first. */
export function sellerOn<One extends { since: Day }>(all: readonly One[], day: Day): One | undefined {
  return all.findLast(({ since }) => since <= day) ?? all[0];
}

/** The GSTINs of the seller in these days, the last one first. */
export function gstinsWithin<One extends Registration>(
  all: readonly One[],
  [first, last]: readonly [Day, Day],
  isUsed: (one: One) => boolean,
): string[] {
  const at = (day: Day) => all.indexOf(sellerOn(all, day)!);
  const inForce = all.slice(at(first), at(last) + 1).toReversed();
  return [...new Set([...inForce, ...all.filter(isUsed)].map(({ gstin }) => gstin))];
}

/**
 * The registrations after a change that was made today. A change without a day is one of the present
 * registration. At most one registration is to come: a change with a day makes it, changes it or moves it.
 * `isNamed` tells whether documents name it.
 */
export function withChange<One extends Registration>(
  all: readonly One[],
  today: Day,
  { from, ...given }: Partial<Omit<One, 'id' | 'since'>> & { from?: From },
  isNamed: (one: One) => boolean,
): One[] {
  const now = sellerOn(all, today)!;
  const last = all.at(-1);
  const coming = last === now ? undefined : last;
  const changed = (one: One): One => ({ ...one, ...given });
  if (from === undefined || from === MISTAKE || from === now.since) {
    const after = changed(now);
    if (after.gstin !== now.gstin && from !== MISTAKE && isNamed(now)) throw sayWhich(now.gstin);
    return all.map((one) => (one === now ? after : one === coming ? inheriting(one, now, after) : one));
  }
  if (from < `${today.slice(0, 7)}-01`)
    throw refused('A new registration begins in this month or later, because earlier returns are made.');
  const after = { ...changed(coming ?? { ...now, id: now.id + 1 }), since: from };
  const others = all.filter((one) => one !== coming);
  if (after.gstin !== now.gstin) return [...others, after];
  if (coming) return others;
  throw refused('A new registration needs another GSTIN.');
}

function inheriting<One extends Registration>(later: One, before: One, after: One): One {
  const same = INHERITED.filter((name) => later[name] === before[name]);
  return { ...later, ...Object.fromEntries(same.map((name) => [name, after[name]])) };
}

function sayWhich(gstin: string): DomainError {
  return refused(
    `Documents name the GSTIN ${gstin}. Say from when the new one counts: a first day of a month, such as ` +
      `2026-12-01, for a new registration, or "${MISTAKE}" if ${gstin} was never yours.`,
  );
}

const refused = (message: string) => new DomainError('invalid_value', message);
