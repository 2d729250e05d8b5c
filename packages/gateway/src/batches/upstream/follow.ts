import type { UpstreamBatch } from "@manifold-gateway/store";
import { logFailure } from "../../http/fault.ts";
import { retryWrite } from "../retry-write.ts";
import type { WorkContext } from "../work-context.ts";
import { CallRefused, callWire } from "./calls.ts";
import { searchBatch } from "./search.ts";
import { storedTerms, targetOf, type UpstreamTarget } from "./terms.ts";
import { type RemoteBatch, upstreamWires } from "./wires/index.ts";

/** Takes the results of an ended upstream batch. False if it could not take all of them. */
type TakeResults = (upstream: UpstreamBatch, target: UpstreamTarget, remote: RemoteBatch) => Promise<boolean>;

/**
 * Follows the upstream batches of a batch: takes the results of those that have ended, cancels them if the batch
 * `isOver`, searches for those that the provider may or may not have, and gives up those that should have ended long
 * ago. Once one has ended, its lines without an answer wait again. Resolves to the milliseconds until it is to be
 * called again; undefined if no upstream batch is running.
 */
export async function follow(
  context: WorkContext,
  isOver: () => boolean,
  take: TakeResults,
): Promise<number | undefined> {
  const { deps, ref, stops } = context;
  const { store, log, clock, limits } = deps;
  let next: number | undefined;
  for (const upstream of await store.upstreamBatches.live(ref.id)) {
    if (stops()) return limits.upstream.poll.initial;
    let hasEnded = false;
    try {
      hasEnded = await look(context, upstream, isOver(), take);
    } catch (error) {
      const fields = { batch: ref.id, upstream: upstream.id, remote: upstream.remoteId };
      if (error instanceof CallRefused)
        log.warn({ ...fields, status: error.status }, "provider's batch not read");
      else logFailure(log, error, fields, "provider's batch not read");
    }
    if (hasEnded) continue;
    const { initial, max } = limits.upstream.poll;
    // Pauses grow with the age: an eighth of it delays the results by little in proportion.
    const pause = Math.min(max, Math.max(initial, Math.round((clock.now() - upstream.createdAt) / 8)));
    next = Math.min(next ?? pause, pause);
  }
  return next;
}

/** Follows one upstream batch. Resolves to whether it has ended. */
async function look(
  context: WorkContext,
  upstream: UpstreamBatch,
  isOver: boolean,
  take: TakeResults,
): Promise<boolean> {
  const { deps, ref } = context;
  const { store, clock, limits, log } = deps;
  const { id, createdAt } = upstream;
  const fields = { batch: ref.id, upstream: id, remote: upstream.remoteId };
  const age = clock.now() - createdAt;
  const terms = storedTerms(upstream);
  const target = targetOf(deps, terms);
  const end = async (outcome: string): Promise<boolean> =>
    store.upstreamBatches.change(ref, id, { endedAt: clock.now(), outcome });
  const giveUp = async (why: string, outcome: string): Promise<boolean> => {
    log.error({ ...fields, why }, "provider's batch given up, its lines are run one by one");
    await stopRemote(deps, upstream);
    return end(outcome);
  };
  if (age > (upstreamWires[terms.protocol]?.duration ?? 0) + limits.upstream.grace)
    return giveUp("it did not end in time", "overdue");
  if (!target) {
    log.warn(fields, "provider of a batch, or its credential, is not configured");
    return false;
  }
  const remoteId = upstream.remoteId ?? (await find(context, target, upstream));
  if (remoteId === undefined)
    // A provider lists a new batch within a short time, if it received it.
    return age < limits.upstream.lost && target.wire.list
      ? false
      : giveUp(
          target.wire.list
            ? "the provider does not list it"
            : "it may run, but cannot be asked for without its id",
          "lost",
        );
  if (isOver && upstream.cancellingAt === undefined) {
    const { status } = await callWire(deps, target, target.wire.cancel(remoteId));
    // Any other status means that the batch has already ended, or that the cancellation is to be repeated.
    if (status < 300) await store.upstreamBatches.change(ref, id, { cancellingAt: clock.now() });
  }
  const { status, value } = await callWire(deps, target, target.wire.read(remoteId));
  if (status === 404) return giveUp("the provider has it no more", "gone");
  const remote = status === 200 ? target.wire.batchOf(value) : undefined;
  if (!remote) throw new CallRefused(status);
  if (!remote.isOver) return false;
  if (remote.fault !== undefined)
    log.warn({ ...fields, state: remote.state, fault: remote.fault }, "provider's batch failed");
  return (await take({ ...upstream, remoteId }, target, remote)) && end(remote.state);
}

/** Gives up all upstream batches of a batch whose lines can no longer take results. */
export async function abandon({ deps, ref }: WorkContext): Promise<void> {
  const { store, log, clock } = deps;
  for (const upstream of await store.upstreamBatches.live(ref.id)) {
    const { id, remoteId: remote } = upstream;
    log.error(
      { batch: ref.id, upstream: id, remote },
      "provider's batch given up, the file of its lines is gone",
    );
    await stopRemote(deps, upstream);
    await store.upstreamBatches.change(ref, id, { endedAt: clock.now(), outcome: "abandoned" });
  }
}

/**
 * Asks a provider to cancel an upstream batch that is given up. If the provider does not answer, the batch ends there
 * by itself.
 */
async function stopRemote(deps: WorkContext["deps"], upstream: UpstreamBatch): Promise<void> {
  const target = targetOf(deps, storedTerms(upstream));
  const { remoteId } = upstream;
  if (!target || remoteId === undefined) return;
  await callWire(deps, target, target.wire.cancel(remoteId)).catch((error: unknown) =>
    logFailure(
      deps.log,
      error,
      { upstream: upstream.id, remote: remoteId },
      "provider's batch not cancelled",
    ),
  );
}

/** Finds a batch in the provider's list, and records the provider's id. */
async function find(
  context: WorkContext,
  target: UpstreamTarget,
  { id }: UpstreamBatch,
): Promise<string | undefined> {
  const { deps, ref } = context;
  const found = await searchBatch(deps, target, id);
  if (found)
    await retryWrite(context, () => deps.store.upstreamBatches.change(ref, id, { remoteId: found.id }));
  return found?.id;
}
