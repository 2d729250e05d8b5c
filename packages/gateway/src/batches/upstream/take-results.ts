import type { LineUpstream, UpstreamBatch } from "@manifold-gateway/store";
import { LineSplitter } from "../jsonl.ts";
import type { LineContext } from "../run-line.ts";
import { fileOf } from "./calls.ts";
import { deliver, deliveryServices } from "./deliver.ts";
import type { UpstreamTarget } from "./terms.ts";
import type { RemoteBatch, RemoteResult } from "./wires/index.ts";

/** The results that are delivered at the same time. */
const AT_ONCE = 16;
/** The size limit of one result in bytes. After a larger one, the rest of the file is not read. */
const LONGEST = 64 * 1024 * 1024;
const MISSING = JSON.stringify({
  code: "provider_failed",
  message: "The provider's batch has no result for this request. Nothing was charged.",
});

/**
 * Delivers the results of an upstream batch to its lines as they arrive. Results for ended or unknown lines are
 * skipped, so a line ends once, whatever a provider sends. False if not all could be taken, for example when the worker
 * stops; they are taken again later.
 */
export async function takeResults(
  context: LineContext,
  upstream: UpstreamBatch,
  target: UpstreamTarget,
  remote: RemoteBatch,
): Promise<boolean> {
  const { deps, ref, stops } = context;
  const { store, log } = deps;
  const lines = new Map<string, LineUpstream>();
  /** The lines that were answered by an earlier reading of the results. */
  const ended = new Set<string>();
  for (const line of await store.batchLines.sentWith(upstream.id)) {
    if (line.isEnded) ended.add(String(line.number));
    else lines.set(String(line.number), line);
  }
  const services = deliveryServices(deps, upstream);
  let unknown = 0;
  let isWhole = true;
  let page: Promise<void>[] = [];
  const one = async ({ name, answer }: RemoteResult, line: LineUpstream): Promise<void> => {
    lines.delete(name);
    // The provider did not run the line, which waits again once the batch has ended.
    if (!answer) return;
    const run = await deliver(context, { upstream, target, services, line, answer });
    if (run.result === "lost" || run.result === "wait") isWhole = false;
  };
  try {
    for await (const text of resultsOf(context, target, remote)) {
      if (stops()) isWhole = false;
      if (!isWhole) break;
      const result = target.wire.resultOf(text);
      const line = result && lines.get(result.name);
      if (line) page.push(one(result, line));
      else if (!result || !ended.delete(result.name)) unknown += 1;
      if (page.length < AT_ONCE) continue;
      await Promise.all(page);
      page = [];
    }
    await Promise.all(page);
  } finally {
    // Deliveries that have begun are awaited before anything else happens to the lines.
    await Promise.allSettled(page);
  }
  if (unknown > 0)
    log.warn({ batch: ref.id, upstream: upstream.id, unknown }, "provider's batch has results of no line");
  if (!isWhole || stops()) return false;
  // If the batch ended early, lines without a result were not run, and wait again.
  if (remote.isComplete && lines.size > 0) {
    log.error({ batch: ref.id, upstream: upstream.id, lines: lines.size }, "provider's batch lacks results");
    const { accountId } = context.batch;
    for (const { number, generation } of lines.values()) {
      const line = { batch: ref.id, number, generation, accountId };
      if (await store.batchLines.giveBack(ref, line, {}))
        await store.batchLines.refuse(ref, { number, answer: MISSING });
    }
  }
  return true;
}

async function* resultsOf(
  { deps }: LineContext,
  target: UpstreamTarget,
  { results }: RemoteBatch,
): AsyncGenerator<string> {
  for (const path of results) {
    const splitter = new LineSplitter();
    for await (const piece of fileOf(deps, target, { method: "GET", path })) {
      for (const { bytes } of splitter.push(piece)) yield bytes.toString();
      if (splitter.pending > LONGEST) throw new Error("a result of a provider's batch is too long");
    }
    for (const { bytes } of splitter.end()) yield bytes.toString();
  }
}
