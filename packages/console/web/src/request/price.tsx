import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count, exactUsd, usd } from "../format.ts";
import { lineAmounts, type PriceLine, total } from "../price.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Facts } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { Detail } from "./detail.ts";
import { toMicro } from "./hold.ts";
import { Hold } from "./hold.tsx";
import { inWords, ONE_BY_ONE, UNITS } from "./words.ts";

/** Micro-USD per million of a unit, as people read it. */
const rateOf = ({ unit, rate }: Pick<PriceLine, "unit" | "rate">): string =>
  rate === 0 ? "free" : ONE_BY_ONE.has(unit) ? `${usd(rate / 1e12)} each` : `${usd(rate / 1e6)} per million`;

/** How the price came to be, what was held for it, and what it did to the account's balance. */
export function Price({ of: one, whose }: { of: Detail; whose: "account" | "all" }) {
  const moved = useQuery({
    queryKey: ["request", one.id, "movements", whose, one.status],
    queryFn: ({ signal }) => {
      const path = { generationId: one.id };
      return whose === "all"
        ? call("get", "/api/admin/generations/{generationId}/movements", { path, signal })
        : call("get", "/api/compat/v1/usage/{generationId}/movements", { path, signal });
    },
  });
  return (
    <>
      <Lines of={one} />
      <Hold of={one} movements={moved.data?.results} />
      <Awaited label="the ledger" of={moved}>
        {({ results }) => results.length > 0 && <Movements of={results} />}
      </Awaited>
      <Counted of={one.usage ?? {}} />
      <Snapshot of={one.price ?? {}} />
    </>
  );
}

/** What was counted, times its price, line by line; the lines add up to the charge. */
function Lines({ of: { lines, microCost } }: { of: Detail }) {
  if (microCost === undefined) return <p>The request has not ended, so it has no price yet.</p>;
  if (lines.length === 0) return <p>Nothing was charged.</p>;
  const sum = total(lines);
  const priced = lines.filter(({ unit, rate }) => rate > 0 || unit !== "requests");
  const amounts = lineAmounts(priced);
  return (
    <>
      <Table
        caption="Price breakdown"
        rows={priced.map((line, at) => ({ ...line, amount: amounts[at] }))}
        keyOf={({ unit, rate }) => `${unit} ${rate}`}
        columns={[
          { title: "Unit", cell: ({ unit }) => inWords(UNITS, unit) },
          { title: "Count", isNumber: true, cell: ({ count: value }) => count(value) },
          { title: "Price", isNumber: true, cell: rateOf },
          { title: "Amount", isNumber: true, cell: ({ amount }) => amount },
        ]}
      />
      <p>
        The sum, rounded up to a millionth of a dollar: <b class="number">{exactUsd(sum)}</b>
      </p>
      {sum !== microCost && (
        <p class="wrong" role="alert">
          The lines do not add up to what was charged, {exactUsd(microCost)}. Please report this.
        </p>
      )}
    </>
  );
}

type Movement = Detail["movements"][number];

/** Its lines of the ledger. */
const Movements = ({ of: movements }: { of: readonly Movement[] }) => (
  <>
    <h2>Ledger</h2>
    <Table
      caption="Movements of credit"
      rows={movements}
      keyOf={({ id }) => id}
      columns={[
        { title: "Time", time: ({ createdAt }) => createdAt },
        {
          title: "Kind",
          cell: ({ kind, generationId }) =>
            generationId === undefined ? `${kind} of several requests` : kind,
        },
        { title: "Amount", isNumber: true, cell: ({ amount }) => exactUsd(toMicro(amount)) },
        {
          title: "Balance after",
          isNumber: true,
          cell: ({ balance }) => (balance === undefined ? "–" : exactUsd(toMicro(balance))),
        },
        { title: "Id", drops: 1, cell: ({ id }) => <code>{id}</code> },
      ]}
    />
  </>
);

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

/** The price as of the request, with what was not counted: later changes of prices do not change what it cost. */
function Snapshot({ of: price }: { of: Record<string, number> }) {
  const rates = Object.entries(price);
  if (rates.length === 0) return null;
  return (
    <details>
      <summary>The price as of the request</summary>
      <Facts of={rates.map(([unit, rate]) => [inWords(UNITS, unit), rateOf({ unit, rate })])} />
    </details>
  );
}
