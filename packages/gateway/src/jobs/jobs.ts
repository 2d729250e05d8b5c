import { randomUUID } from "node:crypto";
import type { AssetBody, ImageAsk, ImagePreview, JsonObject, SpeechAsk, VideoAsk } from "@manifold/core";
import {
  type Asset,
  type AssetKind,
  type Counts,
  costOf,
  type JobEntry,
  type JobKind,
  type NewJob,
  ObjectFault,
  type Price,
} from "@manifold/store";
import type { Caller } from "../access.ts";
import { Refusal } from "../http/refusal.ts";
import { refusal } from "../stored/billing.ts";
import { systemClock } from "./clock.ts";
import { keyOf } from "./keys.ts";
import { defaultJobLimits, type JobLimits } from "./limits.ts";
import { type JobView, present } from "./present.ts";
import { type MediaPart, type ResolvedAssets, resolveAssets } from "./resolve.ts";
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
  /** Kept for its readers as it is: `{ content }` of a video, `{ product, enableSubtitle }` of speech. */
  shown?: JsonObject;
  /** Told what is half done, where the adapter can tell; the job is then done by this process. */
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
   * where a cap is reached, 503 where its inputs cannot be kept.
   */
  submit(order: Order): Promise<JobView>;
  /** The account's job by its id, or by its provider's; nothing for another account's. */
  get(ref: Ref): Promise<JobView | undefined>;
  /** Newest first. `live`: those that go on, or those that have ended. */
  list(
    filter: { accountId: string; keyId?: string; kinds?: readonly JobKind[]; live?: boolean },
    page: Page,
  ): Promise<{ results: JobView[]; total: number }>;
  /** The job as soon as its provider has it, or it has ended. Rejects with the signal's reason. */
  accepted(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /** The job as soon as it has ended. Rejects with the signal's reason; the job goes on. */
  finished(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /** Begins the checking of an identity asset; `processing` until it is `active` or `failed`. Costs nothing. */
  createAsset(order: { id: string; caller: Order["caller"]; body: AssetBody }): Promise<Asset>;
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

const MODALITIES = { image: "image", video: "video", speech: "audio" } as const;
const HOUR = 3_600_000;
/** Attachments let go of in one go. */
const TIDIED = 100;

export function createJobs(options: JobsOptions): Jobs {
  const { clock = systemClock, random = Math.random, isPublic = false, policy, ...given } = options;
  const limits: JobLimits = { ...defaultJobLimits, ...options.limits };
  const waits = createWaits({ store: options.store, clock });
  const owner = `${options.store.owner}/${randomUUID()}`;
  const tools: Tools = { ...given, clock, random, isPublic, limits, owner, changed: waits.changed };
  const { store, objects, log } = tools;
  const scheduler = createScheduler(tools);
  const view = (job: Parameters<typeof present>[0]) => present(job, objects, clock.now() + limits.link);
  let untidy = () => {};

  /** Begins what a process that died could not end: inputs of jobs that have ended. */
  async function tidy(): Promise<void> {
    untidy = clock.after(HOUR, () => void tidy());
    try {
      for (const { id, attachment } of await store.jobs.attached(TIDIED)) {
        await objects.remove(attachment);
        await store.jobs.detach(id);
      }
    } catch (error) {
      log.warn({ code: (error as Error).name }, "inputs of ended jobs could not be removed");
    }
  }

  /** The terms of a job that begins now; in this process's hands where there is room. */
  const begin = (kind: JobKind, here = false): Pick<NewJob, "at" | "deadline" | "lease"> => {
    const at = clock.now();
    const isOurs = here || scheduler.hasRoom();
    return {
      at,
      deadline: at + limits.deadline[kind],
      ...(isOurs && { lease: { owner, until: at + limits.lease } }),
    };
  };

  async function proceed(job: NewJob, preview?: Order["preview"]) {
    const stored = await store.jobs.get(job);
    if (!stored) throw new Error("a job that was made is not there");
    if (job.lease && stored.attempt === 1 && stored.phase === "unsent") scheduler.adopt(stored, preview);
    else if (!job.lease) void scheduler.wake();
    return stored;
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

  return {
    async submit({ id, kind, caller, model, entry, price, estimate, request, shown, ask, preview }) {
      const { accountId, keyId } = caller;
      const text = JSON.stringify(ask);
      const attachment = text.length > limits.ask ? await attach(id, text) : undefined;
      const named = { id, accountId, ...(keyId !== undefined && { keyId }), model };
      const job: NewJob = {
        ...named,
        ...begin(kind, preview !== undefined),
        ...{ kind, entry, price: price as JsonObject, estimate: estimate as JsonObject },
        ...(attachment === undefined ? { ask: ask as unknown as JsonObject } : { attachment }),
        ...(shown && { shown }),
      };
      const route = { provider: entry.provider, name: entry.name, protocol: entry.wire };
      const generation = { ...named, modality: MODALITIES[kind], request, route, price: price as JsonObject };
      const amount = costOf(estimate, price);
      const reserved = await store.jobs.create(job, {
        reservation: { generation, amount, at: job.at, policy, exact: true },
      });
      if (!reserved.ok) {
        if (attachment !== undefined) await objects.remove(attachment);
        throw refusal(reserved, job.at);
      }
      return view(await proceed(job, preview));
    },
    async get(ref) {
      const job = await store.jobs.get(ref);
      return job && view(job);
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
      const job: NewJob = {
        ...{ id, kind: "asset" as const, accountId, model: "" },
        ...begin("asset"),
        ...(keyId !== undefined && { keyId }),
        ...(registry && { entry: { provider: registry.provider, name: "", wire: registry.service.wire } }),
        ask: { url, assetType, ...(name !== undefined && { name }) },
      };
      const asset: Asset = {
        ...{ id, accountId, kind: "identity", type: assetType, ...(name !== undefined && { name }) },
        ...{ state: "processing", jobId: id, createdAt: job.at, updatedAt: job.at },
      };
      await store.jobs.create(job, { asset });
      await proceed(job);
      return asset;
    },
    asset: (ref) => store.assets.get(ref),
    assets: (filter, page) => store.assets.list(filter, page),
    resolve: (ask) => resolveAssets(store, ask),
    start() {
      scheduler.start();
      void tidy();
    },
    wake: () => scheduler.wake(),
    async drain() {
      untidy();
      await scheduler.drain();
    },
    async close() {
      untidy();
      await scheduler.close();
    },
  };
}
