import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { call } from "../api/client.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { failing } from "../ui/failing.tsx";
import { Turns } from "../ui/pages.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { CancelBatch } from "./cancel.tsx";
import { begun, endpoint, endsBy, lines, state } from "./columns.tsx";
import { NewBatch } from "./new-batch.tsx";
import { isRunning, type ListedBatch, pageOf } from "./words.ts";

const PAGE = 50;
const POLL_MS = 2_000;

/** The batches of the account, newest first; the list renews itself while one of them runs. */
export default function AccountBatches() {
  const [params, set] = useParams();
  const { route } = useLocation();
  const cancelled = useSignal<ListedBatch | undefined>(undefined);
  const query = { limit: PAGE, after: params.after };
  const list = useQuery({
    queryKey: ["batches", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/batches", { query, signal }),
    placeholderData: keepWhileOnline,
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ? POLL_MS : false),
  });
  const rows = list.data?.results ?? [];
  const begin = (
    <button type="button" class="main" onClick={() => set({ new: "batch" })}>
      Begin a batch
    </button>
  );
  return (
    <>
      <Head
        title="Batches"
        about="Many requests in one file, which are run without anybody waiting for them."
      >
        <WhoseChoice value="account" onChange={(of) => set({ of, after: undefined })} />
        {rows.length > 0 && begin}
      </Head>
      <Awaited label="batches" rows={10} of={list} />
      {list.data && rows.length === 0 && (
        <Empty title={params.after === undefined ? "No batches yet" : "No further batches"} icon="batches">
          <p>A file of requests is run line by line by one of your keys, and its answers come as a file.</p>
          {begin}
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
            lines,
            endpoint,
            endsBy,
            failing,
            {
              title: "Actions",
              card: "line",
              cell: (one) =>
                isRunning(one) &&
                one.cancellingAt === undefined && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Cancel the batch ${one.id}`}
                    onClick={() => {
                      cancelled.value = one;
                    }}
                  >
                    Cancel
                  </button>
                ),
            },
          ]}
        />
      )}
      <Turns
        isFirst={params.after === undefined}
        hasMore={list.data?.hasMore === true}
        toFirst={() => set({ after: undefined })}
        toNext={() => set({ after: rows.at(-1)?.id })}
      />
      {params.new === "batch" && (
        <NewBatch onBegun={(id) => route(pageOf(id))} onClose={() => set({ new: undefined })} />
      )}
      {cancelled.value && (
        <CancelBatch
          of={cancelled.value}
          onDone={() => void list.refetch()}
          onClose={() => {
            cancelled.value = undefined;
          }}
        />
      )}
    </>
  );
}
