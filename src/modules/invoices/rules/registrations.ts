import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Day, parseDay } from '../../../platform/time/time.js';

/** The data of the seller from a day on. Document numbers contain the id. */
export interface Registration {
  id: number;
  since: Day;
  name: string;
  gstin: string;
  address: string;
  state: string;
  receiptVouchers: boolean;
}

/** Document numbers have one digit for the registration. */
const MAX_REGISTRATIONS = 9;

/** A later registration inherits these fields until a person sets its own. */
const INHERITED = ['name', 'address', 'receiptVouchers'] as const;

/** The first day of a new registration. */
export function readFrom(text: string): Day | undefined {
  if (text.trim() === '') return undefined;
  const from = parseDay(text);
  if (from?.endsWith('-01')) return from;
  throw refused('Give the first day of a month, such as 2026-12-01.');
}

/** The registration of a day. All are in the order of their days. Unloading the demo deletes the first. */
export function sellerOn<One extends { since: Day }>(all: readonly One[], day: Day): One | undefined {
  return all.findLast(({ since }) => since <= day) ?? all[0];
}

/** The registration of today and the one to come. */
export function currentAndComing<One extends { since: Day }>(
  all: readonly One[],
  today: Day,
): { now?: One; coming?: One } {
  const now = sellerOn(all, today);
  return { now, coming: now && all[all.indexOf(now) + 1] };
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
 * The registrations after a change today. A change without a day changes the current registration; `mistyped`
 * means that its GSTIN was never the seller's. At most one registration is to come: a change with a day
 * creates it, changes it or moves it. `isInUse`: whether documents name the registration.
 */
export function applyRegistrationChange<One extends Registration>(
  all: readonly One[],
  today: Day,
  {
    from,
    mistyped,
    ...changes
  }: Partial<Omit<One, 'id' | 'since'>> & { from?: Day | undefined; mistyped?: boolean },
  isInUse: (one: One) => boolean,
): One[] {
  const { now, coming } = currentAndComing(all, today) as { now: One; coming?: One };
  const changed = (one: One): One => ({ ...one, ...changes });
  if (from === undefined || from === now.since) {
    const after = changed(now);
    if (after.gstin !== now.gstin && !mistyped && isInUse(now)) throw unclearGstinChange(now.gstin);
    return all.map((one) => (one === now ? after : one === coming ? withInherited(one, now, after) : one));
  }
  if (mistyped)
    throw refused('Give the first day of a new registration, or correct a mistyped GSTIN, but not both.');
  if (from < `${today.slice(0, 7)}-01`)
    throw refused(
      'A new registration begins in this month or a later one. For earlier months, ask your accountant.',
    );
  const after = { ...changed(coming ?? { ...now, id: now.id + 1 }), since: from };
  if (after.id > MAX_REGISTRATIONS) throw refused(`There are ${MAX_REGISTRATIONS} registrations already.`);
  const others = all.filter((one) => one !== coming);
  if (after.gstin !== now.gstin) return [...others, after];
  if (coming?.since === from) return others;
  throw refused('A new registration needs another GSTIN.');
}

function withInherited<One extends Registration>(later: One, before: One, after: One): One {
  const same = INHERITED.filter((name) => later[name] === before[name]);
  return { ...later, ...Object.fromEntries(same.map((name) => [name, after[name]])) };
}

function unclearGstinChange(gstin: string): DomainError {
  return refused(
    `Documents name the GSTIN ${gstin}. For a new registration, give its first day: the first day of a ` +
      `month, such as 2026-12-01. Or say that ${gstin} was mistyped.`,
  );
}

const refused = (message: string) => new DomainError('invalid_value', message);
