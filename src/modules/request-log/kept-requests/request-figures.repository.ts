import { Injectable } from '@nestjs/common';
import { testRoute } from '../recording/request-counts.js';
import { Database } from '../../../platform/database/database.js';
import { HOUR_MS, addDays, type Day, dayAt, startOfDay, type TimeZone } from '../../../platform/time/time.js';

/** Numbers of requests, reads included. */
export interface Figures {
  succeeded: number;
  /** Errors of the store. */
  refused: number;
  /** Errors of the service. */
  failed: number;
  /** Counted, but not kept one by one: the hour was full. */
  leftOut: number;
}

export interface PeriodFigures extends Figures {
  begins: Date;
}

export function totalsOf(figures: readonly PeriodFigures[]): Figures {
  const sum = (of: keyof Figures) => figures.reduce((total, period) => total + period[of], 0);
  return {
    succeeded: sum('succeeded'),
    refused: sum('refused'),
    failed: sum('failed'),
    leftOut: sum('leftOut'),
  };
}

/** An hour or a day. The current one has no end. */
export interface RequestPeriod {
  begins: Date;
  ends: Date | undefined;
}

/** The period as an address names it: "2026-11-20T14:00Z". */
export function writePeriod(begins: Date): string {
  return begins.toISOString().replace(':00.000Z', 'Z');
}

/** The period with this name. `begins` has consecutive periods. */
export function periodIn(begins: readonly Date[], name: string | undefined): RequestPeriod | undefined {
  const place = begins.findIndex((time) => writePeriod(time) === name);
  return place < 0 ? undefined : { begins: begins[place]!, ends: begins[place + 1] };
}

/** The values of the list's filters. */
export interface RecordedOutcomes {
  routes: string[];
  codes: string[];
}

const SUMS = `
  coalesce(sum(requests) FILTER (WHERE status_class = 2), 0)::float8 AS succeeded,
  coalesce(sum(requests) FILTER (WHERE status_class = 4), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status_class = 5), 0)::float8 AS failed,
  coalesce(sum(left_out), 0)::float8 AS "leftOut"`;

/** SQL, because it reads only sums. */
const SINCE = {
  name: 'request-figures-since',
  text: `
    SELECT ${SUMS}
      FROM store_request_counts
     WHERE client_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC')
       AND route NOT LIKE '${testRoute('%')}'`,
};

/** The periods are given by their beginnings, so PostgreSQL needs to know no time zone. */
const BY_PERIOD = {
  name: 'request-figures-by-period',
  text: `
    SELECT width_bucket(hour, $2::timestamptz[]) - 1 AS place, ${SUMS}
      FROM store_request_counts
     WHERE client_id = $1 AND hour >= ($2::timestamptz[])[1]
     GROUP BY place`,
};

/** Bounded by the routes and the error codes that there are. */
const OUTCOMES = {
  name: 'request-figures-known',
  text: `
    SELECT coalesce(array_agg(DISTINCT route), '{}') AS routes,
           coalesce(array_agg(DISTINCT code) FILTER (WHERE code <> ''), '{}') AS codes
      FROM store_request_counts
     WHERE client_id = $1 AND kept > 0`,
};

/** A client's requests by hour. Reads of the last minute may be missing. */
@Injectable()
export class RequestFigures {
  constructor(private readonly database: Database) {}

  /** The sums since the hour of this time, without calls of test tokens. */
  async since(clientId: number, time: Date): Promise<Figures> {
    const [figures] = await this.database.query<Figures & object>(SINCE, [clientId, time]);
    return figures!;
  }

  /** The sums of hours or days, given by their starts in order. The last period has no end. */
  async byPeriod(clientId: number, begins: readonly Date[]): Promise<PeriodFigures[]> {
    const rows = await this.database.query<Figures & { place: number }>(BY_PERIOD, [clientId, begins]);
    const byPlace = new Map(rows.map(({ place, ...figures }) => [place, figures]));
    return begins.map((time, place) => ({ begins: time, ...(byPlace.get(place) ?? NOTHING) }));
  }

  async readOutcomes(clientId: number): Promise<RecordedOutcomes> {
    const [outcomes] = await this.database.query<RecordedOutcomes & object>(OUTCOMES, [clientId]);
    return outcomes!;
  }
}

const NOTHING: Figures = { succeeded: 0, refused: 0, failed: 0, leftOut: 0 };

/** The beginnings of the last hours, the current one included. */
export function lastHours(count: number, now: number): Date[] {
  const current = Math.floor(now / HOUR_MS);
  return Array.from({ length: count }, (_, n) => new Date((current - count + 1 + n) * HOUR_MS));
}

/**
 * The beginnings of the last days in a zone, today included. Calls are counted by whole hours of UTC, so a
 * day begins with its first whole hour: at 00:30 in India.
 */
export function lastDays(count: number, now: number, timeZone: TimeZone): Date[] {
  const today = dayAt(now, timeZone);
  const firstHour = (day: Day) =>
    new Date(Math.ceil(startOfDay(day, timeZone).getTime() / HOUR_MS) * HOUR_MS);
  return Array.from({ length: count }, (_, n) => firstHour(addDays(today, n - count + 1)));
}
