import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { MovementTable } from "../ui/movement-table.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Facts, Head, Money } from "../ui/parts.tsx";

const PAGE = 50;

/** What the account has, and every movement that made it so. */
export default function Balance() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const balance = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/account", { signal }),
  });
  const ledger = useQuery({
    queryKey: ["ledger", offset],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/ledger", { query: { offset, limit: PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Head title="Balance" about="Credit is added by the operator." />
      <Awaited label="the balance" of={together([balance, ledger])} />
      {balance.data && (
        <Facts
          of={[
            ["Balance", <Money key="b" amount={balance.data.creditBalance} />],
            ["Held for requests under way", <Money key="h" amount={balance.data.held} />],
            ["Available", <Money key="a" amount={balance.data.creditBalance - balance.data.held} />],
          ]}
        />
      )}
      <h2>Ledger {ledger.data && <span class="faint">{count(ledger.data.total)} movements</span>}</h2>
      {ledger.data?.total === 0 && (
        <Empty>
          <p>No credit has moved yet.</p>
        </Empty>
      )}
      {ledger.data && ledger.data.results.length > 0 && (
        <MovementTable
          rows={ledger.data.results}
          purpose={({ generationId, id }) =>
            generationId === undefined ? (
              <code>{id}</code>
            ) : (
              <a href={`/console/requests/${encodeURIComponent(generationId)}`}>the request</a>
            )
          }
        />
      )}
      <Pages offset={offset} size={PAGE} total={ledger.data?.total ?? 0} go={(to) => set({ offset: to })} />
    </>
  );
}
