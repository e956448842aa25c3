import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

const MS = { hour: 3_600_000, day: 86_400_000 };

/** UTC hours and days. */
export type Period = keyof typeof MS;

/** Numbers of requests, reads included. */
export interface Figures {
  succeeded: number;
  /** Errors of the store. */
  refused: number;
  /** Errors of ours. */
  failed: number;
  /** Counted, but not kept one by one: the hour was full. */
  leftOut: number;
}

export interface PeriodFigures extends Figures {
  begins: Date;
}

/** The values that the list can be filtered by. */
export interface KnownOutcomes {
  routes: string[];
  codes: string[];
}

const SUMS = `
  coalesce(sum(requests) FILTER (WHERE status_class = 2), 0)::float8 AS succeeded,
  coalesce(sum(requests) FILTER (WHERE status_class = 4), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status_class = 5), 0)::float8 AS failed,
  coalesce(sum(left_out), 0)::float8 AS "leftOut"`;

/** SQL, because only sums are read. */
const SINCE = {
  name: 'request-figures-since',
  text: `
    SELECT ${SUMS}
      FROM store_request_counts
     WHERE client_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC')`,
};

const BY_PERIOD = {
  name: 'request-figures-by-period',
  text: `
    SELECT date_trunc($2, hour, 'UTC') AS begins, ${SUMS}
      FROM store_request_counts
     WHERE client_id = $1 AND hour >= $3
     GROUP BY begins`,
};

const KNOWN = {
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

  /** From the hour of this time on. */
  async since(clientId: number, time: Date): Promise<Figures> {
    const [figures] = await this.database.query<Figures & object>(SINCE, [clientId, time]);
    return figures!;
  }

  /** The last UTC hours or days, the current one included. */
  async lastPeriods(clientId: number, period: Period, count: number): Promise<PeriodFigures[]> {
    const begins = lastPeriods(period, count, Date.now());
    const found = await this.database.query<PeriodFigures & object>(BY_PERIOD, [clientId, period, begins[0]]);
    const byTime = new Map(found.map((figures) => [figures.begins.getTime(), figures]));
    return begins.map((time) => byTime.get(time.getTime()) ?? { begins: time, ...NOTHING });
  }

  async known(clientId: number): Promise<KnownOutcomes> {
    const [known] = await this.database.query<KnownOutcomes & object>(KNOWN, [clientId]);
    return known!;
  }
}

const NOTHING: Figures = { succeeded: 0, refused: 0, failed: 0, leftOut: 0 };

/** The beginnings of the last periods, the current one included. */
export function lastPeriods(period: Period, count: number, now: number): Date[] {
  const current = Math.floor(now / MS[period]);
  return Array.from({ length: count }, (_, n) => new Date((current - count + 1 + n) * MS[period]));
}
