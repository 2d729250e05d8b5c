import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Asset, type ExtraWrites, errorFields, type Job, ObjectFault } from "@manifold-gateway/store";
import { holdOf } from "../billing/amounts.ts";
import { refusal } from "../billing/store-billing.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { modalities } from "../observe/job.ts";
import type { Jobs, JobView } from "../ports/jobs.ts";
import { assetsOf, createBegin, tooMany } from "./begin.ts";
import { cancel } from "./cancel.ts";
import { systemClock } from "./clock.ts";
import { type JobsOptions, toDeps } from "./contract.ts";
import { routeAt, toCourse } from "./course.ts";
import { assetIdsOf, present } from "./job-view.ts";
import { keyOf } from "./keys.ts";
import { resolveAssets } from "./resolve.ts";
import { createRetention } from "./retention.ts";
import { createScheduler } from "./scheduler.ts";
import { createWaits } from "./wait-for-job.ts";

/** Creates the jobs of a store. Their work begins with `start`. */
export function createJobs(options: JobsOptions): Jobs {
  const { store, clock = systemClock } = options;
  const waits = createWaits({ store, clock });
  const deps = toDeps(options, clock, waits.changed);
  const { limits, policy, files } = deps;
  const { objects } = files;
  const scheduler = createScheduler(deps);
  const retention = createRetention(deps);
  const begin = createBegin(deps, scheduler);

  const view = async (job: Job): Promise<JobView> => (await views([job]))[0]!;

  /** Jobs as callers see them. The files of all of them are looked up together. */
  async function views(jobs: readonly Job[]): Promise<JobView[]> {
    const expires = clock.now() + limits.link;
    const expired = await store.assets.expired(jobs.flatMap(assetIdsOf));
    return Promise.all(
      jobs.map((job) =>
        present(job, objects, { expires, expired: assetIdsOf(job).some((id) => expired.has(id)) }),
      ),
    );
  }

  async function attach(id: string, text: string): Promise<string> {
    const key = keyOf.ask(id);
    try {
      await objects.put(key, Buffer.from(text), { mediaType: "application/json" });
      return key;
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error;
      throw new Refusal("inputs_not_stored", "The inputs of the request cannot be stored at the moment.", {
        headers: { "retry-after": "5" },
      });
    }
  }

  /** Removes the inputs of a refused order. If that fails, retention removes them. */
  async function discard(id: string, attachment: string): Promise<void> {
    try {
      await objects.remove(attachment);
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error;
      deps.log.warn({ job: id, ...errorFields(error) }, "job left objects behind");
    }
  }

  return {
    async submit(order) {
      const { id, kind, caller, model, entry, price, estimate, request, surface } = order;
      const { shown, ask, direct, preview } = order;
      const { accountId, keyId } = caller;
      const amount = holdOf(estimate, price);
      const text = JSON.stringify(ask);
      const attachment = text.length > limits.ask ? await attach(id, text) : undefined;
      const named = { id, accountId, ...(keyId !== undefined && { keyId }), model };
      const route = routeAt(order);
      const job = {
        ...named,
        entry,
        price: price as JsonObject,
        estimate: estimate as JsonObject,
        course: toCourse(order, route, deps),
        ...(attachment === undefined ? { ask: ask as unknown as JsonObject } : { attachment }),
        ...(shown && { shown }),
        ...(direct && { tries: limits.tries - 1 }),
      };
      const recorded = { modality: modalities[kind], request, route, price: price as JsonObject };
      const generation = {
        ...named,
        ...recorded,
        ...order.labels,
        ...(surface !== undefined && { surface }),
      };
      const toExtraWrites = ({ at, deadline }: { at: number; deadline: number }): ExtraWrites => ({
        reservation: { generation, amount, at, policy, exact: true },
        most: limits.maxLiveJobs,
        needs: { ids: assetsOf(ask), until: deadline + limits.link },
      });
      const begun = await begin(kind, job, toExtraWrites, preview);
      if (!begun.ok) {
        if (attachment !== undefined) await discard(id, attachment);
        throw begun.reason === "busy" ? tooMany("running jobs", begun.most) : refusal(begun, clock.now());
      }
      return view(begun.stored);
    },
    async get(ref) {
      const job = await store.jobs.get(ref);
      return job && view(job);
    },
    async cancel(ref) {
      const job = await store.jobs.get(ref);
      if (!job) return undefined;
      await cancel(deps, job);
      const left = await store.jobs.get(ref);
      return left && view(left);
    },
    async find(id) {
      const job = await store.jobs.find(id);
      return job && view(job);
    },
    newest: async (filter, limit) => views(await store.jobs.newest(filter, limit)),
    async list(filter, page) {
      const { results, total } = await store.jobs.list(filter, page);
      return { results: await views(results), total };
    },
    accepted: async (ref, signal) =>
      view(
        await waits.until(ref, (job) => job.endedAt !== undefined || job.upstreamId !== undefined, signal),
      ),
    finished: async (ref, signal) => view(await waits.until(ref, (job) => job.endedAt !== undefined, signal)),
    async removeFiles(ref) {
      const job = await store.jobs.get(ref);
      if (!job) return;
      const terms = { accountId: ref.accountId, at: clock.now() };
      const removed = await store.assets.expireAll(assetIdsOf(job), terms);
      for (const { key } of removed) await objects.remove(key);
      await store.assets.forget(removed.map(({ id }) => id));
    },
    async createAsset({ id, caller: { accountId, keyId }, body: { url, assetType, name } }) {
      const { registry } = deps.providers;
      const job = {
        id,
        accountId,
        model: "",
        ...(keyId !== undefined && { keyId }),
        ...(registry && { entry: { provider: registry.provider, name: "", wire: registry.service.wire } }),
        ask: { url, assetType, ...(name !== undefined && { name }) },
      };
      const at = clock.now();
      const asset: Asset = {
        id,
        accountId,
        kind: "identity",
        type: assetType,
        ...(name !== undefined && { name }),
        state: "processing",
        jobId: id,
        createdAt: at,
        updatedAt: at,
      };
      const begun = await begin("asset", job, () => ({ asset, most: limits.pendingAssets }));
      if (begun.ok) return asset;
      throw begun.reason === "busy"
        ? tooMany("assets being checked", begun.most)
        : refusal(begun, clock.now());
    },
    async asset(ref) {
      const asset = await store.assets.get(ref);
      if (asset?.expiredAt === undefined) return asset;
      const message = `The asset ${quote(ref.id)} has expired and was deleted.`;
      throw new Refusal("not_found", message);
    },
    assets: (filter, page) => store.assets.list(filter, page),
    resolve: (ask) => resolveAssets(store, ask),
    start() {
      scheduler.start();
      retention.start();
    },
    wake: () => scheduler.wake(),
    async drain() {
      await retention.stop();
      await scheduler.drain();
    },
    async close() {
      await Promise.all([retention.stop(), scheduler.close()]);
    },
  };
}
