import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { ChartSeries, Plot } from "./chart-marks.tsx";

interface PointerProps {
  label: string;
  times: readonly string[];
  series: readonly ChartSeries[];
  show: (value: number) => string;
  plot: Plot;
  partial: readonly number[];
  isStacked: boolean;
  onPick?: ((at: number) => void) | undefined;
  onSpan?: ((from: number, to: number) => void) | undefined;
}

/**
 * What a chart says where it is pointed at: at once, under a mouse, a finger or the arrow keys. Enter or a click picks a
 * time; dragging, or arrow keys with Shift, chooses a span.
 */
export function ChartPointer(props: PointerProps) {
  const { label, times, series, show, plot, partial, onPick, onSpan } = props;
  const at = useSignal<number | undefined>(undefined);
  /** The other end of the span that is being chosen. */
  const from = useSignal<number | undefined>(undefined);
  const last = times.length - 1;
  const place = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * times.length)));
  };
  const choose = (): void => {
    const [one, other] = [at.value, from.value ?? at.value];
    from.value = undefined;
    if (one === undefined || other === undefined) return;
    if (one === other) onPick?.(one);
    else onSpan?.(Math.min(one, other), Math.max(one, other));
  };
  const leave = (): void => {
    at.value = from.value = undefined;
  };
  // Places of other times mean nothing here; the focus stays, for the next choice.
  useLayoutEffect(leave, [times[0], last]);
  const press = (event: KeyboardEvent): void => {
    const now = at.value ?? last;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      from.value = event.shiftKey && onSpan ? (from.value ?? now) : undefined;
      at.value = Math.min(last, Math.max(0, next));
    } else if (event.key === "Enter") choose();
    else if (event.key === "Escape" && at.value !== undefined) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = at.value;
  const rows = shown === undefined ? [] : rowsAt(series, shown);
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  const texts = rows.map(({ name, value }) => `${name}: ${show(value)}`);
  const note = shown !== undefined && partial.includes(shown) ? " (a part of it)" : "";
  const start = Math.min(shown ?? 0, from.value ?? shown ?? 0);
  const end = Math.max(shown ?? 0, from.value ?? shown ?? 0);
  const inPercent = (n: number): string => `${(n / times.length) * 100}%`;
  const isRight = shown !== undefined && shown > last / 2;
  return (
    <div
      class={onPick || onSpan ? "pointer picks" : "pointer"}
      style={{ left: `${plot.start}px`, height: `${plot.height}px` }}
      role="slider"
      tabIndex={0}
      aria-label={`${label}, time by time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown ?? last}
      aria-valuetext={
        shown === undefined ? "no time chosen" : [`${times[shown]}${note}`, ...texts].join(", ")
      }
      onKeyDown={press}
      onBlur={leave}
      onPointerLeave={(event) => {
        if (event.pointerType === "mouse" && from.value === undefined) leave();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        from.value = place(event);
        // A finger shows a time first, and picks it with a second touch.
        if (event.pointerType !== "mouse" && at.value !== from.value) {
          at.value = from.value;
          from.value = undefined;
        }
      }}
      onPointerMove={(event) => {
        if (from.value === undefined || onSpan) at.value = place(event);
      }}
      onPointerUp={() => from.value !== undefined && choose()}
      onPointerCancel={leave}
    >
      {shown !== undefined && (
        <>
          <div class="cursor" style={{ left: inPercent(start), width: inPercent(end - start + 1) }} />
          <div
            class="says"
            aria-hidden="true"
            style={isRight ? { right: inPercent(times.length - start) } : { left: inPercent(end + 1) }}
          >
            <p>
              {times[start]}
              {end > start && ` – ${times[end]}`}
              {note}
            </p>
            <dl>
              {rows.map(({ name, tone, value }) => (
                <div key={name}>
                  <dt>
                    <svg viewBox="0 0 12 12" aria-hidden="true">
                      <rect class={tone} width="12" height="12" rx="2" />
                    </svg>
                    {name}
                  </dt>
                  <dd class="number">{show(value)}</dd>
                </div>
              ))}
              {props.isStacked && rows.length > 1 && (
                <div>
                  <dt>all</dt>
                  <dd class="number">{show(total)}</dd>
                </div>
              )}
              {rows.length === 0 && <div>nothing</div>}
            </dl>
          </div>
        </>
      )}
    </div>
  );
}

/** The values at a time, as they stand on each other: the first at the bottom. */
const rowsAt = (series: readonly ChartSeries[], at: number) =>
  series
    .flatMap(({ name, tone, values }) => {
      const value = values[at];
      return value === undefined ? [] : [{ name, tone, value }];
    })
    .reverse();
