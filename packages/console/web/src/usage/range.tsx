import { Choice, Typed } from "../ui/filters.tsx";
import { daysOf, RANGES, rangeIn } from "./time.ts";

interface RangeFilterProps {
  params: { days?: string; from?: string; to?: string };
  /** The range as it is shown, its end excluded; a bound that is absent is open. */
  shown: { from?: string; to?: string };
  /** What the choice of no range is called, on screens that have it. */
  open?: string;
  set: (change: Record<"days" | "from" | "to", string | undefined>) => void;
}

const CUSTOM = "custom";

/** Chooses a range of time: one that is offered, or two days, which are both in it. */
export function RangeFilter({ params, shown, open, set }: RangeFilterProps) {
  const isCustom = params.from !== undefined || params.to !== undefined;
  const choose = (value: string): void => {
    const bounds = value === CUSTOM ? daysOf(rangeIn(params)) : {};
    set({ days: value === CUSTOM ? undefined : value, from: bounds.from, to: bounds.to });
  };
  const days = daysOf(shown);
  // What is not typed stays as it is, to the hour.
  const type = (name: "from" | "to") => (value: string) =>
    set({ days: undefined, from: shown.from, to: shown.to, [name]: value || undefined });
  return (
    <>
      <Choice
        name="Range"
        value={isCustom ? CUSTOM : (params.days ?? (open === undefined ? "30" : ""))}
        of={[...(open === undefined ? [] : [["", open] as const]), ...RANGES, [CUSTOM, CUSTOM]]}
        onChange={choose}
      />
      <Typed name="From (UTC)" type="date" value={days.from} onChange={type("from")} />
      <Typed name="To (UTC)" type="date" value={days.to} onChange={type("to")} />
    </>
  );
}
