import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { call } from "../api/client.ts";
import { CancelBatch } from "../batches/cancel.tsx";
import { LineErrors } from "../batches/errors.tsx";
import { BatchFiles } from "../batches/files.tsx";
import { Progress } from "../batches/progress.tsx";
import { type AnyBatch, endpointOf, isRunning, requestsOf, stateOf } from "../batches/words.ts";
import { count, usd } from "../format.ts";
import { type Whose, whoseIn } from "../requests/source.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { inZone } from "../state/zone.ts";
import { accountFact } from "../ui/account-name.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { Figures } from "../ui/figures.tsx";
import { KeyName } from "../ui/key-name.tsx";
import { Facts, Head, Id, Status, When } from "../ui/parts.tsx";

const POLL_MS = 1_000;
/** Sums are added up from the records of all lines, which may be many. */
const SUMS_MS = 10_000;

/** One batch: how far it is, what it has cost, its files, and what became of its lines. */
export default function BatchPage() {
  const id = useRoute().params.id ?? "";
  const [params] = useParams();
  const whose = whoseIn(params);
  const found = useQuery({
    queryKey: ["batch", whose, id],
    queryFn: ({ signal }): Promise<AnyBatch> => read(whose, id, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
    // Links to files expire, so each opening asks for new ones.
    staleTime: 0,
  });
  const isCancelling = useSignal(false);
  const isCancellable = found.data && isRunning(found.data) && found.data.cancellingAt === undefined;
  return (
    <>
      <Head
        title="Batch"
        about={<a href={`/console/batches${whose === "all" ? "?of=all" : ""}`}>All batches</a>}
      >
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
        {(batch) => <One of={batch} whose={whose} />}
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

/** A batch of the account, or of any. */
const read = (whose: Whose, id: string, signal: AbortSignal): Promise<AnyBatch> =>
  whose === "all"
    ? call("get", "/api/admin/batches/{batchId}", { path: { batchId: id }, signal })
    : call("get", "/api/compat/v1/batches/{batchId}", { path: { batchId: id }, signal });

function One({ of: batch, whose }: { of: AnyBatch; whose: Whose }) {
  const { id, userId, lines, createdAt, endedAt, error, files } = batch;
  const sums = useQuery({
    queryKey: ["batch", whose, id, "sums", endedAt],
    queryFn: ({ signal }) => {
      const query = { batch: id, from: createdAt, to: endedAt };
      return whose === "all"
        ? call("get", "/api/admin/generations/totals", { query, signal })
        : call("get", "/api/compat/v1/usage/totals", { query, signal });
    },
    placeholderData: keepWhileOnline,
    refetchInterval: isRunning(batch) ? SUMS_MS : false,
  });
  const errors = files?.find(({ use }) => use === (batch.surface === "msgstyle" ? "output" : "errors"));
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
          {
            ...{ name: "Failed", value: count(lines.failed) },
            ...(lines.failed > 0 && { href: requestsOf(batch, { status: "failed,refused" }) }),
          },
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
          ...accountFact(userId),
          ["Key", <KeyName key="k" of={batch.apiKeyId} {...(userId !== undefined && { account: userId })} />],
          [inZone("Begun"), <When key="b" at={createdAt} />],
          [inZone("Ends by"), <When key="e" at={batch.expiresAt} />],
          [inZone("Ended"), endedAt === undefined ? "–" : <When key="d" at={endedAt} />],
          ...Object.entries(batch.metadata ?? {}),
        ]}
      />
      {files && <BatchFiles of={{ ...batch, files }} />}
      {files && errors && lines.failed + lines.dropped > 0 && (
        <LineErrors of={{ ...batch, files }} file={errors.id} />
      )}
    </>
  );
}
