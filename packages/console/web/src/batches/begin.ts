import { call, refusalOf } from "../api/client.ts";

const FILES = "/api/chatstyle/v1/files";

/** Files take the session as the playground's. */
const SESSION = { credentials: "same-origin", headers: { "x-console": "playground" } } as const;

/** Stores a file of lines; its id. */
async function upload(file: File): Promise<string> {
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", file);
  const response = await fetch(FILES, { ...SESSION, method: "POST", body: form });
  if (!response.ok) throw await refusalOf(response, FILES);
  return ((await response.json()) as { id: string }).id;
}

interface Terms {
  file: File;
  endpoint: string;
  apiKeyId: string;
  window: string;
}

/** Stores a file and begins a batch of it, which a key of the account runs; the batch's id. */
export async function begin({ file, endpoint, apiKeyId, window }: Terms): Promise<string> {
  const input = await upload(file);
  const body = { input_file_id: input, endpoint, completion_window: window, apiKeyId };
  try {
    return (await call("post", "/api/compat/v1/batches", { body })).id;
  } catch (error) {
    // The next try stores it again.
    void fetch(`${FILES}/${encodeURIComponent(input)}`, { ...SESSION, method: "DELETE" }).catch(() => {});
    throw error;
  }
}
