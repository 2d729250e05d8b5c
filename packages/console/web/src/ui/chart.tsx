import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Bars, type ChartSeries, Lines, type Plot } from "./chart-marks.tsx";
import { ChartPointer } from "./chart-pointer.tsx";
import { linesOf, namedPlaces, roomOf } from "./scale.ts";

interface ChartProps {
  /** What is shown, in words: the picture's name. */
  label: string;
  times: readonly string[];
  series: readonly ChartSeries[];
  show: (value: number) => string;
  /** Bars that stand on each other, or else lines. */
  isStacked: boolean;
  /** The places of times of which the range has a part only: they are drawn lighter. */
  partial?: readonly number[];
  onPick?: (at: number) => void;
  /** Dragging from one time to another chooses the time between them, both included. */
  onSpan?: (from: number, to: number) => void;
}

/** The height of the marks, and the room around them, in pixels. */
const HEIGHT = 190;
const TOP = 8;
const GAP = 8;
/** The room of a digit in the small type of an axis, in wide fonts, and of a line, by the size of the page's type. */
const LETTER = 0.55;
const LINE = 1.6;

/** The width that a box has and the size of the page's type, in pixels, also after they change. */
function useSizes() {
  const box = useRef<HTMLDivElement>(null);
  const sizes = useSignal({ width: 0, type: 0 });
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const measure = (): void => {
      const { fontSize } = getComputedStyle(document.documentElement);
      sizes.value = { width: current.clientWidth, type: Number.parseFloat(fontSize) };
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return { box, ...sizes.value };
}

/** Sums over time as a picture. A table or a list next to each chart has the same data, for screen readers too. */
export function Chart(props: ChartProps) {
  const { label, times, series, show, isStacked, partial = [], onPick, onSpan } = props;
  const { box, width, type } = useSizes();
  const [letter, foot] = [LETTER * type, LINE * type];
  const id = useId();
  const heights = times.map((_, at) => {
    const values = series.map(({ values }) => values[at] ?? 0);
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  const lines = linesOf(Math.max(0, ...heights));
  const top = lines.at(-1) || 1;
  const left = roomOf(lines.map(show), letter) + GAP;
  const plot: Plot = {
    start: left,
    band: Math.max(0, width - left) / times.length,
    height: TOP + HEIGHT,
    y: (value) => TOP + HEIGHT - (value / top) * HEIGHT,
  };
  /** The first and the last name would reach over the edges. */
  const nameAt = (at: number): { x: number; "text-anchor"?: "start" | "end" } => {
    const room = roomOf([times[at] as string], letter) / 2;
    const x = left + (at + 0.5) * plot.band;
    if (x - room < left) return { x: left, "text-anchor": "start" };
    return x + room > width ? { x: width, "text-anchor": "end" } : { x };
  };
  return (
    <figure class="chart" ref={box}>
      <svg width={width} height={TOP + HEIGHT + foot} role="img" aria-labelledby={id}>
        <title id={id}>{label}</title>
        {lines.map((value) => (
          <g key={value}>
            <path class="grid" d={`M${left} ${plot.y(value)}H${width}`} />
            <text class="scale" x={left - GAP} y={plot.y(value)}>
              {value === 0 ? "0" : show(value)}
            </text>
          </g>
        ))}
        {isStacked ? <Bars {...{ series, plot, partial }} /> : <Lines {...{ series, plot }} />}
        {namedPlaces(times, width - left, letter).map((at) => (
          <text key={at} class="time" y={TOP + HEIGHT + foot - 4} {...nameAt(at)}>
            {times[at]}
          </text>
        ))}
      </svg>
      <ChartPointer {...{ label, times, series, show, plot, partial, isStacked, onPick, onSpan }} />
    </figure>
  );
}

/** The names of series beside their colours. */
export const Legend = ({
  about,
  of,
}: {
  /** What the figures are of, before them. */
  about?: string | undefined;
  of: readonly {
    name: string;
    tone: string;
    text: string;
    note?: string | undefined;
    href?: string | undefined;
  }[];
}) => (
  <ul class="legend">
    {about !== undefined && <li class="faint">{about}</li>}
    {of.map(({ name, tone, text, note, href }) => (
      <li key={name}>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <rect class={tone} width="12" height="12" rx="2" />
        </svg>
        {href ? <a href={href}>{name}</a> : name} <b class="number">{text}</b>
        {note !== undefined && <span class="faint"> {note}</span>}
      </li>
    ))}
  </ul>
);
