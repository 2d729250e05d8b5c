import { useSignal } from "@preact/signals";
import { Failed } from "../ui/parts.tsx";
import { lastChange } from "./calls.ts";

/** What was changed last, and the way back. */
export function LastChange() {
  const fault = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const change = lastChange.value;
  if (!change) return null;
  const back = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    fault.value = undefined;
    await change.undo().catch((error: unknown) => {
      fault.value = error;
    });
    isBusy.value = false;
  };
  return (
    <div class="strip made" role="status">
      <p>
        <b>{change.says}</b> All processes follow within a second.
      </p>
      <div class="acts">
        <button type="button" aria-disabled={isBusy.value} onClick={() => void back()}>
          Undo
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            lastChange.value = undefined;
          }}
        >
          Hide
        </button>
      </div>
      {fault.value !== undefined && <Failed error={fault.value} />}
    </div>
  );
}
