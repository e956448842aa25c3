import type { ComponentChildren } from 'preact';
import type { Minor } from '../../platform/money/money.js';
import { exactTime, relativeTime } from '../times.js';
import { formatMoney } from '../format-money.js';

interface MoneyProps {
  minor: Minor;
  currency: string;
  /** Shows + and −. */
  signed?: boolean;
}

export const Money = ({ minor, currency, signed = false }: MoneyProps) => (
  <span class="money">{formatMoney(minor, currency, signed)}</span>
);

/** "3 hours ago", with the exact time as a tooltip. */
export const When = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()} title={exactTime(at)}>
    {relativeTime(at, Date.now())}
  </time>
);

/** The exact minute, for a passbook or a timeline. */
export const ExactTime = ({ at }: { at: Date }) => <time dateTime={at.toISOString()}>{exactTime(at)}</time>;

/** accent: good or next; warn: attention; bad: failed; info: in progress; quiet: over. */
export type StateKind = 'accent' | 'warn' | 'bad' | 'info' | 'quiet';

/** The word has the meaning; the colour only helps to find it. */
export const StateLabel = ({ kind, children }: { kind: StateKind; children: ComponentChildren }) => (
  <span class={`state ${kind}`}>{children}</span>
);

export interface TimelineEntry {
  at: Date;
  title: ComponentChildren;
  note?: ComponentChildren;
}

/** Events in order. */
export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map(({ at, title, note }) => (
      <li>
        <strong>{title}</strong>
        <ExactTime at={at} />
        {note !== undefined && <p>{note}</p>}
      </li>
    ))}
  </ol>
);
