import { count, usd } from "../format.ts";
import { lineAmount, type PriceLine, total } from "../price.ts";
import { Facts } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { Detail } from "./detail.ts";
import { inWords, ONE_BY_ONE, UNITS } from "./words.ts";

/** Micro-USD per million of a unit, as people read it. */
const rateOf = ({ unit, rate }: PriceLine): string =>
  rate === 0 ? "free" : ONE_BY_ONE.has(unit) ? `${usd(rate / 1e12)} each` : `${usd(rate / 1e6)} per million`;

/** How the price came to be, line by line, and what was counted. */
export function Price({ of: { lines, microCost, usage } }: { of: Detail }) {
  if (microCost === undefined) return <p>The request has not ended, so it has no price yet.</p>;
  const sum = total(lines);
  const shown = lines.filter(({ unit, rate }) => rate > 0 || unit !== "requests");
  return (
    <>
      {shown.length > 0 && (
        <Table
          caption="Price breakdown"
          rows={shown}
          keyOf={({ unit, rate }) => `${unit} ${rate}`}
          columns={[
            { title: "Unit", cell: ({ unit }) => inWords(UNITS, unit) },
            { title: "Count", isNumber: true, cell: ({ count: value }) => count(value) },
            { title: "Price", isNumber: true, cell: rateOf },
            { title: "Micro-USD", isNumber: true, cell: lineAmount },
          ]}
        />
      )}
      <p>
        {lines.length === 0
          ? "Nothing was charged."
          : `Total, rounded up: ${count(sum)} micro-USD. Charged: ${count(microCost)} micro-USD.`}
      </p>
      {lines.length > 0 && sum !== microCost && (
        <p class="wrong" role="alert">
          The lines do not add up to what was charged. Please report this.
        </p>
      )}
      <Counted of={usage ?? {}} />
    </>
  );
}

/** The counts of a request; those of parts stand behind those of the whole. */
function Counted({ of: { estimated, details = {}, ...whole } }: { of: Record<string, unknown> }) {
  const counts = Object.entries({ ...whole, ...(details as object) }).flatMap(
    ([name, value]): [string, string][] =>
      typeof value === "number" ? [[inWords(UNITS, name), count(value)]] : [],
  );
  return (
    <>
      <h2>Usage</h2>
      {counts.length === 0 ? (
        <p class="faint">No usage: the provider returned no response to count.</p>
      ) : (
        <Facts of={counts} />
      )}
      {estimated === true && <p class="warn">The provider reported no usage; these figures are estimates.</p>}
    </>
  );
}
