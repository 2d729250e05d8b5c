import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImagePreview } from "@manifold-gateway/core/operations";
import type { Adapter, Line, Service, Wire } from "@manifold-gateway/providers";
import type { Asset, Counts } from "@manifold-gateway/store";
import { serviceOf } from "./credentials.ts";
import type { LeasedJob } from "./deps.ts";

/** An ask that can be sent. */
export interface Reached<Ask> {
  ask: Ask;
  /** Facts that the worker needs that finishes the job, maybe another one. */
  kept?: JsonObject;
}

/** The stored result of work. */
export interface Made {
  /** The result that the job keeps: no bytes. */
  result: JsonObject;
  assets: Asset[];
  /** The counts of what was made, in the units of prices, and the usage as records show it. */
  counts?: Counts;
  usage?: JsonObject;
}

/** One kind of work, from its ask to its files. */
export interface Operation<Ask, Result> {
  /** The service that does it; none where the provider is not configured any more. */
  provider(held: LeasedJob): { adapter: Adapter<Ask, Result, ImagePreview>; service: Service } | undefined;
  /** Puts all media of the ask where the provider can get at it. Rejects with `BadInput` where it cannot be. */
  reach(held: LeasedJob, ask: Ask, inline: boolean): Promise<Reached<Ask>>;
  /**
   * The part of an answer that is noted before its files are stored: all of it but bytes. `keep` takes it in its
   * place.
   */
  told(result: Result): object;
  /**
   * Stores what was made. Rejects with `BadOutput` where there is nothing worth storing, `LostOutput` where bytes
   * came to another worker and were not stored.
   */
  keep(held: LeasedJob, ask: Ask | undefined, result: Result, line: Line): Promise<Made>;
}

/** The provider of a job's entry, where its wire has the operation. */
export function providerOf<One>(
  held: LeasedJob,
  operation: "image" | "video" | "speech",
  table: Partial<Record<Wire, One>>,
): { adapter: One; service: Service } | undefined {
  const { entry } = held.job;
  const service = entry && held.service(entry, operation);
  const adapter = entry && Object.hasOwn(table, entry.wire) ? table[entry.wire as Wire] : undefined;
  const called = service && serviceOf(service, held.job);
  return called && adapter && { adapter, service: called };
}

/** An operation with the provider that does it. */
export interface Provided {
  operation: Operation<object, object>;
  adapter: Adapter<object, object, ImagePreview>;
  service: Service;
}
