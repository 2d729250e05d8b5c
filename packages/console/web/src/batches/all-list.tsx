import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { inWords, PROTOCOLS } from "../request/words.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { failing } from "../ui/failing.tsx";
import { anyOf, Choice } from "../ui/filters.tsx";
import { owner } from "../ui/owner-column.tsx";
import { OwnerFilters } from "../ui/owner-filters.tsx";
import { Turns } from "../ui/pages.tsx";
import { Empty, Head, ShortId } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { openRangeIn } from "../usage/time.ts";
import { begun, endpoint, endsBy, lines, state } from "./columns.tsx";
import { isRunning, STATES } from "./words.ts";

const PAGE = 50;
const POLL_MS = 2_000;
const FILTERS = ["account", "key", "status", "surface"] as const;
const SURFACES = ["chatstyle", "msgstyle"];

/** The batches of all accounts, newest first; the list renews itself while one of them runs. */
export default function AllBatches() {
  const [params, set] = useParams();
  const range = openRangeIn(params);
  const chosen = { ...filtersOf<"/api/admin/batches">(params, FILTERS), ...range };
  const query = { ...chosen, limit: PAGE, before: params.before };
  const list = useQuery({
    queryKey: ["admin", "batches", query],
    queryFn: ({ signal }) => call("get", "/api/admin/batches", { query, signal }),
    placeholderData: keepWhileOnline,
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ? POLL_MS : false),
  });
  const narrow = (change: Record<string, string | undefined>): void => set({ ...change, before: undefined });
  const rows = list.data?.results ?? [];
  const isChosen = Object.keys(chosen).length > 0;
  return (
    <>
      <Head title="Batches" about="Of all accounts.">
        <WhoseChoice value="all" onChange={(of) => narrow({ of, account: undefined })} />
      </Head>
      <search class="filters">
        <OwnerFilters params={params} set={narrow} />
        <Choice
          name="State"
          value={params.status}
          of={anyOf(Object.keys(STATES), (status) => inWords(STATES, status))}
          onChange={(status) => narrow({ status })}
        />
        <Choice
          name="Surface"
          value={params.surface}
          of={anyOf(SURFACES, (surface) => inWords(PROTOCOLS, surface))}
          onChange={(surface) => narrow({ surface })}
        />
        <RangeFilter params={params} shown={range} open="all time" set={narrow} />
      </search>
      <Awaited label="batches" rows={10} of={list} />
      {list.data && rows.length === 0 && (
        <Empty title={isChosen ? "No batch matches these filters" : "No batches yet"} icon="batches">
          {isChosen ? (
            <a class="button" href="/console/batches?of=all">
              Show all
            </a>
          ) : (
            <p>Accounts begin them by a key, or on their own page of batches.</p>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Batches"
          isMain
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            begun,
            state,
            owner,
            lines,
            endpoint,
            { title: "Key", drops: 1, cell: ({ apiKeyId }) => <ShortId of={apiKeyId} /> },
            endsBy,
            failing,
          ]}
        />
      )}
      <Turns
        isFirst={params.before === undefined}
        hasMore={Boolean(list.data?.next)}
        toFirst={() => set({ before: undefined })}
        toNext={() => set({ before: list.data?.next })}
      />
    </>
  );
}
