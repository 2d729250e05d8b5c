import { useSignal } from "@preact/signals";
import { call } from "../api/client.ts";
import { wordsOf } from "../api/refusal.ts";
import type { ListedJob } from "../jobs/words.ts";

/** Cancels a job in a list. One that its provider has begun goes on until that agrees; a refusal stands beside the button. */
export function CancelJob({ of: { id, kind, userId }, onDone }: { of: ListedJob; onDone: () => void }) {
  const fault = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isRequested = useSignal(false);
  const cancel = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const path = { generationId: id };
      // Only operators know whose job it is.
      if (userId === undefined) await call("delete", "/api/compat/v1/jobs/{generationId}", { path });
      else await call("delete", "/api/admin/jobs/{generationId}", { path });
      isRequested.value = true;
      onDone();
    } catch (error) {
      fault.value = wordsOf(error);
    }
    isBusy.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={`Cancel the ${kind} ${id}`}
        aria-disabled={isBusy.value}
        onClick={cancel}
      >
        Cancel
      </button>
      {isRequested.value && (
        <span class="faint" role="status">
          The provider is asked, and decides.
        </span>
      )}
      {fault.value !== undefined && (
        <span class="wrong short" role="alert" title={fault.value}>
          {isRequested.value && (
            <span class="faint" role="status">
              The provider is asked, and decides.
            </span>
          )}
          {fault.value}
        </span>
      )}
    </>
  );
}
