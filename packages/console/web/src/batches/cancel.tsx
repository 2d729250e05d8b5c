import { call } from "../api/client.ts";
import { counted } from "../format.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { AnyBatch } from "./words.ts";

interface CancelBatchProps {
  of: AnyBatch;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a batch is cancelled, and says what is kept and what is charged. */
export function CancelBatch({ of: { id, lines, userId }, onDone, onClose }: CancelBatchProps) {
  const cancel = async (): Promise<void> => {
    const path = { batchId: id };
    // Only operators know whose batch it is.
    if (userId === undefined) await call("delete", "/api/compat/v1/batches/{batchId}", { path });
    else await call("delete", "/api/admin/batches/{batchId}", { path });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Cancel this batch"
      act="Cancel the batch"
      dismiss="Let it run"
      isDanger
      onSubmit={cancel}
      onClose={onClose}
    >
      <ul>
        <li>
          {counted(lines.waiting, "line that waits", "lines that wait")} will not be run, and cost nothing.
        </li>
        <li>
          {counted(lines.running, "line that runs", "lines that run")} now come to their end, or are cancelled
          at a provider that runs them as a batch. What is answered until then is charged.
        </li>
        <li>
          {counted(lines.succeeded, "answer")} so far stay charged, and are kept: they can be downloaded once
          the batch has ended.
        </li>
      </ul>
    </FormDialog>
  );
}
