import { exactTime } from '../exact-time.js';
import { relativeTime } from '../relative-time.js';

/** "3 hours ago", "in 2 days"; to the minute for who points at it. */
export const When = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()} title={exactTime(at)}>
    {relativeTime(at, Date.now())}
  </time>
);

/** To the minute, where that is what counts: in a passbook, a timeline. */
export const ExactTime = ({ at }: { at: Date }) => <time dateTime={at.toISOString()}>{exactTime(at)}</time>;
