import { scaleBand, scaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import type { StateKind } from './values.js';

interface Series {
  name: string;
  kind: Exclude<StateKind, 'quiet'>;
  /** Drawn in a separate row with its own scale, because its values are much smaller. */
  apart?: boolean;
}

export interface Bar {
  /** Such as "20 Nov, 14:00". */
  label: string;
  /** A shorter text under the bar; the label by default. */
  tick?: string;
  /** Such as the day of an hour, shown below the first text of each group. */
  group?: string;
  /** One value per series, from bottom to top. */
  values: readonly number[];
  /** The list of the things that the bar counts. */
  href?: string;
  /** The list is filtered to this bar. */
  current?: boolean;
}

interface Props {
  /** The plot in words, for screen readers. */
  summary: string;
  series: readonly Series[];
  bars: readonly Bar[];
}

const WIDTH = 1_000;
const HEIGHT = 160;

/** The smallest visible height. */
const MIN_HEIGHT = 3;

const MAX_TICKS = 6;

/** Counts over time. The drawing stretches, so its texts stand outside it. */
export const BarPlot = ({ summary, series, bars }: Props) => (
  <figure class="plot">
    <figcaption>
      <span class="unseen">{summary}</span>
      {series.map(({ name, kind }) => (
        <span class={`legend ${kind}`}>{name}</span>
      ))}
    </figcaption>
    {[false, true].map((apart) => (
      <Row series={series} bars={bars} apart={apart} />
    ))}
    <Ticks bars={bars} />
  </figure>
);

/** The series that share a scale. The table beside the plot has its links for keys and screen readers. */
const Row = ({ series, bars, apart }: Omit<Props, 'summary'> & { apart: boolean }) => {
  const ownSeries = series.flatMap((each, of) => ((each.apart ?? false) === apart ? [of] : []));
  const highest = Math.max(0, ...bars.map(({ values }) => sum(ownSeries.map((of) => values[of]!))));
  if (ownSeries.length === 0 || (apart && highest === 0)) return null;
  const y = scaleLinear([0, highest || 1], [0, HEIGHT]).nice(apart ? 2 : 4);
  // Bars and texts stand in the middle of cells of equal width.
  const x = scaleBand(
    bars.map((_, at) => String(at)),
    [0, WIDTH],
  )
    .paddingInner(0.2)
    .paddingOuter(0.1);
  return (
    <div class={apart ? 'plot-area apart' : 'plot-area'}>
      {highest > 0 && <span class="plot-top">{y.domain()[1]!.toLocaleString('en-IN')}</span>}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((bar, at) => {
          const left = x(String(at))!;
          const margin = (x.step() - x.bandwidth()) / 2;
          let top = HEIGHT;
          const parts = ownSeries.map((of) => {
            const value = bar.values[of]!;
            if (value === 0) return null;
            const height = Math.max(y(value), MIN_HEIGHT);
            top -= height;
            return <rect class={series[of]!.kind} x={left} y={top} width={x.bandwidth()} height={height} />;
          });
          return (
            <BarLink bar={bar}>
              <title>{titleOf(bar, series)}</title>
              <rect class="plot-touch" x={left - margin} y={0} width={x.step()} height={HEIGHT} />
              {parts}
            </BarLink>
          );
        })}
      </svg>
    </div>
  );
};

const BarLink = ({ bar: { href, current }, children }: { bar: Bar; children: ComponentChildren }) =>
  href === undefined ? (
    <g>{children}</g>
  ) : (
    <a href={href} tabIndex={-1} class={current ? 'current' : undefined}>
      {children}
    </a>
  );

/** A text under every few bars, the last one included. */
const Ticks = ({ bars }: Pick<Props, 'bars'>) => {
  const step = Math.ceil(bars.length / MAX_TICKS);
  let group: string | undefined;
  return (
    <div class={step === 1 ? 'plot-ticks every' : 'plot-ticks'} aria-hidden="true">
      {bars.map((bar, at) => {
        if ((bars.length - 1 - at) % step !== 0) return <span />;
        const isFirst = bar.group !== group;
        group = bar.group;
        return (
          <span>
            <span>
              {bar.tick ?? bar.label}
              {isFirst && <small>{bar.group}</small>}
            </span>
          </span>
        );
      })}
    </div>
  );
};

function titleOf({ label, values }: Bar, series: readonly Series[]): string {
  return `${label}: ${values.map((value, of) => `${value} ${series[of]!.name}`).join(', ')}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
