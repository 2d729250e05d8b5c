import type { Batch, BatchRef, NewLine } from "@manifold-gateway/store";
import type { BatchDeps } from "./deps.ts";
import { LineSplitter } from "./jsonl.ts";
import { readLine } from "./read-line.ts";

/** The lines that are written to the database at a time. */
const PAGE = 200;

/**
 * Reads the lines of a batch from its file. What was read before stays as it is, so it may be begun anew at any time.
 * Resolves to their number; undefined if the lease is lost or the worker stops.
 */
export async function readLines(
  { store, objects }: Pick<BatchDeps, "store" | "objects">,
  batch: Batch,
  ref: BatchRef,
  { file, stops }: { file: string; stops(): boolean },
): Promise<number | undefined> {
  const found = await objects.get(file);
  if (!found) throw new Error(`the file of batch "${batch.id}" is gone`);
  const splitter = new LineSplitter();
  const earlier = new Set<string>();
  let page: NewLine[] = [];
  let total = 0;
  const flush = async (): Promise<boolean> => {
    const lines = page;
    page = [];
    total += lines.length;
    return !stops() && (await store.batchLines.add(ref, lines));
  };
  for await (const piece of found.stream)
    for (const line of splitter.push(piece)) {
      page.push(readLine(line, batch, earlier));
      if (page.length === PAGE && !(await flush())) return undefined;
    }
  for (const line of splitter.end()) page.push(readLine(line, batch, earlier));
  return (await flush()) ? total : undefined;
}
