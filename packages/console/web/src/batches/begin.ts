import { ApiError, call, refusalOf } from "../api/client.ts";
import { isRefused } from "../api/once.ts";
import { reach, toIncoming } from "../api/reach.ts";

const FILES = "/api/chatstyle/v1/files";

/** Files take the session as the playground's. */
const SESSION = { credentials: "same-origin", headers: { "x-console": "playground" } } as const;

/** Stores a file of lines; its id. */
async function upload(file: File): Promise<string> {
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", file);
  const response = await reach(FILES, { ...SESSION, method: "POST", body: form });
  if (!response.ok) throw await refusalOf(response, FILES);
  return ((await toIncoming(response).json()) as { id: string }).id;
}

interface Terms {
  file: File;
  endpoint: string;
  apiKeyId: string;
  window: string;
}

interface Stored {
  id: string;
  /** An answer was lost: a batch of the file may have begun. */
  isOpen: boolean;
}

/** Chosen files that are stored. */
const inputs = new WeakMap<File, Stored>();

/**
 * Stores a file and begins a batch of it, which a key of the account runs; the batch's id. If the answer is lost, the
 * same file may be given again: it begins one batch, however often that is.
 */
export async function begin({ file, endpoint, apiKeyId, window }: Terms): Promise<string> {
  const input = inputs.get(file) ?? { id: await upload(file), isOpen: false };
  inputs.set(file, input);
  const body = { input_file_id: input.id, endpoint, completion_window: window, apiKeyId };
  try {
    return (await call("post", "/api/compat/v1/batches", { body, idempotencyKey: input.id })).id;
  } catch (error) {
    if (error instanceof ApiError && error.code === "idempotency_key_reused")
      throw new Error(
        "A batch of this file has begun, with other settings. To begin another, choose the file again.",
      );
    if (!isRefused(error)) input.isOpen = true;
    else if (!input.isOpen) {
      inputs.delete(file);
      void reach(`${FILES}/${encodeURIComponent(input.id)}`, { ...SESSION, method: "DELETE" }).catch(
        () => {},
      );
    }
    throw error;
  }
}
