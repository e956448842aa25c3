import { Inject, Injectable } from '@nestjs/common';
import { selectOf } from '../../platform/database/columns-of.js';
import { Database, type Queries } from '../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { addDays, addMonths, type Day, dayAt, startOfDay, type TimeZone } from '../../platform/time/time.js';
import {
  SALES_DIMENSIONS,
  type SalesDimension,
  type SalesSpan,
  SalesSumsKept,
  SPANS,
} from './sales-sum.entity.js';
import type { DeskFilter } from '../orders/records/order-desk.repository.js';
import type { SpreadsheetExport } from '../../platform/database/spreadsheet-export.js';
import { salesRows } from './sales.repository.js';
import type { SalesBy } from './sales-groups.js';

/** The groupings of sales. Names may differ from sale to sale; the report shows one of them. */
const DIMENSIONS: Record<SalesDimension, { key: string; name: string }> = {
  client: { key: 'client_id::text', name: `''` },
  // A refund without a line has no SKU.
  product: { key: 'sku', name: 'min(name)' },
  // Stores spell states in many ways.
  state: { key: 'lower(state)', name: 'min(state)' },
};

/** For each grouping of the report: its columns, and the longest stored sums that it can use. */
const SALES_BY = {
  day: {
    dimension: 'client',
    names: { day: `to_char(day, 'YYYY-MM-DD')` },
    group: 'day',
    maxSpan: 'day',
  },
  month: {
    dimension: 'client',
    names: { month: `to_char(day, 'YYYY-MM')` },
    group: 'month',
    maxSpan: 'month',
  },
  client: {
    dimension: 'client',
    names: { client_id: 'c.id', client: 'c.name' },
    group: 'c.id',
    maxSpan: 'all',
  },
  product: {
    dimension: 'product',
    names: { sku: 'key', name: 'min(sold.name)' },
    group: 'key',
    maxSpan: 'all',
  },
  state: { dimension: 'state', names: { state: 'min(sold.name)' }, group: 'key', maxSpan: 'all' },
} as const satisfies Record<SalesBy, object>;

/** The sums of a day from its sales. */
const DAILY = {
  orders: 'count(DISTINCT (client_id, order_number)) FILTER (WHERE refund = 0)::int',
  units: 'sum(quantity)',
  goods: 'sum(line_total)',
  delivery: 'sum(delivery_share)',
  paid: 'sum(paid)',
  refunded_units: 'sum(refunded_quantity)',
  refunded: 'sum(refunded)',
};

/** The sums of the report from the sums of days. */
const SOLD = {
  currency: 'currency',
  orders: 'sum(orders)::int',
  units: 'sum(units)::float8',
  goods: 'sum(goods)::float8',
  delivery: 'sum(delivery)::float8',
  paid: 'sum(paid)::float8',
  refunded_units: 'sum(refunded_units)::float8',
  refunded: 'sum(refunded)::float8',
  net: '(sum(paid) - sum(refunded))::float8',
};

/** A day, month, client, product or state with its sums. */
export type SalesTotals = Record<Exclude<keyof typeof SOLD, 'currency'>, number> &
  Record<string, string | number> & { currency: string };

export type SoldFilter = Pick<DeskFilter, 'clientId' | 'from' | 'to'>;

export interface SoldExport extends SpreadsheetExport<SalesTotals> {
  rows: AsyncGenerator<SalesTotals, number>;
}

/** The wallet dates a posting when its transaction began: a few seconds before the order, at most. */
const NEAR_WALLET = `interval '1 hour'`;

/**
 * Paid orders and their refunds, each at the time of its entry in the wallet: so the sums match the
 * wallets, without payments that were undone. An order that costs nothing has no entry.
 */
const sales = (from: string, to: string, client?: string) => {
  const near =
    `o.paid_at BETWEEN ${from}::timestamptz - ${NEAR_WALLET} AND ${to}::timestamptz + ${NEAR_WALLET}` +
    (client === undefined ? '' : ` AND o.client_id = ${client}`);
  return `
    SELECT sale.*, moved_at
      FROM (${salesRows(near, near.replaceAll('o.paid_at', 'r.refunded_at'))}) AS sale
      LEFT JOIN wallet_entries e ON (e.client_id, e.key) = (sale.client_id, sale.entry_key),
           LATERAL coalesce(e.created_at, refunded_at, paid_at) AS moved_at
     WHERE moved_at >= ${from} AND moved_at < ${to}`;
};

const COLUMNS = ['client_id', 'day', 'key', 'currency', 'name', ...Object.keys(DAILY)].join(', ');

const byDay = (dimension: SalesDimension, from: string, zone: string, client = '0') => `
  SELECT ${client} AS client_id, (moved_at AT TIME ZONE ${zone})::date AS day,
         ${DIMENSIONS[dimension].key} AS key, currency, ${DIMENSIONS[dimension].name} AS name,
         ${selectOf(DAILY)}
    FROM ${from} GROUP BY 1, 2, 3, 4`;

/** Sums by client have client_id 0 and the client as key; sums by product and state have the client_id. */
const ofClient = (dimension: SalesDimension, client = '0') =>
  dimension === 'client' && client !== '0'
    ? `client_id = 0 AND key = ${client}::int::text`
    : `client_id = ${client}`;

/** A day that was added up again leaves zeros in longer spans. */
const KEPT = (dimension: SalesDimension, span: SalesSpan, days: string, client?: string) => `
  SELECT ${COLUMNS} FROM sales_sums
   WHERE dimension = '${dimension}' AND span = '${span}' AND day ${days} AND ${ofClient(dimension, client)}
     AND (orders <> 0 OR refunded <> 0)`;

/** The days with stored sums. The sums of days before `until` are correct. */
interface KeptDays {
  until: Day;
  first: Day;
  last: Day;
}

const KEPT_DAYS = {
  text: `
    SELECT kept.until::text AS until, days.*
      FROM sales_sums_kept AS kept,
           (SELECT min(day)::text AS first, max(day)::text AS last
              FROM sales_sums WHERE dimension = $1 AND span = 'day') AS days
     WHERE kept.dimension = $1 AND kept.time_zone = $2 AND first IS NOT NULL`,
};

/** The sums that reports of a restored or filled database wait for. */
export interface MissingSums {
  /** The sums of earlier days are ready. */
  until: Day | undefined;
}

/** A report adds up this many sales in 0.3 s. For more it waits for the job. */
const MAX_WITHOUT_SUMS = 10_000;

/** Sales in the parts of a period, counted up to a bound. */
const COUNT_SALES = {
  text: `
    SELECT sum(counted.sales)::int AS sales
      FROM unnest($1::timestamptz[], $2::timestamptz[]) AS part ("from", "to"),
           LATERAL (
             SELECT count(*) AS sales
               FROM ((SELECT FROM orders WHERE paid_at >= "from" AND paid_at < least("to", $3) LIMIT $4)
                     UNION ALL
                     (SELECT FROM order_refunds
                       WHERE refunded_at >= "from" AND refunded_at < least("to", $3) LIMIT $4)
                    ) AS sale) AS counted`,
};

/** Time for a day of ten thousand orders. Only changes of states wait for it. */
const JOB_MS = 30_000;

/** Deletes sums in the days of another zone, in batches: they may be too many for one statement. */
const DELETE_SUMS = {
  query_timeout: JOB_MS,
  text: `
    WITH forgotten AS (
      DELETE FROM sales_sums
       WHERE ctid = ANY (ARRAY (SELECT ctid FROM sales_sums WHERE dimension = $1 LIMIT 50000)) RETURNING 1)
    SELECT count(*)::int AS rows FROM forgotten`,
};

interface NextDay {
  day: Day;
  isOver: boolean;
  wrong: Day | null;
}

/**
 * The next day with sales that has no sums, and a day to add up again. A day can be added up an hour after
 * its end: no transaction of it lasts that long.
 */
const NEXT = {
  text: `
    SELECT next.day::text AS day,
           (next.day + 1)::timestamp AT TIME ZONE $2 < now() - ${NEAR_WALLET} AS "isOver",
           (SELECT max(day)::text FROM sales_sums
             WHERE dimension = $1 AND span = 'day' AND day >= until) AS wrong
      FROM sales_sums_kept,
           LATERAL (SELECT coalesce(until::timestamp AT TIME ZONE $2, '-infinity') - ${NEAR_WALLET})
             AS unknown ("from"),
           LATERAL (SELECT least((SELECT min(paid_at) FROM orders WHERE paid_at >= "from"),
                                 (SELECT min(refunded_at) FROM order_refunds WHERE refunded_at >= "from")
                                ) - ${NEAR_WALLET} AS moved_at) AS sale,
           LATERAL (SELECT greatest(until, (moved_at AT TIME ZONE $2)::date) AS day) AS next
     WHERE dimension = $1`,
};

/**
 * Adds the sums of days to the sums of their months, their years and all days, or subtracts them. Sorted,
 * because a report reads the sums of one span and client.
 */
const rollUp = (days: string, sign: '+' | '-') => `
  INSERT INTO sales_sums AS kept (dimension, span, ${COLUMNS})
  SELECT dimension, longer.span, client_id, longer.day, key, currency, min(name), ${Object.keys(DAILY)
    .map((sum) => `${sign}sum(${sum})`)
    .join(', ')}
    FROM ${days} AS daily,
         LATERAL (VALUES ('month', date_trunc('month', daily.day)::date),
                         ('year', date_trunc('year', daily.day)::date),
                         ('all', date '-infinity')) AS longer (span, day)
   GROUP BY dimension, longer.span, client_id, longer.day, key, currency
   ORDER BY longer.span, client_id, key
  ON CONFLICT ON CONSTRAINT sales_sums_pk DO UPDATE
     SET name = least(kept.name, excluded.name), ${Object.keys(DAILY)
       .map((sum) => `${sum} = kept.${sum} + excluded.${sum}`)
       .join(', ')}`;

const REMOVE_DAY = {
  query_timeout: JOB_MS,
  text: `
    WITH wrong AS (DELETE FROM sales_sums WHERE dimension = $1 AND span = 'day' AND day = $2 RETURNING *)
    ${rollUp('wrong', '-')}`,
};

/** Goods and states have sums of each client too. */
const ADD_DAY = (dimension: SalesDimension) => ({
  query_timeout: JOB_MS,
  text: `
    WITH sale AS MATERIALIZED (${sales('$1', '$2')}), added AS (
      INSERT INTO sales_sums (dimension, span, ${COLUMNS})
      ${(dimension === 'client' ? ['0'] : ['0', 'client_id'])
        .map(
          (client) =>
            `SELECT '${dimension}', 'day', sold.* FROM (${byDay(dimension, 'sale', '$3', client)}) AS sold`,
        )
        .join(' UNION ALL ')}
      RETURNING *)
    ${rollUp('added', '+')}`,
});

/** The time limit of the query for the highest rows. After it, the page asks for a shorter period. */
const HIGHEST_MS = 700;

/** A file begins at once if PostgreSQL merges the sums of its spans, instead of sorting them. */
const NO_SORTS = { text: 'SET LOCAL enable_sort = off' };

/**
 * PostgreSQL expects to end a merge of sales and lines early if clients without orders follow, and reads
 * every line.
 */
const NO_MERGE_JOINS = { text: 'SET LOCAL enable_mergejoin = off' };

/** Sums of a span are next to each other. PostgreSQL would read the whole table, or row by row. */
const NO_SCANS = { text: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off' };

/** Payments and refunds. Finished days come from stored sums; each report adds up the rest. */
@Injectable()
export class SoldRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  soldBy(by: SalesBy, filter: SoldFilter): SoldExport {
    const { dimension, names, group } = SALES_BY[by];
    const columns = { ...names, ...SOLD };
    const rows = this.database.streamOf<SalesTotals>(async (queries) => {
      const isMerged = group === 'key';
      const { sold, values } = await this.salesOf(queries, dimension, by, filter, isMerged);
      if (isMerged) await queries.query(NO_SORTS, []);
      return { text: `${groupedBy(by, columns, sold)} ORDER BY ${group}, currency`, values };
    });
    return { columns: Object.keys(columns), rows };
  }

  /** The highest net amounts; this currency comes first. Undefined if there are too many rows. */
  highest(
    by: SalesBy,
    filter: SoldFilter,
    limit: number,
    currency: string,
  ): Promise<SalesTotals[] | undefined> {
    const { dimension, names } = SALES_BY[by];
    return this.database.readWithin(HIGHEST_MS, async (queries) => {
      const { sold, values } = await this.salesOf(queries, dimension, by, filter);
      const first = `ORDER BY currency = $${values.push(currency)} DESC,`;
      // All sums of all rows would take three times as long.
      const text = `
        WITH highest AS MATERIALIZED (
          SELECT key, currency FROM (${sold}) AS sold GROUP BY key, currency
          ${first} sum(paid - refunded) DESC, key LIMIT ${limit})
        ${groupedBy(by, { ...names, ...SOLD }, sold, 'WHERE (key, currency) IN (SELECT * FROM highest)')}
        ${first} net DESC, min(key)`;
      await queries.query(NO_SCANS, []);
      return queries.query<SalesTotals>({ text }, values);
    });
  }

  /** Undefined if the sums of the period are ready, or few enough sales are without. */
  async findMissingSums(
    by: SalesBy,
    { clientId: _, ...period }: SoldFilter,
  ): Promise<MissingSums | undefined> {
    const { timeZone } = this.settings;
    const { dimension, maxSpan } = SALES_BY[by];
    const [days] = await this.database.query<KeptDays & object>(KEPT_DAYS, [dimension, timeZone]);
    const { rest } = splitPeriod(period, days, timeZone, maxSpan);
    // The job adds up a day after its end.
    const yesterday = startOfDay(addDays(dayAt(Date.now(), timeZone), -1), timeZone);
    const parts = [rest.map(({ from }) => from), rest.map(({ to }) => to)];
    const [counted] = await this.database.query<{ sales: number | null }>(COUNT_SALES, [
      ...parts,
      yesterday,
      MAX_WITHOUT_SUMS + 1,
    ]);
    return (counted!.sales ?? 0) > MAX_WITHOUT_SUMS ? { until: days?.until } : undefined;
  }

  /** Kept sums and later sales. Single spans have the order of the index. */
  private async salesOf(
    queries: Queries,
    dimension: SalesDimension,
    by: SalesBy,
    { clientId, ...period }: SoldFilter,
    isMerged = false,
  ): Promise<{ sold: string; values: unknown[] }> {
    const { timeZone } = this.settings;
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const client = clientId === undefined ? undefined : bind(clientId);
    await queries.query(NO_MERGE_JOINS, []);
    const [days] = await queries.query<KeptDays & object>(KEPT_DAYS, [dimension, timeZone]);
    const { kept, rest } = splitPeriod(period, days, timeZone, SALES_BY[by].maxSpan);
    const parts = [
      ...SPANS.flatMap((span) => {
        const starts = kept.filter((one) => one.span === span).map(({ day }) => day);
        const inOrder = (day: Day) =>
          `(${KEPT(dimension, span, `= ${bind(day)}`, client)} ORDER BY key, currency)`;
        if (isMerged) return starts.map(inOrder);
        return starts.length > 0 ? [KEPT(dimension, span, `= ANY (${bind(starts)})`, client)] : [];
      }),
      ...rest.map(({ from, to }) =>
        byDay(dimension, `(${sales(bind(from), bind(to), client)}) AS sale`, bind(timeZone)),
      ),
    ];
    return { sold: parts.join(' UNION ALL '), values };
  }

  /** Adds up the next finished day, or removes wrong sums. Returns false if nothing is left to do. */
  async keepNextDay(): Promise<boolean> {
    for (const dimension of SALES_DIMENSIONS) if (await this.keepNextDayOf(dimension)) return true;
    return false;
  }

  private keepNextDayOf(dimension: SalesDimension): Promise<boolean> {
    const { timeZone } = this.settings;
    return this.database.transaction(async (transaction) => {
      // The lock makes nodes take turns.
      const kept = await transaction.manager.findOneOrFail(SalesSumsKept, {
        where: { dimension },
        lock: { mode: 'pessimistic_write' },
      });
      const update = (changes: Partial<SalesSumsKept>) =>
        transaction.manager.update(SalesSumsKept, { dimension }, changes);
      if (kept.timeZone !== timeZone) {
        const [deleted] = await transaction.query<{ rows: number }>(DELETE_SUMS, [dimension]);
        if (deleted!.rows === 0) await update({ until: null, timeZone });
        return true;
      }
      const [next] = await transaction.query<NextDay & object>(NEXT, [dimension, timeZone]);
      const { day, isOver, wrong } = next!;
      if (wrong !== null) await transaction.query(REMOVE_DAY, [dimension, wrong]);
      if (wrong !== null || !isOver) return wrong !== null;
      const until = addDays(day, 1);
      const times = [startOfDay(day, timeZone), startOfDay(until, timeZone), timeZone];
      await transaction.query(NO_MERGE_JOINS, []);
      await transaction.query(ADD_DAY(dimension), times);
      await update({ until });
      return true;
    }, JOB_MS);
  }
}

const groupedBy = (by: SalesBy, columns: Record<string, string>, sold: string, where = '') => `
  SELECT ${selectOf(columns)}
    FROM (${sold}) AS sold
         ${by === 'client' ? 'JOIN clients c ON c.id = key::int' : ''}
   ${where}
   GROUP BY ${SALES_BY[by].group}, currency`;

interface PeriodParts {
  kept: { span: SalesSpan; day: Day | '-infinity' }[];
  rest: { from: Date | '-infinity'; to: Date | 'infinity' }[];
}

/** Divides a period into spans with kept sums, and the time before and after them. */
function splitPeriod(
  { from, to }: Pick<DeskFilter, 'from' | 'to'>,
  days: KeptDays | undefined,
  zone: TimeZone,
  maxSpan: SalesSpan,
): PeriodParts {
  const all = { from: from ?? '-infinity', to: to ?? 'infinity' } as const;
  if (days === undefined) return { kept: [], rest: [all] };
  const first = from && firstWholeDay(from, zone);
  const end = to && dayAt(to, zone) < days.until ? dayAt(to, zone) : days.until;
  const kept = spansOf(first, end, days, maxSpan);
  if (kept.length === 0) return { kept, rest: [all] };
  const [start, last] = [first && startOfDay(first, zone), startOfDay(end, zone)];
  const before = from && start && from < start ? [{ from, to: start }] : [];
  const after = to === undefined || last < to ? [{ from: last, to: all.to }] : [];
  return { kept, rest: [...before, ...after] };
}

const START: Record<Exclude<SalesSpan, 'all'>, string> = { year: '-01-01', month: '-01', day: '' };

/**
 * The longest spans with whole days of the period. The sums of a current span grow each day. They are usable
 * if the period includes all its days with sums, and all of these are correct.
 */
function spansOf(first: Day | undefined, end: Day, days: KeptDays, maxSpan: SalesSpan): PeriodParts['kept'] {
  const isOpen = end === days.until && days.last < end;
  const fromFirst = first === undefined || first <= days.first;
  if (maxSpan === 'all' && isOpen && fromFirst) return [{ span: 'all', day: '-infinity' }];
  const spans = (['year', 'month', 'day'] as const).slice({ all: 0, year: 0, month: 1, day: 2 }[maxSpan]);
  const kept: PeriodParts['kept'] = [];
  // Before the first day nothing was sold.
  for (let day = fromFirst ? days.first.replace(/-.*/, START.year) : first, next; day < end; day = next) {
    const span = spans.find((one) => day.endsWith(START[one]) && (endOf(one, day) <= end || isOpen))!;
    kept.push({ span, day });
    next = endOf(span, day);
  }
  return kept;
}

function endOf(span: Exclude<SalesSpan, 'all'>, day: Day): Day {
  if (span === 'day') return addDays(day, 1);
  return `${addMonths(day.slice(0, 7), span === 'year' ? 12 : 1)}-01`;
}

function firstWholeDay(from: Date, zone: TimeZone): Day {
  const day = dayAt(from, zone);
  return startOfDay(day, zone) < from ? addDays(day, 1) : day;
}
