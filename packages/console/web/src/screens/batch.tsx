import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { call } from "../api/client.ts";
import { CancelBatch } from "../batches/cancel.tsx";
import { LineErrors } from "../batches/errors.tsx";
import { BatchFiles } from "../batches/files.tsx";
import { Progress } from "../batches/progress.tsx";
import { type Batch, endpointOf, isRunning, requestsOf, stateOf } from "../batches/words.ts";
import { count, usd } from "../format.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Figures } from "../ui/figures.tsx";
import { KeyName } from "../ui/key-name.tsx";
import { Facts, Head, Id, Status, When } from "../ui/parts.tsx";

const POLL_MS = 1_000;
/** Sums are added up from the records of all lines, which may be many. */
const SUMS_MS = 10_000;
const PATH = "/api/compat/v1/batches/{batchId}";

/** One batch: how far it is, what it has cost, its files, and what became of its lines. */
export default function BatchPage() {
  const id = useRoute().params.id ?? "";
  const found = useQuery({
    queryKey: ["batch", id],
    queryFn: ({ signal }) => call("get", PATH, { path: { batchId: id }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
    // Links to files expire, so each opening asks for new ones.
    staleTime: 0,
  });
  const isCancelling = useSignal(false);
  const isCancellable = found.data && isRunning(found.data) && found.data.cancellingAt === undefined;
  return (
    <>
      <Head title="Batch" about={<a href="/console/batches">All batches</a>}>
        {isCancellable && (
          <button
            type="button"
            onClick={() => {
              isCancelling.value = true;
            }}
          >
            Cancel
          </button>
        )}
        {found.data && (
          <a class="button" href={requestsOf(found.data)}>
            Its requests
          </a>
        )}
      </Head>
      <Awaited label="the batch" rows={8} of={found}>
        {(batch) => <One of={batch} />}
      </Awaited>
      {isCancelling.value && found.data && (
        <CancelBatch
          of={found.data}
          onDone={() => void found.refetch()}
          onClose={() => {
            isCancelling.value = false;
          }}
        />
      )}
    </>
  );
}

function One({ of: batch }: { of: Batch }) {
  const { id, lines, createdAt, endedAt, error } = batch;
  const sums = useQuery({
    queryKey: ["batch", id, "sums", endedAt],
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage/totals", {
        query: { batch: id, from: createdAt, to: endedAt },
        signal,
      }),
    placeholderData: keepWhileOnline,
    refetchInterval: isRunning(batch) ? SUMS_MS : false,
  });
  const errors = batch.files.find(({ use }) => use === (batch.surface === "msgstyle" ? "output" : "errors"));
  return (
    <>
      <p role="status">
        <Status of={stateOf(batch)} /> <Progress of={batch} />
      </p>
      {error && (
        <p class="wrong" role="alert">
          {error.message}
        </p>
      )}
      <Figures
        of={[
          { name: "Answered", value: count(lines.succeeded), note: `of ${count(lines.total)}` },
          { name: "Failed", value: count(lines.failed) },
          {
            ...{ name: isRunning(batch) ? "Under way" : "Not run", href: requestsOf(batch) },
            ...(isRunning(batch)
              ? { value: count(lines.running), note: `${count(lines.waiting)} wait` }
              : { value: count(lines.dropped) }),
          },
          {
            ...{ name: isRunning(batch) ? "Cost so far" : "Cost", href: requestsOf(batch) },
            value: sums.data ? usd(sums.data.usdCost) : "–",
          },
        ]}
      />
      <Facts
        of={[
          ["Batch", <Id key="i" of={id} />],
          ["Requests to", endpointOf(batch)],
          ["Key", <KeyName key="k" of={batch.apiKeyId} />],
          ["Begun", <When key="b" at={createdAt} />],
          ["Ends by", <When key="e" at={batch.expiresAt} />],
          ["Ended", endedAt === undefined ? "–" : <When key="d" at={endedAt} />],
          ...Object.entries(batch.metadata ?? {}),
        ]}
      />
      <BatchFiles of={batch} />
      {errors && lines.failed + lines.dropped > 0 && <LineErrors of={batch} file={errors.id} />}
    </>
  );
}
