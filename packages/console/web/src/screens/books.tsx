import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Facts, Head, Money } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";

/** Recomputes every balance and every charge, when it is asked to: it reads all that there is. */
export default function Books() {
  const audit = useQuery({
    queryKey: ["books"],
    queryFn: ({ signal }) => call("get", "/api/admin/audit", { signal }),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <Head
        title="Books"
        about="The audit recomputes every balance, hold, cap and charge from the movements. It reads all records."
      >
        <button
          type="button"
          class="main"
          aria-disabled={audit.isFetching}
          onClick={() => {
            if (!audit.isFetching) void audit.refetch();
          }}
        >
          Run the audit
        </button>
      </Head>
      <Days />
      <Section title="Audit">
        {audit.isPending && !audit.isFetching && (
          <p class="faint">The audit has not been run on this page yet.</p>
        )}
        {audit.isFetching && <p role="status">The audit is running …</p>}
        <Awaited label="the audit" of={{ ...audit, isPending: false }}>
          {({ differences, totals, ms }) => (
            <>
              {differences.length === 0 ? (
                <p class="good" role="status">
                  No difference. {count(totals.records)} records, {duration(ms)}.
                </p>
              ) : (
                <Differences of={differences} />
              )}
              <h3>Totals</h3>
              <Facts
                of={[
                  ["Credit added", <Money key="g" amount={totals.credited} />],
                  ["Charged", <Money key="c" amount={totals.charged} />],
                  ["Refunded", <Money key="r" amount={totals.refunded} />],
                  ["Balances", <Money key="b" amount={totals.balances} />],
                  ["Of which held", <Money key="h" amount={totals.held} />],
                ]}
              />
              <p class="faint">Balances equal credit added, minus charges, plus refunds.</p>
            </>
          )}
        </Awaited>
      </Section>
    </>
  );
}

/** What moved on each of the last 30 days. */
function Days() {
  const days = useQuery({
    queryKey: ["books", "days"],
    queryFn: ({ signal }) => call("get", "/api/admin/books", { signal }),
  });
  return (
    <Section title="By day (UTC)">
      <Awaited label="the books" rows={31} of={days}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty>
              <p>No credit has moved in 30 days.</p>
            </Empty>
          ) : (
            <Table
              caption="Movements by day"
              rows={results}
              keyOf={({ day }) => day}
              columns={[
                { title: "Day", cell: ({ day }) => <span class="number">{day}</span> },
                {
                  title: "Credit added",
                  amount: ({ credited }) => credited,
                },
                { title: "Charged", amount: ({ charged }) => charged },
                { title: "Refunded", amount: ({ refunded }) => refunded },
              ]}
            />
          )
        }
      </Awaited>
    </Section>
  );
}

const Differences = ({ of: differences }: { of: readonly Record<string, unknown>[] }) => (
  <>
    <p class="wrong" role="alert">
      {count(differences.length)} differences. Do not change the database before you have investigated them.
    </p>
    <Table
      caption="Differences"
      rows={differences.map((one, at) => ({ ...one, at }) as Record<string, unknown>)}
      keyOf={({ at }) => String(at)}
      columns={[
        { title: "Invariant", cell: ({ invariant }) => String(invariant) },
        { title: "Subject", cell: ({ subject }) => <code>{String(subject)}</code> },
        { title: "Expected", isNumber: true, cell: ({ expected }) => String(expected) },
        { title: "Found", isNumber: true, cell: ({ actual }) => String(actual) },
      ]}
    />
  </>
);
