import type { UpstreamBatch } from "@manifold-gateway/store";
import { faultName } from "../../http/fault.ts";
import type { WorkContext } from "../work-context.ts";
import { CallRefused, callWire } from "./calls.ts";
import { searchBatch, searchFile } from "./search.ts";
import { storedTerms, targetOf, type UpstreamTarget } from "./terms.ts";
import type { RemoteBatch } from "./wires/index.ts";

/**
 * Removes what providers keep of a batch's upstream batches, because it contains the texts of its lines, whose answers
 * are stored here by now. Resolves to the milliseconds until the next try; undefined if nothing is left, or after the
 * last try.
 */
export async function removeUpstream(
  { deps, ref, stops }: WorkContext,
  endedAt: number,
): Promise<number | undefined> {
  const { store, log, clock, limits } = deps;
  const { removal, poll } = limits.upstream;
  const left = endedAt + removal - clock.now();
  let isDone = true;
  for (const upstream of await store.upstreamBatches.all(ref.id)) {
    if (stops()) return 0;
    const why = await tryRemoval(deps, upstream);
    if (why !== undefined && left > 0) {
      isDone = false;
      continue;
    }
    if (why !== undefined) {
      const fields = { batch: ref.id, upstream: upstream.id, remote: upstream.remoteId };
      log.warn({ ...fields, why }, "provider's batch not removed");
    }
    await store.upstreamBatches.forget(upstream.id);
  }
  // Each pause is as long as the time so far, which keeps the tries few.
  return isDone ? undefined : Math.min(left, Math.max(poll.initial, removal - left));
}

type Deps = WorkContext["deps"];

/** Tries once to remove an upstream batch. Resolves to the reason why some of it is left; undefined if nothing is. */
async function tryRemoval(deps: Deps, upstream: UpstreamBatch): Promise<string | undefined> {
  const target = targetOf(deps, storedTerms(upstream));
  if (!target) return "the provider, or its credential, is not configured";
  try {
    return await removeAll(deps, target, upstream);
  } catch (error) {
    return error instanceof CallRefused ? `refused with ${error.status}` : faultName(error);
  }
}

async function removeAll(
  deps: Deps,
  target: UpstreamTarget,
  upstream: UpstreamBatch,
): Promise<string | undefined> {
  const { wire } = target;
  const remote = await remoteOf(deps, target, upstream);
  if (remote && !remote.isOver) {
    // It was given up and may still run: it would write further results.
    await callWire(deps, target, wire.cancel(remote.id));
    return "the batch still runs";
  }
  const input = remote ? undefined : await searchFile(deps, target, upstream);
  for (const call of wire.removals(remote ?? { files: input ? [input.id] : [] })) {
    const { status } = await callWire(deps, target, call);
    if (status >= 300 && status !== 404) throw new CallRefused(status);
  }
  return undefined;
}

/** The upstream batch as its provider reports it; undefined if the provider does not have it. */
async function remoteOf(
  deps: Deps,
  target: UpstreamTarget,
  { id, remoteId }: UpstreamBatch,
): Promise<RemoteBatch | undefined> {
  const { wire } = target;
  if (remoteId === undefined) return searchBatch(deps, target, id);
  const { status, value } = await callWire(deps, target, wire.read(remoteId));
  if (status === 404) return undefined;
  const remote = status === 200 ? wire.batchOf(value) : undefined;
  if (!remote) throw new CallRefused(status);
  return remote;
}
