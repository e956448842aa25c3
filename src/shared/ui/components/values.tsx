import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Minor } from '../../../platform/money/money.js';
import { isMidnight, type TimeZone } from '../../../platform/time/time.js';
import { dayOf, exactTime, formatMoney, relativeTime } from '../../../platform/formats.js';

interface MoneyProps {
  minor: Minor;
  currency: string;
  /** Shows + and −. */
  signed?: boolean;
}

export const Money = ({ minor, currency, signed = false }: MoneyProps) => (
  <span class="money">{formatMoney(minor, currency, signed)}</span>
);

export const moneyRenderer =
  (currency: string) =>
  (minor: Minor, signed = false) => <Money {...{ minor, currency, signed }} />;

/**
 * "7K3QZ-9M2XA" of "WO-20260131-7K3QZ-9M2XA": these 50 random bits tell numbers apart. The beginning has no
 * width, so a copied text, a search in the page and a screen reader get the whole number.
 */
export const ShortNumber = ({ of: number }: { of: string }) => {
  const [beginning = ''] = /^[A-Z]+-\d{8}-|^[\da-f]{56}(?=[\da-f]{8}$)/.exec(number) ?? [];
  return (
    <span class="number" title={number}>
      {beginning !== '' && <span class="number-beginning">{beginning}</span>}
      {number.slice(beginning.length)}
    </span>
  );
};

export const PageZone = createContext<TimeZone>('UTC');

export const PagePath = createContext('');

/** "3 hours ago", with the exact time as a tooltip. On paper the exact time stands alone. */
export const RelativeTime = ({ at }: { at: Date | null }) => {
  const zone = useContext(PageZone);
  if (at === null) return <>Never</>;
  return (
    <time dateTime={at.toISOString()} title={exactTime(at, zone)}>
      <span>{relativeTime(at, Date.now(), zone)}</span>
    </time>
  );
};

/** The exact minute, for a passbook or a timeline. */
export const ExactTime = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()}>{exactTime(at, useContext(PageZone))}</time>
);

/** The minute, or the day alone where only a day was recorded, such as in a courier's file. */
export const TimeOrDay = ({ at }: { at: Date }) => {
  const zone = useContext(PageZone);
  return <time dateTime={at.toISOString()}>{(isMidnight(at, zone) ? dayOf : exactTime)(at, zone)}</time>;
};

/** The end of a period: its last day, or the minute. */
export const EndTime = ({ at }: { at: Date }) => {
  const zone = useContext(PageZone);
  return isMidnight(at, zone) ? <>{dayOf(at.getTime() - 1, zone)}</> : <ExactTime at={at} />;
};

/** "20 Nov 2026". */
export const DayOf = ({ at }: { at: Date | number }) => <>{dayOf(at, useContext(PageZone))}</>;

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)$/;

interface LoggedValueProps {
  of: string | number | null | undefined;
  isEnd?: boolean;
}

/** An old or new value in a log, which stores times as text. */
export const LoggedValue = ({ of: value = null, isEnd = false }: LoggedValueProps) => {
  if (!INSTANT.test(String(value))) return <>{value ?? 'none'}</>;
  return isEnd ? <EndTime at={new Date(value!)} /> : <ExactTime at={new Date(value!)} />;
};

/** A text with code in backticks. */
export const WithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>
);

/** accent: good or next; warn: attention; bad: failed; info: in progress; quiet: over. */
export type StateKind = 'accent' | 'warn' | 'bad' | 'info' | 'quiet';

/** The text has the meaning; the colour only helps to find it. */
export const StateLabel = ({ kind, children }: { kind: StateKind; children: ComponentChildren }) => (
  <span class={`state ${kind}`}>{children}</span>
);

export type States<Name extends string> = Readonly<Record<Name, { name: string; kind: StateKind }>>;

export const stateLabel = ({ name, kind }: States<string>[string]) => (
  <StateLabel kind={kind}>{name}</StateLabel>
);

interface NameWithDetailProps {
  children: ComponentChildren;
  /** Such as an SKU or an address. */
  detail: ComponentChildren;
}

export const NameWithDetail = ({ children, detail }: NameWithDetailProps) => (
  <>
    {children}
    {detail !== null && <small>{detail}</small>}
  </>
);

interface TimelineEntry {
  at: Date;
  title: ComponentChildren;
  note?: ComponentChildren;
}

export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map(({ at, title, note }) => (
      <li>
        <strong>{title}</strong>
        <TimeOrDay at={at} />
        {note !== undefined && <p>{note}</p>}
      </li>
    ))}
  </ol>
);
