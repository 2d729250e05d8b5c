import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { call } from "../api/client.ts";
import { duration, usd } from "../format.ts";
import { follow } from "../live/follow.ts";
import { Status, When } from "../ui/parts.tsx";

/** How often it is looked for the first call where another process serves it, in ms. */
const LOOK_MS = 5_000;
/** The least time between two looks: a busy account has many requests that are of other keys. */
const PAUSE_MS = 1_000;

/** Waits for the first request of a key, or of the account, and shows it once it is there. */
export default function FirstCall({ keyId }: { keyId?: string | undefined }) {
  const queries = useQueryClient();
  const queryKey = ["requests", "first", keyId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage", {
        query: { key: keyId, limit: 1, after: "0", request: "false" },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.results.length === 0 ? LOOK_MS : false),
  });
  const isWaiting = data?.results.length === 0;
  useEffect(() => {
    if (!isWaiting) return;
    const look = (): void => void queries.invalidateQueries({ queryKey });
    let due: ReturnType<typeof setTimeout> | undefined;
    const leave = follow("account", ({ type }) => {
      // What came between the list and the stream would be missed.
      if (type === "open") look();
      if (type !== "settled") return;
      due ??= setTimeout(() => {
        due = undefined;
        look();
      }, PAUSE_MS);
    });
    return () => {
      leave();
      clearTimeout(due);
    };
  }, [isWaiting, keyId]);
  const [first] = data?.results ?? [];
  const isReceived = first !== undefined;
  useEffect(() => {
    // The lists of keys say when each was used.
    if (isReceived) void queries.invalidateQueries({ queryKey: ["keys"] });
  }, [isReceived]);
  if (!data) return null;
  return (
    <p class={first ? "strip good" : "strip"} role="status">
      {first ? (
        <>
          <Status of={first.status} />{" "}
          <a href={`/console/requests/${encodeURIComponent(first.id)}`}>{first.model}</a>{" "}
          <When at={first.createdAt} /> in {duration(first.durationMs)} for {usd(first.usdCost ?? 0)}
        </>
      ) : (
        <>Waiting for the first call …</>
      )}
    </p>
  );
}
