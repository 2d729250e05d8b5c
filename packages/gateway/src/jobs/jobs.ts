import { randomUUID } from "node:crypto";
import type { AssetBody, ImageAsk, ImagePreview, JsonObject, SpeechAsk, VideoAsk } from "@manifold/core";
import {
  type Asset,
  type AssetKind,
  type Beside,
  type Counts,
  costOf,
  type Job,
  type JobEntry,
  type JobKind,
  ObjectFault,
  type Price,
} from "@manifold/store";
import type { Caller } from "../access.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { modalities } from "../observe/job.ts";
import { refusal } from "../stored/billing.ts";
import { assetsOf, createBegin, tooMany } from "./begin.ts";
import { cancel } from "./cancel.ts";
import { systemClock } from "./clock.ts";
import { keyOf } from "./keys.ts";
import { defaultJobLimits, type JobLimits } from "./limits.ts";
import { assetIdsOf, type JobView, present } from "./present.ts";
import { type MediaPart, type ResolvedAssets, resolveAssets } from "./resolve.ts";
import { createRetention } from "./retention.ts";
import { createScheduler } from "./scheduler.ts";
import type { Tools } from "./tools.ts";
import { createWaits } from "./waits.ts";

/** What jobs are made of; see `Tools` for what each is for. */
export type JobsOptions = Omit<
  Tools,
  "clock" | "random" | "limits" | "owner" | "changed" | "isPublic" | "registry"
> & {
  /** See `BillingOptions`. */
  policy: "threshold" | "strict";
  registry?: Tools["registry"];
  /** Default: no. */
  isPublic?: boolean;
  /** Default: the machine's. */
  clock?: Tools["clock"];
  random?: Tools["random"];
  limits?: Partial<JobLimits>;
};

/** Work that is ordered: checked, fitted and priced. */
export type Order = {
  /** Of the generation and the job: lower-case letters, digits and dashes, at most 60. */
  id: string;
  caller: Pick<Caller, "accountId" | "keyId">;
  /** As the caller named it. */
  model: string;
  entry: JobEntry;
  /** Frozen: what is charged, whatever the catalog says then. */
  price: Price;
  /** The most that it can come to: what is held for. */
  estimate: Counts;
  /** The request as its record may hold it. */
  request: JsonObject;
  /** Which way it goes, beside the entry, as its record keeps it. */
  route?: JsonObject;
  /** Kept for its readers as it is: `{ content }` of a video, `{ product, enableSubtitle }` of speech. */
  shown?: JsonObject;
  /** Told what is half done, where the adapter can tell and this process does the job: it does where it has room. */
  preview?(preview: ImagePreview): void;
} & (
  | { kind: "image"; ask: ImageAsk }
  | { kind: "video"; ask: VideoAsk }
  | { kind: "speech"; ask: SpeechAsk }
);

export interface Ref {
  id: string;
  accountId: string;
}
export interface Page {
  offset: number;
  limit: number;
}

/** Durable work, from its order to its files and its charge. */
export interface Jobs {
  /**
   * Holds the credit and begins the job, in one commit. Refuses with 403 where the balance does not cover it, 429
   * where a cap is reached or too many of the account's jobs go on, 503 where its inputs cannot be kept. The assets
   * that it names are kept as long as it can need them.
   */
  submit(order: Order): Promise<JobView>;
  /** The account's job by its id, or by its provider's; nothing for another account's. */
  get(ref: Ref): Promise<JobView | undefined>;
  /**
   * Newest first. `live`: those that go on, or those that have ended. `after`: those that the list has behind that
   * one, which `total` then counts too.
   */
  list(
    filter: {
      accountId: string;
      keyId?: string;
      kinds?: readonly JobKind[];
      live?: boolean;
      after?: Pick<Job, "id" | "createdAt">;
    },
    page: Page,
  ): Promise<{ results: JobView[]; total: number }>;
  /** The job as soon as its provider has it, or it has ended. Rejects with the signal's reason. */
  accepted(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /** The job as soon as it has ended. Rejects with the signal's reason; the job goes on. */
  finished(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /**
   * Gives a job up: one that no provider was asked for ends as `cancelled`, and a provider that can stop is asked to.
   * The job as it is now; nothing for another account's.
   */
  cancel(ref: Ref): Promise<JobView | undefined>;
  /**
   * Begins the checking of an identity asset; `processing` until it is `active` or `failed`. Costs nothing. Refuses
   * with 429 where too many of the account's are being checked.
   */
  createAsset(order: { id: string; caller: Order["caller"]; body: AssetBody }): Promise<Asset>;
  /** Refuses with 404 where it has expired. */
  asset(ref: Ref): Promise<Asset | undefined>;
  assets(
    filter: { accountId: string; kind?: AssetKind },
    page: Page,
  ): Promise<{ results: Asset[]; total: number }>;
  /** See `resolveAssets`. */
  resolve<Part extends MediaPart>(ask: {
    accountId: string;
    parts: readonly Part[];
    provider: string;
  }): Promise<ResolvedAssets<Part>>;
  /** Begins to do work. Without it orders are taken, and other processes do them. */
  start(): void;
  /** Looks for due work at once; resolves when all that was due has been taken a step further. */
  wake(): Promise<void>;
  /** Takes up nothing more; resolves when the steps in hand have ended. */
  drain(): Promise<void>;
  /** Drops the steps in hand, as a crash would: other processes, or the next start, go on with them. */
  close(): Promise<void>;
}

/** Work on the jobs of a store; it begins with `start`. */
export function createJobs(options: JobsOptions): Jobs {
  const { clock = systemClock, random = Math.random, isPublic = false, policy, ...given } = options;
  const limits: JobLimits = { ...defaultJobLimits, ...options.limits };
  const waits = createWaits({ store: options.store, clock });
  const owner = `${options.store.owner}/${randomUUID()}`;
  const tools: Tools = { ...given, clock, random, isPublic, limits, owner, changed: waits.changed };
  const { store, objects } = tools;
  const scheduler = createScheduler(tools);
  const retention = createRetention(tools);
  const begin = createBegin(tools, scheduler);

  async function view(job: Job): Promise<JobView> {
    const expires = clock.now() + limits.link;
    return present(job, objects, { expires, expired: await hasExpired(job) });
  }

  /** Whether the files of a job are gone, all or some. Only where it is old enough are they asked for. */
  async function hasExpired(job: Job): Promise<boolean> {
    if (job.endedAt === undefined || job.endedAt + limits.retention > clock.now()) return false;
    const { accountId } = job;
    for (const id of assetIdsOf(job))
      if ((await store.assets.get({ id, accountId }))?.expiredAt !== undefined) return true;
    return false;
  }

  async function attach(id: string, text: string): Promise<string> {
    const key = keyOf.ask(id);
    try {
      await objects.put(key, Buffer.from(text), { mediaType: "application/json" });
      return key;
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error;
      throw new Refusal(503, "The inputs of the request cannot be stored now.", {
        headers: { "retry-after": "5" },
      });
    }
  }

  /** Lets the inputs of a refused order go. What cannot be removed now goes with the next tidying. */
  async function discard(id: string, attachment: string): Promise<void> {
    try {
      await objects.remove(attachment);
    } catch (error) {
      if (!(error instanceof ObjectFault)) throw error;
      tools.log.warn({ job: id, code: error.code }, "job left objects behind");
    }
  }

  return {
    async submit({
      id,
      kind,
      caller,
      model,
      entry,
      price,
      estimate,
      request,
      route: way,
      shown,
      ask,
      preview,
    }) {
      const { accountId, keyId } = caller;
      const text = JSON.stringify(ask);
      const attachment = text.length > limits.ask ? await attach(id, text) : undefined;
      const named = { id, accountId, ...(keyId !== undefined && { keyId }), model };
      const job = {
        ...named,
        entry,
        price: price as JsonObject,
        estimate: estimate as JsonObject,
        ...(attachment === undefined ? { ask: ask as unknown as JsonObject } : { attachment }),
        ...(shown && { shown }),
      };
      const route = { ...way, provider: entry.provider, name: entry.name, protocol: entry.wire };
      const generation = { ...named, modality: modalities[kind], request, route, price: price as JsonObject };
      const amount = costOf(estimate, price);
      const toBeside = ({ at, deadline }: { at: number; deadline: number }): Beside => ({
        reservation: { generation, amount, at, policy, exact: true },
        most: limits.live,
        needs: { ids: assetsOf(ask), until: deadline + limits.link },
      });
      const begun = await begin(kind, job, toBeside, preview);
      if (!begun.ok) {
        if (attachment !== undefined) await discard(id, attachment);
        throw begun.reason === "busy" ? tooMany("jobs under way", begun.most) : refusal(begun, clock.now());
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
      await cancel(tools, job);
      const left = await store.jobs.get(ref);
      return left && view(left);
    },
    async list(filter, page) {
      const { results, total } = await store.jobs.list(filter, page);
      return { results: await Promise.all(results.map(view)), total };
    },
    accepted: async (ref, signal) =>
      view(
        await waits.until(ref, (job) => job.endedAt !== undefined || job.upstreamId !== undefined, signal),
      ),
    finished: async (ref, signal) => view(await waits.until(ref, (job) => job.endedAt !== undefined, signal)),
    async createAsset({ id, caller: { accountId, keyId }, body: { url, assetType, name } }) {
      const { registry } = tools;
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
      const message = `The asset ${quote(ref.id)} has expired: its file is not kept any more.`;
      throw new Refusal(404, message, { code: "not_found" });
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
