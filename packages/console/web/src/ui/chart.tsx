import { useSignal } from "@preact/signals";

export interface ChartSeries {
  name: string;
  /** Its colour: a class of the style. */
  tone: string;
  /** One for each time; a gap where there is none. */
  values: readonly (number | undefined)[];
}

interface ChartProps {
  /** What is shown, in words: the picture's name. */
  label: string;
  times: readonly string[];
  series: readonly ChartSeries[];
  show: (value: number) => string;
  /** Bars that stand on each other, or else lines. */
  isStacked: boolean;
  onPick?: (at: number) => void;
  /** Dragging from one time to another chooses the time between them, both included. */
  onSpan?: (from: number, to: number) => void;
}

/** Sums over time as a picture. A table or a list next to each chart has the same data, for screen readers too. */
export function Chart({ label, times, series, show, isStacked, onPick, onSpan }: ChartProps) {
  const drag = useSignal<{ from: number; to: number } | undefined>(undefined);
  const heights = times.map((_, at) => {
    const values = series.map(({ values }) => values[at] ?? 0);
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  const most = Math.max(0, ...heights);
  const scaled = (value: number): number => (most === 0 ? 0 : (value / most) * 100);
  const titleAt = (at: number): string =>
    [times[at], ...series.map(({ name, values }) => `${name}: ${show(values[at] ?? 0)}`)].join("\n");
  /** The time at a place of the picture. */
  const timeAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * times.length);
    return Math.min(times.length - 1, Math.max(0, at));
  };
  const drop = (): void => {
    const { from = 0, to = 0 } = drag.value ?? {};
    drag.value = undefined;
    if (from === to) onPick?.(from);
    else onSpan?.(Math.min(from, to), Math.max(from, to));
  };
  const { from = 0, to = 0 } = drag.value ?? {};
  const acts = (onPick ?? onSpan) && {
    class: "pick",
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      const at = timeAt(event);
      drag.value = { from: at, to: at };
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.value && onSpan) drag.value = { from: drag.value.from, to: timeAt(event) };
    },
    onPointerUp: () => drag.value && drop(),
    onPointerCancel: () => {
      drag.value = undefined;
    },
  };
  return (
    <figure class="chart">
      <div class="scale number" aria-hidden="true">
        <span>{show(most)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${times.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        {...acts}
      >
        {!isStacked && series.map((one) => <Line key={one.name} of={one} scaled={scaled} />)}
        {times.map((time, at) => (
          <g key={time}>
            <rect class="ground" x={at} y="0" width="1" height="100" />
            {isStacked && <Stack {...{ series, at, scaled }} />}
            <title>{titleAt(at)}</title>
          </g>
        ))}
        {from !== to && (
          <rect class="chosen" x={Math.min(from, to)} y="0" width={Math.abs(to - from) + 1} height="100" />
        )}
      </svg>
      <div class="times number" aria-hidden="true">
        <span>{times[0]}</span>
        <span>{times.at(-1)}</span>
      </div>
    </figure>
  );
}

type Scaled = (value: number) => number;

function Stack({ series, at, scaled }: { series: readonly ChartSeries[]; at: number; scaled: Scaled }) {
  let top = 100;
  return (
    <>
      {series.map(({ name, tone, values }) => {
        const height = scaled(values[at] ?? 0);
        if (height === 0) return null;
        top -= height;
        return <rect key={name} class={tone} x={at + 0.1} y={top} width="0.8" height={height} />;
      })}
    </>
  );
}

function Line({ of, scaled }: { of: ChartSeries; scaled: Scaled }) {
  const points = of.values.flatMap((value, at) =>
    value === undefined ? [] : [`${at + 0.5},${100 - scaled(value)}`],
  );
  // A point alone is a line as well.
  if (points.length === 1) points.push(points[0]!.replace(/^[^,]+/, (x) => String(Number(x) + 0.3)));
  return <polyline class={`line ${of.tone}`} points={points.join(" ")} />;
}

/** The names of series beside their colours. */
export const Legend = ({
  of,
}: {
  of: readonly { name: string; tone: string; text: string; href?: string | undefined }[];
}) => (
  <ul class="legend">
    {of.map(({ name, tone, text, href }) => (
      <li key={name}>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <rect class={tone} width="12" height="12" />
        </svg>
        {href ? <a href={href}>{name}</a> : name} <b class="number">{text}</b>
      </li>
    ))}
  </ul>
);
