import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { lastPeriods, type Period } from '../rules/periods.js';

/** How many requests there were, reads included, and what became of them. */
export interface Figures {
  succeeded: number;
  /** By fault of the store. */
  refused: number;
  /** By fault of ours. */
  failed: number;
  /** Of those that are kept one by one, how many found no room. */
  leftOut: number;
}

export interface PeriodFigures extends Figures {
  begins: Date;
}

/** What the requests that are kept one by one can be chosen by. */
export interface KnownOutcomes {
  routes: string[];
  codes: string[];
}

const SUMS = `
  coalesce(sum(requests) FILTER (WHERE status_class = 2), 0)::float8 AS succeeded,
  coalesce(sum(requests) FILTER (WHERE status_class = 4), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status_class = 5), 0)::float8 AS failed,
  coalesce(sum(left_out), 0)::float8 AS "leftOut"`;

/** SQL, because nothing is asked for but sums. */
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

/** What became of a client's requests in each hour. Reads of the last minute may still be missing. */
@Injectable()
export class RequestFigures {
  constructor(private readonly database: Database) {}

  /** From the hour on in which that time lies. */
  async since(clientId: number, time: Date): Promise<Figures> {
    const [figures] = await this.database.query<Figures & object>(SINCE, [clientId, time]);
    return figures!;
  }

  /** Each of the last so many hours or days of UTC, the one that is running included. */
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
