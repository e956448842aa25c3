import type { Request } from 'express';

/** Who pays for work: the account of a request, or all orders of a batch. */
export interface Payer {
  /** For the log of work that holds the event loop. */
  readonly request?: Request;
  charge(units: number): void;
}

/**
 * What a unit pays for. The default of 12,000 units a minute is a tenth of a node: of its event loop, its two
 * threads for files or its ten connections to the database.
 */
export const UNIT = { loopMs: 0.5, threadMs: 1, connectionMs: 5 } as const;

/** A turn of the event loop that takes longer delays all other requests noticeably. */
export const LONG_TURN_MS = 100;

/** Suites stop this clock. */
export const workClock = { now: () => performance.now() };

/** Called for each long turn. The server logs and counts it. */
export const loopWatch: { onLongTurn: (payer: Payer, ms: number) => void } = { onLongTurn: () => undefined };

let payer: Payer | undefined;
let since = 0;
let measuredMs = 0;
let isEnding = false;

/** The payer of the work that runs now. */
export function currentPayer(): Payer | undefined {
  return payer;
}

/**
 * The rest of this turn of the event loop is work for this payer. Called where a request goes on: after its
 * guard, its body, an answer of the database, a slice. AsyncLocalStorage would make each promise of each poll
 * dearer, up to 8 % of a request.
 */
export function resumeWork(next: Payer | undefined): void {
  pauseWork();
  if (!next) return;
  payer = next;
  since = workClock.now();
  if (isEnding) return;
  isEnding = true;
  void SETTLED.then(endTurn);
}

/** Runs the work for another payer, or for none, then goes on for the present one. */
export function workFor<Result>(other: Payer | undefined, work: () => Result): Result {
  const present = payer;
  resumeWork(other);
  try {
    return work();
  } finally {
    resumeWork(present);
  }
}

/** Returns a time that stands still during measured work: what others do on a busy node is not waited for. */
export function idleClock(): number {
  return workClock.now() - measuredMs;
}

const SETTLED = Promise.resolve();

/** Node calls back when all promises of the turn are settled, before the next event. */
const endTurn = () => process.nextTick(endWork);

function endWork(): void {
  isEnding = false;
  pauseWork();
}

function pauseWork(): void {
  if (!payer) return;
  const ended = payer;
  const ms = workClock.now() - since;
  payer = undefined;
  measuredMs += ms;
  ended.charge(ms / UNIT.loopMs);
  if (ms > LONG_TURN_MS) loopWatch.onLongTurn(ended, ms);
}
