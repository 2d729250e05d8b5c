import type { Batch, LineCounts } from "@manifold-gateway/store";
import { endOfPage } from "../account/newest-first.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { batchesOf } from "./services.ts";

type Deps = Pick<Context<"batches" | "now" | "store">, "services" | "caller"> & {
  /** The surface whose batches are read. Absent: all surfaces. */
  surface?: Context["surface"];
};

/** A batch with the number of its lines by their state, as its caller reads it. */
export interface BatchView {
  batch: Batch;
  counts: LineCounts;
}

/** Adds the counts of the lines: those of running batches are counted now, all together. */
export async function viewsOf(
  { services }: Pick<Context<"store">, "services">,
  batches: readonly Batch[],
): Promise<BatchView[]> {
  const running = batches.filter(({ counts }) => counts === undefined).map(({ id }) => id);
  const counted = await services.store.batchLines.countsOf(running);
  const now = new Map(running.map((id, at) => [id, counted[at]!]));
  return batches.map((batch) => ({ batch, counts: batch.counts ?? now.get(batch.id)! }));
}

/** One batch with its counts. */
export const viewOf = async (context: Pick<Context<"store">, "services">, batch: Batch): Promise<BatchView> =>
  (await viewsOf(context, [batch]))[0]!;

/**
 * Checks whether a batch is visible: on the surface that received it, and in the account's interface, which has no
 * surface here.
 */
const isSeen = ({ surface: received }: Batch, { surface }: Deps): boolean =>
  surface === undefined || received === surface.name;

/** Reads the caller's batch. Throws the same 404 for another account's as for one that does not exist. */
export async function readBatch(context: Deps, id: string): Promise<Batch> {
  const { services, caller } = context;
  batchesOf(services);
  const batch = await services.store.batches.get({ id, accountId: caller.accountId });
  if (batch && isSeen(batch, context)) return batch;
  throw new Refusal("not_found", `There is no batch ${quote(id)}.`);
}

/** Cancels a batch of the caller. */
export async function cancelBatch(context: Deps, id: string): Promise<BatchView> {
  return cancelAnyBatch(context, await readBatch(context, id));
}

/** Cancels a batch of any account: no further line is begun. An ended batch does not change. */
export async function cancelAnyBatch(
  context: Pick<Deps, "services">,
  { id, accountId }: Pick<Batch, "id" | "accountId">,
): Promise<BatchView> {
  const { services } = context;
  const batch = await services.store.batches.cancel({ id, accountId }, services.now());
  if (!batch) throw new Refusal("not_found", `There is no batch ${quote(id)}.`);
  if (batch.endedAt === undefined) batchesOf(services).wake();
  return viewOf(context, batch);
}

const endNames = { after: "after", before: "before" };

/** A page of a list of batches, which begins after a given batch or ends before one. */
export interface BatchPage {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
}

/** Lists the account's batches, newest first. `names` are the parameters that the ends of the page come from. */
export async function listBatches(
  context: Deps,
  { limit, ...ends }: BatchPage,
  names: Record<"after" | "before", string> = endNames,
): Promise<{ views: BatchView[]; hasMore: boolean }> {
  const { services, caller, surface } = context;
  const endOf = (end: "after" | "before"): Promise<Batch | undefined> =>
    endOfPage({ id: ends[end], param: names[end], noun: "batch" }, async (id) => {
      const batch = await services.store.batches.get({ id, accountId: caller.accountId });
      return batch && isSeen(batch, context) ? batch : undefined;
    });
  batchesOf(services);
  const filter = { accountId: caller.accountId, surface: surface?.name };
  const [after, before] = [await endOf("after"), await endOf("before")];
  const batches = await services.store.batches.list(filter, { limit: limit + 1, after, before });
  const hasMore = batches.length > limit;
  const page = before ? batches.slice(-limit) : batches.slice(0, limit);
  return { views: await viewsOf(context, page), hasMore };
}
