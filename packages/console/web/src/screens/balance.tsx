import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Empty, Facts, Failed, Head, Loading, Money, When } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

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
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/ledger", { query: { offset, limit: PAGE } as never, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Head title="Balance" about="Your operator adds credit." />
      {balance.isError && <Failed error={balance.error} retry={() => void balance.refetch()} />}
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
      {ledger.isPending && <Loading what="the ledger" />}
      {ledger.isError && <Failed error={ledger.error} retry={() => void ledger.refetch()} />}
      {ledger.data?.total === 0 && (
        <Empty>
          <p>No credit has moved yet.</p>
        </Empty>
      )}
      {ledger.data && ledger.data.results.length > 0 && (
        <Table
          caption="Movements of credit"
          rows={ledger.data.results}
          keyOf={({ id }) => id}
          columns={[
            { title: "Time (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Kind", cell: ({ kind }) => kind },
            { title: "Amount", isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
            {
              title: "For",
              cell: ({ generationId, id }) =>
                generationId === undefined ? (
                  <code>{id}</code>
                ) : (
                  <a href={`/console/requests/${encodeURIComponent(generationId)}`}>the request</a>
                ),
            },
          ]}
        />
      )}
      <nav class="pages" aria-label="Pages">
        <button
          type="button"
          disabled={offset === 0}
          onClick={() => set({ offset: offset > PAGE ? String(offset - PAGE) : undefined })}
        >
          Newer
        </button>
        <button
          type="button"
          disabled={offset + PAGE >= (ledger.data?.total ?? 0)}
          onClick={() => set({ offset: String(offset + PAGE) })}
        >
          Older
        </button>
      </nav>
    </>
  );
}
