import type { ComponentChildren } from 'preact';
import { textIn } from '../forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { addDays, type Day, parseDay, startOfDay, type TimeZone } from '../../../platform/time/time.js';

export interface DayPeriod {
  from?: Day;
  to?: Day;
}

export interface Preset extends DayPeriod {
  text: string;
}

/** Periods that end today. A week begins on Monday. */
export function periodPresets(today: Day): Preset[] {
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return [
    { text: 'Today', from: today, to: today },
    { text: 'This week', from: addDays(today, -sinceMonday), to: today },
    { text: 'This month', from: `${today.slice(0, 7)}-01`, to: today },
  ];
}

/** Whether the first day is later than the last one, so that nothing can match. */
export function isReversed({ from, to }: DayPeriod): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export const REVERSED = {
  refusal: 'The first day is later than the last one. Change “From” or “to”, then search again.',
  status: 422,
};

/** The day of a filter. Other text is ignored. */
export function dayIn(query: FormFields, name: string): Day | undefined {
  const day = parseDay(textIn(query, name));
  return day !== undefined && day > '1971' ? day : undefined;
}

/** The instants at which a period of days begins and ends. */
export function toInstants({ from, to }: DayPeriod, timeZone: TimeZone): { from?: Date; to?: Date } {
  return {
    ...(from && { from: startOfDay(from, timeZone) }),
    ...(to && { to: startOfDay(addDays(to, 1), timeZone) }),
  };
}

interface PeriodFieldsProps {
  period: DayPeriod;
  today: Day;
  /** The address of the same list with another period. */
  pathOf: (period: DayPeriod) => string;
  presets?: readonly Preset[];
  /** The form's button, if the form has no search. */
  children?: ComponentChildren;
}

export const PeriodFields = ({
  period,
  today,
  pathOf,
  presets = periodPresets(today),
  children,
}: PeriodFieldsProps) => {
  const { from, to } = period;
  return (
    <>
      <DayFields period={period} />
      {children}
      <span class="presets">
        {presets.map(({ text, ...preset }) => (
          <a
            href={pathOf(preset)}
            aria-current={from === preset.from && to === preset.to ? 'true' : undefined}
          >
            {text}
          </a>
        ))}
      </span>
    </>
  );
};

export const DayFields = ({ period }: { period: DayPeriod }) => {
  const isWrong = isReversed(period) ? ('true' as const) : undefined;
  return (
    <>
      <label>
        From
        <input
          type="date"
          name="from"
          value={period.from}
          aria-invalid={isWrong}
          autofocus={isReversed(period)}
        />
      </label>
      <label>
        to
        <input type="date" name="to" value={period.to} aria-invalid={isWrong} />
      </label>
    </>
  );
};

type NonEmptyFields<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Drops empty fields. */
export function withoutEmptyFields<Fields extends object>(fields: Fields): NonEmptyFields<Fields> {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs) as NonEmptyFields<Fields>;
}
