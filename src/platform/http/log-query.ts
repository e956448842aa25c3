import { OptionalEnd, OptionalStart, readEnd, readStart } from '../validation/typed-fields.decorator.js';
import type { TimeZone } from '../time/time.js';
import { PageQuery } from './admin-route.js';

/** The query of a log. */
export class LogQuery extends PageQuery {
  @OptionalStart('Only entries from this time on.') from?: string;
  @OptionalEnd('Only entries before this time.') to?: string;
}

/** The period of a log. */
export const readLogPeriod = ({ from, to }: Pick<LogQuery, 'from' | 'to'>, zone: TimeZone) => ({
  since: readStart(from, zone),
  to: readEnd(to, zone),
});
