import type { Batch, NewLine } from "@manifold-gateway/store";
import type { BatchDeps } from "./deps.ts";
import { faultIn, requestIdOf } from "./forms/form.ts";
import { LineSplitter } from "./jsonl.ts";
import { readLine } from "./read-line.ts";
import type { WorkContext } from "./work-context.ts";

/** The number of lines that are written to the database at a time. */
const PAGE = 200;

/**
 * Reads the lines of a batch from its file into the database. It can be repeated from the beginning, because lines that
 * were stored before do not change. Resolves to the number of lines; undefined if the lease is lost or the worker
 * stops.
 */
export async function readLines(
  { deps, ref, stops }: WorkContext,
  batch: Batch,
  file: string,
): Promise<number | undefined> {
  const { store, objects } = deps;
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
    if (stops() || !(await store.batchLines.add(ref, lines))) return false;
    for (const line of lines) noteFault(deps, batch, line);
    return true;
  };
  for await (const piece of found.stream)
    for (const line of splitter.push(piece)) {
      page.push(readLine(line, batch, earlier));
      if (page.length === PAGE && !(await flush())) return undefined;
    }
  for (const line of splitter.end()) page.push(readLine(line, batch, earlier));
  return (await flush()) ? total : undefined;
}

/**
 * Lists a wrong line among the refused requests, as one that the service refuses when it is run. Lines that are read
 * again after a crash are listed again.
 */
function noteFault(
  { store, clock }: Pick<BatchDeps, "clock" | "store">,
  batch: Batch,
  { number, answer }: NewLine,
): void {
  if (answer === undefined) return;
  const { code, message: sentence } = faultIn({ answer });
  const { accountId, keyId, surface } = batch;
  const request = requestIdOf(batch, number);
  store.refusals.note({ accountId, keyId, surface, request, code, sentence, status: 400, at: clock.now() });
}
