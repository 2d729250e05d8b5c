import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { call } from "../api/client.ts";
import { usd } from "../format.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Table } from "../ui/table.tsx";
import { type Forecast, forecastOf, rangeOf } from "./forecast.ts";
import type { Series } from "./measures.ts";
import { ALL, type SeriesQuery, useSeries } from "./series.ts";

interface Row extends Forecast {
  id: string;
  name: string;
  cap: number;
}

interface MonthProps {
  /** What the screen is narrowed to. */
  filters: SeriesQuery;
}

/** What the account spends this month, and whether monthly caps hold that long. */
export function Month({ filters }: MonthProps) {
  const now = Date.now();
  const by = { by: "key", measure: "spend", top: 50 } as const;
  const spent = useSeries({ ...filters, ...rangeOf(now), bucket: "hour", ...by });
  const { key, ...others } = filters;
  // A cap counts all that its key spends, so that nothing follows for it from a part of that.
  const isOfKeys = Object.keys(others).length === 0;
  const keys = useQuery({
    queryKey: ["keys", "spend"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/api-keys", { query: { with: "spend" }, signal }),
  });
  return (
    <Awaited label="this month" of={together([spent, keys])}>
      {([{ series }, { results }]) => {
        const rows = results.flatMap(({ id, name, isActive, limits: { monthly } }): Row[] => {
          const points = series.find((one) => one.name === id)?.points ?? [];
          return isOfKeys && isActive && monthly !== undefined && (key === undefined || key === id)
            ? [{ id, name, cap: monthly, ...forecastOf(points, now) }]
            : [];
        });
        return (
          <Whole of={series} now={now} isNarrowed={Object.keys(filters).length > 0}>
            {rows.length > 0 && <Caps of={rows} />}
          </Whole>
        );
      }}
    </Awaited>
  );
}

/** The same of all accounts, or of one, without caps. */
export function MonthOfAll({ filters }: MonthProps) {
  const now = Date.now();
  const spent = useSeries({ ...filters, ...rangeOf(now), bucket: "hour" }, ALL);
  return (
    <Awaited label="this month" of={spent}>
      {({ series }) => <Whole of={series} now={now} isNarrowed={Object.keys(filters).length > 0} />}
    </Awaited>
  );
}

interface WholeProps {
  of: Series["series"];
  now: number;
  isNarrowed: boolean;
  children?: ComponentChildren;
}

/** What a month comes to at the pace of the last seven days. */
function Whole({ of: series, now, isNarrowed, children }: WholeProps) {
  const points = series.flatMap((one) => one.points);
  const { spent, expected } = forecastOf(points, now);
  return (
    <section aria-label="This month">
      <h2>This month{isNarrowed && ", with these filters"}</h2>
      <p>
        {usd(spent)} so far. At the pace of the last 7 days it comes to <b>{usd(roughly(expected))}</b>.
      </p>
      {children}
    </section>
  );
}

/** A forecast is no exact figure, and is not written as one. */
const roughly = (amount: number): number => Number(amount.toPrecision(3));

const Caps = ({ of: rows }: { of: readonly Row[] }) => (
  <Table
    caption="Monthly caps"
    isSmall
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        title: "Key",
        cell: ({ name }) => name,
        href: ({ id }) => `/console/usage?key=${encodeURIComponent(id)}`,
      },
      { title: "So far", amount: ({ spent }) => spent },
      {
        title: "By the month’s end",
        amount: ({ expected }) => roughly(expected),
      },
      { title: "Monthly cap", amount: ({ cap }) => cap },
      {
        title: "Cap holds",
        cell: ({ expected, cap }) =>
          expected > cap ? (
            <span class="warn">not to the end of the month</span>
          ) : (
            <span class="good">yes</span>
          ),
      },
    ]}
  />
);
