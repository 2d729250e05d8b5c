import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { Refund } from "../accounts/refund.tsx";
import { call } from "../api/client.ts";
import { operator, session } from "../state/session.ts";
import { Copy } from "../ui/parts.tsx";
import { curlOf, playgroundOf } from "./again.ts";
import type { Detail } from "./detail.ts";

/** What can be done with a request: sent again, explained, copied, and by operators given back. */
export function Acts({ of: one }: { of: Detail }) {
  const isRefunding = useSignal(false);
  const curl = curlOf(one, location.origin);
  const playground = session.value === null ? undefined : playgroundOf(one);
  return (
    <div class="acts">
      {playground !== undefined && (
        <a class="button" href={playground}>
          Open in playground
        </a>
      )}
      {session.value !== null && one.modality === "text" && (
        <a class="button" href={`/console/explain?model=${encodeURIComponent(one.model)}&request=${one.id}`}>
          Explain again
        </a>
      )}
      {curl !== undefined && <Copy text={curl} label="Copy curl" />}
      {operator.value !== null && (one.usdCost ?? 0) > 0 && (
        <button
          type="button"
          onClick={() => {
            isRefunding.value = true;
          }}
        >
          Refund
        </button>
      )}
      {isRefunding.value && (
        <RefundOf
          of={one}
          onClose={() => {
            isRefunding.value = false;
          }}
        />
      )}
    </div>
  );
}

function RefundOf({ of: { id, userId }, onClose }: { of: Detail; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ["admin", userId, "account"],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/accounts/{accountId}", { path: { accountId: userId }, signal }),
  });
  return data ? <Refund of={data} generation={id} onClose={onClose} /> : null;
}
