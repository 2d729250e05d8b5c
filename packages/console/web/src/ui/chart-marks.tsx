import { useId } from "preact/hooks";

export interface ChartSeries {
  name: string;
  /** Its colour: a class of the style. */
  tone: string;
  /** One for each time; a gap where there is none. */
  values: readonly (number | undefined)[];
}

/** The place of the marks, in pixels. */
export interface Plot {
  start: number;
  /** The width of one time. */
  band: number;
  height: number;
  /** The height at which a value stands, from the top. */
  y: (value: number) => number;
}

/** Less than this cannot be seen: a value that is there is as high, in pixels. */
const LEAST = 2;
/** The share of a band that is left free between bars. */
const FREE = 0.18;

interface MarksProps {
  series: readonly ChartSeries[];
  plot: Plot;
}

/** Bars that stand on each other, the first series at the bottom. Failures are hatched, so that no colour is needed. */
export function Bars({ series, plot, partial }: MarksProps & { partial: readonly number[] }) {
  const hatch = useId();
  const { start, band, height, y } = plot;
  const free = Math.min(FREE * band, 6);
  return (
    <>
      <pattern id={hatch} patternUnits="userSpaceOnUse" width="5" height="5" patternTransform="rotate(45)">
        <path class="hatch" d="M0 2.5h5" />
      </pattern>
      {series[0]?.values.map((_, at) => {
        let foot = height;
        return (
          <g key={at} class={partial.includes(at) ? "partial" : undefined}>
            {series.map(({ name, tone, values }) => {
              const value = values[at];
              if (!value) return null;
              const size = Math.max(LEAST, height - y(value));
              foot -= size;
              const place = {
                x: start + at * band + free / 2,
                y: foot,
                width: Math.max(1, band - free),
                height: size,
              };
              return (
                <>
                  <rect key={name} class={tone} {...place} />
                  {tone === "outcome-failed" && (
                    <rect key={`${name} hatch`} fill={`url(#${hatch})`} {...place} />
                  )}
                </>
              );
            })}
          </g>
        );
      })}
    </>
  );
}

/** Lines with gaps where there is no value; a value alone is a point. */
export const Lines = ({ series, plot: { start, band, y } }: MarksProps) => (
  <>
    {series.map(({ name, tone, values }) => {
      const point = (value: number, at: number): string =>
        `${(start + (at + 0.5) * band).toFixed(1)} ${y(value).toFixed(1)}`;
      const path = values
        .map((value, at) => {
          if (value === undefined) return "";
          const before = values[at - 1];
          // A line of no length has round ends, which make the point.
          const alone = before === undefined && values[at + 1] === undefined ? "h0" : "";
          return `${before === undefined ? "M" : "L"}${point(value, at)}${alone}`;
        })
        .join("");
      return <path key={name} class={`line ${tone}`} d={path} />;
    })}
  </>
);
