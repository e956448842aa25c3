import { SALES_GROUPS, type SalesBy } from '../../../sales/sales-groups.js';
import { oneOf, textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { addDays, addMonths, type Day, type Month } from '../../../platform/time/time.js';
import { dayIn, type DayPeriod, type Preset } from '../../../pages/components/period-fields.js';
import { REPORTS } from '../paths.js';

/** The report in the page's address. Without days it begins with the first sale, and ends now. */
export interface ReportQuery extends DayPeriod {
  by: SalesBy;
  clientId: number | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readReportQuery(query: FormFields): ReportQuery {
  const client = textIn(query, 'client');
  return {
    by: oneOf(query, 'by', SALES_GROUPS) ?? 'day',
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
    clientId: /^[1-9]\d{0,8}$/.test(client) ? Number(client) : undefined,
  };
}

export function reportPath({ clientId, ...query }: ReportQuery, path = REPORTS): string {
  return withQuery(path, { ...query, client: clientId });
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
