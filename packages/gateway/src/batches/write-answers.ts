import type { Batch, LineCounts, LineOutcome, StoredFile } from "@manifold-gateway/store";
import { keyOf } from "../jobs/keys.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { BatchDeps } from "./deps.ts";
import { formOf } from "./forms/index.ts";

/** The most answers that are read from the database at a time, and their most bytes. */
const PAGE = { most: 100, bytes: 1024 * 1024 };

/** The files of a batch's answers. */
export interface AnswerFiles {
  output?: StoredFile;
  errors?: StoredFile;
}

/**
 * Writes the answers of a batch to files, in the order of its lines. Repeated after a crash, it writes the same files
 * again.
 */
export async function writeAnswers(deps: BatchDeps, batch: Batch, counts: LineCounts): Promise<AnswerFiles> {
  const form = formOf(batch.surface);
  const { waiting: _, sent: _s, ...ended } = counts;
  const all = Object.keys(ended) as LineOutcome[];
  const files: AnswerFiles = {};
  for (const [name, isError] of [
    ["output", false],
    ["errors", true],
  ] as const) {
    const outcomes = all.filter((outcome) => ended[outcome] > 0 && form.isError({ outcome }) === isError);
    if (outcomes.length > 0) files[name] = await writeFile(deps, batch, name, outcomes);
  }
  return files;
}

async function writeFile(
  deps: BatchDeps,
  batch: Batch,
  name: "output" | "errors",
  outcomes: readonly LineOutcome[],
): Promise<StoredFile> {
  const { objects, clock, limits } = deps;
  const { accountId } = batch;
  const now = clock.now();
  const id = `${batch.id.slice(batch.id.indexOf("_") + 1)}-${name}`;
  const key = keyOf.output(accountId, id, batch.createdAt);
  const lines = linesOf(deps, batch, outcomes);
  const { size: bytes } = await objects.put(key, lines, { mediaType: "application/jsonl" });
  const { retention = limits.retention } = batch.terms as unknown as BatchTerms;
  return {
    ...{ id: `file-${id}`, accountId, bytes, key },
    purpose: formOf(batch.surface).purpose,
    name: `${batch.id}_${name}.jsonl`,
    createdAt: now,
    expiresAt: now + retention,
  };
}

async function* linesOf(
  { store }: Pick<BatchDeps, "store">,
  batch: Batch,
  outcomes: readonly LineOutcome[],
): AsyncGenerator<Uint8Array> {
  const form = formOf(batch.surface);
  for (let after = 0; ; ) {
    const page = await store.batchLines.ended(batch.id, { after, outcomes, ...PAGE });
    for (const line of page) yield Buffer.from(`${form.write(line, batch)}\n`);
    const last = page.at(-1);
    if (!last) return;
    after = last.number;
  }
}
