import type { JsonObject } from "@manifold-gateway/core/codec";
import type {
  AssetBody,
  ImageAsk,
  ImagePreview,
  ImageResult,
  PartSource,
  SpeechAsk,
  SpeechMade,
  VideoAsk,
  VideoResult,
} from "@manifold-gateway/core/operations";
import type {
  Asset,
  AssetKind,
  Counts,
  Job,
  JobEntry,
  JobError,
  JobKind,
  JobState,
  Price,
} from "@manifold-gateway/store";
import type { Caller } from "./access.ts";
import type { Labels } from "./context.ts";
import type { Attempt } from "./routing.ts";

/** Work as another entry than the first can do it, at the price of that one. */
export interface Fallback extends Pick<Order, "entry" | "price" | "estimate" | "route"> {
  ask: ImageAsk | VideoAsk | SpeechAsk;
}

/** Work that is ordered: checked, fitted and priced. */
export type Order = {
  /** Of the generation and the job: lower-case letters, digits and dashes, at most 60. */
  id: string;
  caller: Pick<Caller, "accountId" | "keyId">;
  /** The caller's name for it. */
  model: string;
  entry: JobEntry;
  /** Frozen: what is charged, whatever the catalog says then. */
  price: Price;
  /** The most that it can come to: what is held for. */
  estimate: Counts;
  /** The request as its record may hold it. */
  request: JsonObject;
  labels?: Labels;
  /** The name of the surface that it comes by. */
  surface?: string;
  /** The route it takes, beside the entry, as its record keeps it. */
  route?: JsonObject;
  /** The entries to go on at, in order, if the one before has certainly not begun it. */
  fallbacks?: readonly Fallback[];
  /** The entries that were passed over before it. */
  attempts?: readonly Attempt[];
  /** Kept for its readers as it is: `{ content }` of a video, `{ product, enableSubtitle }` of speech. */
  shown?: JsonObject;
  /** The caller gets the first failure: a passing one is not retried before the provider has the work. */
  direct?: true;
  /** Called with previews, where the adapter has some and this process does the job: it does where it has room. */
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
   * Cancels a job: one that was not sent to a provider ends as `cancelled`, and a provider that can stop is asked to.
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

/** An archived file of a job, with a link that downloads it for a while. */
export interface OutputLink {
  assetId: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  /** Where its bytes are in the object store, for answers that carry them inline. */
  key: string;
  downloadUrl: string;
}

/** A job as routes read it. Links are made anew on each read. Times are ms. */
export interface JobView {
  /** Of its generation too. */
  id: string;
  kind: JobKind;
  accountId: string;
  model: string;
  entry?: JobEntry;
  state: JobState;
  /** The provider's id of the work, once it took it. */
  taskId?: string;
  /** The members shown in the order's answer. */
  shown: JsonObject;
  /** Present when it has succeeded, by its kind: the result with `downloadUrl` and `assetId`. */
  image?: ImageResult;
  video?: VideoResult;
  speech?: SpeechMade;
  /** Empty where they have expired. */
  outputs: OutputLink[];
  /** Its files were kept as long as files are, and are gone. */
  expired: boolean;
  /** Present when it has failed or was cancelled. */
  error?: JobError;
  /** The outcome at the provider is not known: the hold was given back, and the work may have been done. */
  orphan: boolean;
  deadline: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** A part of an ask, as far as it may name an asset. An image ask's parts have no type. */
export interface MediaPart {
  type?: string;
  /** JSON pointer into the caller's request: `/content/2`. */
  at: string;
  source?: PartSource;
}

/** An objection to a part that names an asset. */
export interface AssetIssue {
  /** JSON pointer to the part. */
  path: string;
  message: string;
}

export type ResolvedAssets<Part> =
  | {
      ok: true;
      /** Assets that the provider has registered carry its id; the worker makes the others reachable. */
      parts: Part[];
      /** The total length of the videos, if all of them are assets whose length is known. */
      inputSeconds?: number;
    }
  | { ok: false; issues: AssetIssue[] };
