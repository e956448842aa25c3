import { scaleBand, scaleLinear } from 'd3-scale';
import type { StateKind } from './values.js';

interface Series {
  name: string;
  kind: StateKind;
}

interface Bar {
  /** Such as "20 Nov, 14:00". */
  label: string;
  /** One value per series, from bottom to top. */
  values: readonly number[];
}

interface Props {
  /** The plot in words, for screen readers. */
  summary: string;
  series: readonly Series[];
  bars: readonly Bar[];
}

const WIDTH = 1_000;
const HEIGHT = 160;

/** Counts over time. The drawing stretches, so its texts stand outside it. */
export const BarPlot = ({ summary, series, bars }: Props) => {
  const highest = Math.max(0, ...bars.map(({ values }) => sum(values)));
  const y = scaleLinear([0, highest || 1], [0, HEIGHT]).nice(4);
  const x = scaleBand(
    bars.map((_, at) => String(at)),
    [0, WIDTH],
  ).padding(0.2);
  const top = y.domain()[1]!;
  return (
    <figure class="plot">
      <figcaption>
        {series.map(({ name, kind }) => (
          <span class={`legend ${kind}`}>{name}</span>
        ))}
      </figcaption>
      <div class="plot-area">
        {highest > 0 && <span class="plot-top">{top.toLocaleString('en-IN')}</span>}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          {bars.map(({ label, values }, at) => (
            <g>
              <title>{titleOf(label, values, series)}</title>
              <rect class="plot-touch" x={x(String(at))} y={0} width={x.bandwidth()} height={HEIGHT} />
              {values.map((value, of) =>
                value === 0 ? null : (
                  <rect
                    class={series[of]!.kind}
                    x={x(String(at))}
                    y={HEIGHT - y(sum(values.slice(0, of + 1)))}
                    width={x.bandwidth()}
                    height={y(value)}
                  />
                ),
              )}
            </g>
          ))}
        </svg>
      </div>
      <div class="plot-ends" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  );
};

function titleOf(label: string, values: readonly number[], series: readonly Series[]): string {
  return `${label}: ${values.map((value, of) => `${value} ${series[of]!.name}`).join(', ')}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
