import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImagePreview } from "@manifold-gateway/core/operations";
import type { Adapter, Line, Service, Wire } from "@manifold-gateway/providers";
import type { Asset, Counts } from "@manifold-gateway/store";
import { serviceOf } from "./credentials.ts";
import type { LeasedJob } from "./leased-job.ts";

/** A request whose media the provider can access. */
export interface AccessibleRequest<Ask> {
  ask: Ask;
  /** Facts for the worker that finishes the job, which may be another one. */
  facts?: JsonObject;
}

/** The result of stored work. */
export interface StoredResult {
  /** The result for the job, without bytes. */
  result: JsonObject;
  assets: Asset[];
  /** The counts in the units of prices, and the usage for the record. */
  counts?: Counts;
  usage?: JsonObject;
}

/** One kind of work, from its request to its files. */
export interface Operation<Ask, Result> {
  /** The service that does the work; `undefined` if the provider is no longer configured. */
  provider(held: LeasedJob): { adapter: Adapter<Ask, Result, ImagePreview>; service: Service } | undefined;
  /** Makes all media of the request accessible to the provider. Rejects with `BadInput` if that fails. */
  makeAccessible(held: LeasedJob, ask: Ask, inline: boolean): Promise<AccessibleRequest<Ask>>;
  /** The part of an answer that is stored before its files: all but bytes. `keep` accepts it instead of the answer. */
  withoutBytes(result: Result): object;
  /**
   * Stores the outputs. Rejects with `BadOutput` if they are unusable, and with `LostOutput` if another worker
   * received the bytes and did not store them.
   */
  keep(held: LeasedJob, ask: Ask | undefined, result: Result, line: Line): Promise<StoredResult>;
}

/** The provider of a job's entry, if its wire has the operation. */
export function providerOf<One>(
  { deps, job }: LeasedJob,
  operation: "image" | "video" | "speech",
  table: Partial<Record<Wire, One>>,
): { adapter: One; service: Service } | undefined {
  const { entry } = job;
  const service = entry && deps.providers.service(entry, operation);
  const adapter = entry && Object.hasOwn(table, entry.wire) ? table[entry.wire as Wire] : undefined;
  const called = service && serviceOf(service, job);
  return called && adapter && { adapter, service: called };
}

/** An operation and the provider that does it. */
export interface Provided {
  operation: Operation<object, object>;
  adapter: Adapter<object, object, ImagePreview>;
  service: Service;
}
