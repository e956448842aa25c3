import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { selectOf } from '../platform/database/columns-of.js';
import { Database } from '../platform/database/database.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { addDays, addMonths, type Day, dayAt, startOfDay, type TimeZone } from '../platform/time/time.js';
import { type SalesDimension, type SalesSpan, SalesSumsKept } from './sales-sum.entity.js';
import type { DeskFilter } from '../orders/records/order-desk.repository.js';
import type { Sheet } from '../platform/database/sheet.js';
import { salesRows } from './sales.repository.js';
import type { SalesBy } from './sales-groups.js';

/** What sales are added up by. Names may differ from sale to sale; one of them is shown. */
const DIMENSIONS: Record<SalesDimension, { key: string; name: string }> = {
  client: { key: 'client_id::text', name: `''` },
  // What was refunded without a line has no SKU.
  product: { key: 'sku', name: 'min(name)' },
  // Stores spell states in many ways.
  state: { key: 'lower(state)', name: 'min(state)' },
};

/** What one row of the sales report stands for, and the columns that name it. */
const SALES_BY = {
  day: { dimension: 'client', names: { day: `to_char(day, 'YYYY-MM-DD')` }, group: 'day' },
  month: { dimension: 'client', names: { month: `to_char(day, 'YYYY-MM')` }, group: 'month' },
  client: { dimension: 'client', names: { client_id: 'c.id', client: 'c.name' }, group: 'c.id' },
  product: { dimension: 'product', names: { sku: 'key', name: 'min(sold.name)' }, group: 'key' },
  state: { dimension: 'state', names: { state: 'min(sold.name)' }, group: 'key' },
} as const satisfies Record<SalesBy, object>;

/** The sums that are kept, and whose they are. */
const KEPT_SUMS: [SalesDimension, client: string][] = [
  ['client', '0'],
  ['product', '0'],
  ['state', '0'],
  ['product', 'client_id'],
  ['state', 'client_id'],
];

/** The sums of a day from its sales. */
const DAILY = {
  orders: 'count(DISTINCT (client_id, order_number)) FILTER (WHERE refund = 0)',
  units: 'sum(quantity)',
  goods: 'sum(line_total)',
  delivery: 'sum(delivery_share)',
  paid: 'sum(paid)',
  refunded_units: 'sum(refunded_quantity)',
  refunded: 'sum(refunded)',
};

/** The sums of the report from those of the days. */
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
export type Sold = Record<Exclude<keyof typeof SOLD, 'currency'>, number> &
  Record<string, string | number> & { currency: string };

/** One of the highest rows. Each tells how many rows there are, and their sums. */
export type Highest = Sold & { found: number; totals: Sold };

export type SoldFilter = Pick<DeskFilter, 'clientId' | 'from' | 'to'>;

export interface SoldSheet extends Sheet<Sold> {
  rows: AsyncGenerator<Sold, number>;
}

/** The wallet dates a posting when its transaction began: a few seconds before the order, at most. */
const NEAR_WALLET = `interval '1 hour'`;

/**
 * Paid orders and their refunds, each at the time of its entry in the wallet: so the sums are those of the
 * wallets. An order that costs nothing has no entry.
 */
const sales = (from: string, to: string, client?: string) => {
  const near =
    `o.paid_at BETWEEN ${from}::timestamptz - ${NEAR_WALLET} AND ${to}::timestamptz + ${NEAR_WALLET}` +
    (client === undefined ? '' : ` AND o.client_id = ${client}`);
  return `
    SELECT sale.*, moved_at
      FROM (${salesRows(near, near.replaceAll('o.paid_at', 'r.refunded_at'))}) AS sale
      LEFT JOIN wallet_entries e
             ON e.client_id = sale.client_id
            AND e.key = CASE refund WHEN 0 THEN 'order:' || sale.order_number
                        ELSE format('refund:%s:%s', sale.order_number, refund) END,
           LATERAL coalesce(e.created_at, refunded_at, paid_at) AS moved_at
     WHERE moved_at >= ${from} AND moved_at < ${to}`;
};

const COLUMNS = ['client_id', 'day', 'key', 'currency', 'name', ...Object.keys(DAILY)].join(', ');

const byDay = (dimension: SalesDimension, from: string, zone: string, client = '0') => `
  SELECT ${client} AS client_id, (moved_at AT TIME ZONE ${zone})::date AS day,
         ${DIMENSIONS[dimension].key} AS key, currency, ${DIMENSIONS[dimension].name} AS name,
         ${selectOf(DAILY)}
    FROM ${from} GROUP BY 1, 2, 3, 4`;

/** The sums of all clients together have a row for each client; those of goods and states name the client. */
const ofClient = (dimension: SalesDimension, client = '0') =>
  dimension === 'client' && client !== '0'
    ? `client_id = 0 AND key = ${client}::int::text`
    : `client_id = ${client}`;

const KEPT = (dimension: SalesDimension, span: SalesSpan, first: string, end: string, client?: string) => `
  SELECT ${COLUMNS} FROM sales_sums
   WHERE dimension = '${dimension}' AND span = '${span}' AND ${ofClient(dimension, client)}
     AND day >= ${first} AND day < ${end}`;

/**
 * The next day without sums, if it is over. The lock makes nodes take turns. A day can be added up an hour
 * after its end: no transaction of it lasts that long.
 */
const NEXT = {
  text: `
    SELECT next.day::text AS day, coalesce(kept.time_zone <> $1, true) AS "isAnew"
      FROM (SELECT * FROM sales_sums_kept FOR UPDATE) AS kept,
           LATERAL (SELECT CASE WHEN kept.time_zone = $1 AND kept.until IS NOT NULL THEN kept.until
                           ELSE ((SELECT min(paid_at) FROM orders) - ${NEAR_WALLET}) AT TIME ZONE $1
                           END::date AS day) AS next
     WHERE (next.day + 1)::timestamp AT TIME ZONE $1 < now() - ${NEAR_WALLET}`,
};

/** Every day with sums has those of all clients together: without them there is nothing to look for. */
const DROP = {
  text: `
    DELETE FROM sales_sums
     WHERE $2 OR EXISTS (SELECT FROM sales_sums WHERE dimension = 'client' AND span = 'day' AND client_id = 0
                            AND day >= $1::date)
             AND dimension IN ('client', 'product', 'state')
             AND (span = 'day' AND day >= $1::date
                  OR span = 'month' AND day >= date_trunc('month', $1::date))`,
};

const ADD_DAY = {
  text: `
    WITH sale AS MATERIALIZED (${sales('$1', '$2')})
    INSERT INTO sales_sums (dimension, span, ${COLUMNS})
    ${KEPT_SUMS.map(
      ([dimension, client]) =>
        `SELECT '${dimension}', 'day', sold.* FROM (${byDay(dimension, 'sale', '$3', client)}) AS sold`,
    ).join(' UNION ALL ')}`,
};

const ADD_MONTH = {
  text: `
    INSERT INTO sales_sums (dimension, span, ${COLUMNS})
    SELECT dimension, 'month', client_id, $1::date, key, currency, min(name),
           ${Object.keys(DAILY)
             .map((sum) => `sum(${sum})`)
             .join(', ')}
      FROM sales_sums
     WHERE dimension IN ('client', 'product', 'state') AND span = 'day' AND day >= $1 AND day < $2
     GROUP BY dimension, client_id, key, currency`,
};

/** What was paid and refunded. Finished days come from kept sums; the rest is added up for each report. */
@Injectable()
export class SoldRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SalesSumsKept) private readonly kept: Repository<SalesSumsKept>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async soldBy(by: SalesBy, filter: SoldFilter): Promise<SoldSheet> {
    const { columns, group, text, values } = await this.reportOf(by, filter);
    const rows = this.database.stream<Sold>(`${text} ORDER BY ${group}, currency`, values);
    return { columns: Object.keys(columns), rows };
  }

  /** The highest net amounts, first those in this currency, with the sums of all rows in it. */
  async highest(by: SalesBy, filter: SoldFilter, most: number, currency: string): Promise<Highest[]> {
    const { text, values } = await this.reportOf(by, filter);
    const sums = Object.keys(SOLD).filter((name) => name !== 'currency');
    const ofCurrency = `FILTER (WHERE currency = $${values.push(currency)})`;
    const totals = sums.map((sum) => `coalesce(sum(${sum}) ${ofCurrency}, 0) AS ${sum}`);
    const highest = `
      WITH sold AS MATERIALIZED (${text})
      SELECT sold.*, found, to_json(totals) AS totals
        FROM sold, (SELECT count(*)::int AS found, ${totals.join(', ')} FROM sold) AS totals
       ORDER BY currency = $${values.length} DESC, sold.net DESC LIMIT ${most}`;
    return this.database.query<Highest>({ text: highest }, values);
  }

  private async reportOf(by: SalesBy, filter: SoldFilter) {
    const { dimension, names, group } = SALES_BY[by];
    const columns = { ...names, ...SOLD };
    const values: unknown[] = [];
    const given = (value: unknown) => `$${values.push(value)}`;
    const client = filter.clientId === undefined ? undefined : given(filter.clientId);
    const { timeZone } = this.settings;
    const { kept, rest } = partsOf(filter, await this.keptUntil(), timeZone, by !== 'day');
    const parts = [
      ...kept.map(({ span, first, end }) => KEPT(dimension, span, given(first), given(end), client)),
      ...rest.map(({ from, to }) =>
        byDay(dimension, `(${sales(given(from), given(to), client)}) AS sale`, given(timeZone)),
      ),
    ];
    const text = `
      SELECT ${selectOf(columns)}
        FROM (${parts.join(' UNION ALL ')}) AS sold
             ${by === 'client' ? 'JOIN clients c ON c.id = key::int' : ''}
       GROUP BY ${group}, currency`;
    return { columns, group, text, values };
  }

  /** Adds up the next finished day. Returns false if there is none. */
  keepNextDay(): Promise<boolean> {
    const { timeZone } = this.settings;
    return this.database.transaction(async (transaction) => {
      const [next] = await transaction.query<{ day: Day; isAnew: boolean }>(NEXT, [timeZone]);
      if (!next) return false;
      const [day, after] = [next.day, addDays(next.day, 1)];
      await transaction.query(DROP, [day, next.isAnew]);
      const times = [startOfDay(day, timeZone), startOfDay(after, timeZone), timeZone];
      await transaction.query(ADD_DAY, times);
      if (after.endsWith('-01')) await transaction.query(ADD_MONTH, [`${day.slice(0, 7)}-01`, after]);
      await transaction.manager.update(SalesSumsKept, { id: 1 }, { until: after, timeZone });
      return true;
    });
  }

  /** Sums in the days of another zone are of no use. */
  private async keptUntil(): Promise<Day | null> {
    const { until, timeZone } = await this.kept.findOneByOrFail({ id: 1 });
    return timeZone === this.settings.timeZone ? until : null;
  }
}

interface Parts {
  kept: { span: SalesSpan; first: Day | '-infinity'; end: Day }[];
  rest: { from: Date | '-infinity'; to: Date | 'infinity' }[];
}

/** Divides a period into whole days and months with kept sums, and the time before and after them. */
function partsOf(
  { from, to }: Pick<DeskFilter, 'from' | 'to'>,
  until: Day | null,
  zone: TimeZone,
  byMonths: boolean,
): Parts {
  const all = { from: from ?? '-infinity', to: to ?? 'infinity' } as const;
  if (until === null) return { kept: [], rest: [all] };
  const first = from && firstWholeDay(from, zone);
  const end = to && dayAt(to, zone) < until ? dayAt(to, zone) : until;
  if (first !== undefined && first >= end) return { kept: [], rest: [all] };
  const [start, last] = [first && startOfDay(first, zone), startOfDay(end, zone)];
  const before = from && start && from < start ? [{ from, to: start }] : [];
  const after = to === undefined || last < to ? [{ from: last, to: all.to }] : [];
  return { kept: spansOf(first ?? '-infinity', end, byMonths), rest: [...before, ...after] };
}

function spansOf(first: Day | '-infinity', end: Day, byMonths: boolean): Parts['kept'] {
  const month =
    first === '-infinity' || first.endsWith('-01') ? first : `${addMonths(first.slice(0, 7), 1)}-01`;
  const lastMonth = `${end.slice(0, 7)}-01`;
  if (!byMonths || (month !== '-infinity' && month >= lastMonth)) return [{ span: 'day', first, end }];
  const spans: Parts['kept'] = [
    { span: 'day', first, end: month },
    { span: 'month', first: month, end: lastMonth },
    { span: 'day', first: lastMonth, end },
  ];
  return spans.filter((span) => span.first < span.end);
}

function firstWholeDay(from: Date, zone: TimeZone): Day {
  const day = dayAt(from, zone);
  return startOfDay(day, zone) < from ? addDays(day, 1) : day;
}
