import { SALES_GROUPS, type SalesBy } from '../../../orders/desk/sales-groups.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import {
  addDays,
  addMonths,
  type Day,
  isDay,
  type Month,
  startOfDay,
  type TimeZone,
} from '../../../platform/time/time.js';
import { REPORTS } from '../paths.js';

/** First and last day. Without the first: from the first sale. Without the last: until now. */
export interface Days {
  from: Day | undefined;
  to: Day | undefined;
}

/** The report in the page's address. */
export interface ReportQuery extends Days {
  by: SalesBy;
  clientId: number | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readReportQuery(query: FormFields): ReportQuery {
  const dayIn = (name: string) => {
    const text = textIn(query, name).trim();
    return isDay(text) ? text : undefined;
  };
  const client = textIn(query, 'client');
  return {
    by: SALES_GROUPS.find((by) => by === textIn(query, 'by')) ?? 'day',
    from: dayIn('from'),
    to: dayIn('to'),
    clientId: /^[1-9]\d{0,8}$/.test(client) ? Number(client) : undefined,
  };
}

export function reportPath({ clientId, ...query }: ReportQuery, path = REPORTS): string {
  return withQuery(path, { ...query, client: clientId });
}

/** The days as times of the zone. */
export function timesOf({ from, to }: Days, timeZone: TimeZone): { from?: Date; to?: Date } {
  return {
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(to !== undefined && { to: startOfDay(addDays(to, 1), timeZone) }),
  };
}

export function daysOf(month: Month): { from: Day; to: Day } {
  return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
}

/** The first one is shown if the address has no days. */
export function presetsOn(today: Day): [Preset, ...Preset[]] {
  const month = today.slice(0, 7);
  return [
    { text: 'Last 30 days', from: addDays(today, -29), to: today },
    { text: 'This month', from: `${month}-01`, to: today },
    { text: 'Last month', ...daysOf(addMonths(month, -1)) },
    { text: 'Last 12 months', from: `${addMonths(month, -11)}-01`, to: today },
    { text: 'All', from: undefined, to: today },
  ];
}

interface Preset extends Days {
  text: string;
}
