import type { Objects, StoredFile } from "@manifold-gateway/store";
import { quote, Refusal } from "../http/refusal.ts";
import { keyOf } from "../jobs/keys.ts";
import { mediaOf } from "../media/media.ts";
import type { Context } from "../ports/context.ts";
import { batchesOf } from "./services.ts";

/** What a file is for, its name, and the milliseconds for which it is kept. */
export type NewFile = Pick<StoredFile, "purpose" | "name"> & { retention?: number | undefined };

/**
 * Stores a file. Throws a 403 if the account's files are too many bytes, and whatever the source of its bytes throws.
 */
export async function keepFile(
  { services, caller }: Context<"batches" | "id" | "media" | "now" | "store">,
  source: Parameters<Objects["put"]>[1],
  { purpose, name, retention }: NewFile,
): Promise<StoredFile> {
  const { limits } = batchesOf(services);
  const { objects } = mediaOf(services);
  const { accountId } = caller;
  const id = services.id();
  const createdAt = services.now();
  const key = keyOf.output(accountId, id, createdAt);
  // Stores the contents before the record: contents without a record are removed after a day.
  const { size: bytes } = await objects.put(key, source, { mediaType: "application/jsonl" });
  const file: StoredFile = {
    ...{ id: `file-${id}`, accountId, purpose, name, bytes, key, createdAt },
    expiresAt: createdAt + (retention ?? limits.retention),
  };
  if (await services.store.files.add(file, limits.accountFiles)) return file;
  await objects.remove(key);
  throw new Refusal(
    "file_limit_reached",
    `file: with ${quote(name)}, the files of the account would have more than ${limits.accountFiles} bytes; remove some.`,
    { param: "file" },
  );
}

/** Removes a file. Throws a 409 if a running batch reads it. */
export async function dropFile(
  { services }: Pick<Context<"media" | "store">, "services">,
  { id, accountId, key }: StoredFile,
): Promise<void> {
  const removed = await services.store.files.remove({ id, accountId });
  if (removed === "in use")
    throw new Refusal(
      "file_in_use",
      `A running batch reads the file ${quote(id)}: cancel it, or wait for its end.`,
    );
  await mediaOf(services).objects.remove(key);
}
