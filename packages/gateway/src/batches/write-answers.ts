import type { Batch, LineCounts, StoredFile } from "@manifold-gateway/store";
import { keyOf } from "../jobs/keys.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { BatchDeps } from "./deps.ts";
import { type BatchForm, formOf } from "./forms/index.ts";

/** The lines that are read from the database at a time. */
const PAGE = 100;

/** The files of a batch's answers. */
export interface AnswerFiles {
  output?: StoredFile;
  errors?: StoredFile;
}

/**
 * Writes the answers of a batch to files, in the order of its lines. A batch whose worker died meanwhile gets the same
 * files once more.
 */
export async function writeAnswers(deps: BatchDeps, batch: Batch, counts: LineCounts): Promise<AnswerFiles> {
  const form = formOf(batch.surface);
  const { waiting: _, sent: _s, ...ended } = counts;
  const files: AnswerFiles = {};
  for (const [name, isError] of [
    ["output", false],
    ["errors", true],
  ] as const) {
    const has = Object.entries(ended).some(
      ([outcome, count]) => count > 0 && form.isError({ outcome: outcome as keyof typeof ended }) === isError,
    );
    if (has) files[name] = await writeFile(deps, batch, form, name);
  }
  return files;
}

async function writeFile(
  deps: BatchDeps,
  batch: Batch,
  form: BatchForm,
  name: "output" | "errors",
): Promise<StoredFile> {
  const { objects, clock, limits } = deps;
  const { accountId } = batch;
  const now = clock.now();
  const id = `${batch.id.slice(batch.id.indexOf("_") + 1)}-${name}`;
  const key = keyOf.output(accountId, id, batch.createdAt);
  const lines = linesOf(deps, batch, form, name === "errors");
  const { size: bytes } = await objects.put(key, lines, { mediaType: "application/jsonl" });
  const { retention = limits.retention } = batch.terms as unknown as BatchTerms;
  return {
    ...{ id: `file-${id}`, accountId, bytes, key },
    purpose: form.purpose,
    name: `${batch.id}_${name}.jsonl`,
    createdAt: now,
    expiresAt: now + retention,
  };
}

async function* linesOf(
  { store }: Pick<BatchDeps, "store">,
  batch: Batch,
  form: BatchForm,
  isError: boolean,
): AsyncGenerator<Uint8Array> {
  for (let after = 0; ; ) {
    const page = await store.batchLines.ended(batch.id, { after, most: PAGE });
    const chosen = page.filter((line) => form.isError(line) === isError);
    if (chosen.length > 0) yield Buffer.from(chosen.map((line) => `${form.write(line, batch)}\n`).join(""));
    after = page.at(-1)?.number ?? after;
    if (page.length < PAGE) return;
  }
}
