import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type JsonObject, toObject } from "@manifold-gateway/core/codec";
import { type AssetAsk, type AssetResult, assetErrors } from "@manifold-gateway/core/operations";
import { assetLimits, checkAsset } from "@manifold-gateway/media";
import {
  type AssetAdapter,
  adapters,
  DownloadFault,
  localAsset,
  type Service,
  UpstreamFault,
} from "@manifold-gateway/providers";
import type { Asset } from "@manifold-gateway/store";
import { BadInput, linkTo } from "./inputs.ts";
import { keyOf, pseudonymOf } from "./keys.ts";
import type { LeasedJob } from "./leased-job.ts";
import { lineOf } from "./line.ts";
import type { Operation } from "./operation.ts";

/** A placeholder for jobs that call no provider. */
const nowhere: Service = { wire: "mediastyle", origin: "", base: "", auth: { header: "" } };

const libraries: Partial<Record<string, AssetAdapter>> = adapters.asset;

/** The asset library of a job's provider, if it has one. */
function libraryOf({ job, deps }: LeasedJob): { adapter: AssetAdapter; service: Service } | undefined {
  const { registry } = deps.providers;
  const adapter = job.entry && libraries[job.entry.wire];
  return adapter && registry?.provider === job.entry?.provider && registry
    ? { adapter, service: registry.service }
    : undefined;
}

/** Checks a file that its owner wants to use as a person, a voice or a scene. */
export const identity: Operation<AssetAsk, AssetResult> = {
  provider: (held) => (held.job.entry ? libraryOf(held) : { adapter: localAsset, service: nowhere }),
  async makeAccessible(held, ask) {
    const { key, mediaType, ...facts } = await take(held, ask);
    const kept: JsonObject = { key, mediaType, ...facts };
    const library = libraryOf(held);
    if (!library) return { ask, facts: kept };
    const url = held.deps.files.isPublic ? await linkTo(held, key, mediaType) : ask.url;
    return { ask: { ...ask, url, group: await groupOf(held, library) }, facts: kept };
  },
  withoutBytes: (result) => result,
  async keep(held, _, { registered }) {
    const asset = await held.deps.store.assets.get({ id: held.job.id, accountId: held.job.accountId });
    if (!asset) throw new Error("an identity asset without its record");
    const { answer: _a, published: _p, ...facts } = toObject(held.job.result as JsonObject);
    const provider = held.job.entry?.provider;
    const active: Asset = {
      ...asset,
      ...(facts as Partial<Asset>),
      state: "active",
      updatedAt: held.deps.clock.now(),
    };
    return {
      result: {},
      assets: [{ ...active, ...(registered !== undefined && provider && { provider, registered }) }],
    };
  },
};

/** Downloads a file to the disk, measures it there, and stores it if it is within the limits of its type. */
async function take({ job, deps, signal }: LeasedJob, { url, assetType }: AssetAsk) {
  const { objects, fetch, probes } = deps.files;
  const path = join(tmpdir(), `manifold-${randomUUID()}`);
  try {
    const limit = assetLimits[assetType].size?.max ?? 0;
    const { stream } = await fetch(url, { limit, signal });
    await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
    const probe = await probes.probe(job.accountId, { path });
    const [issue] = checkAsset(probe, assetType);
    if (issue) throw new BadInput(issue.message, issue.code);
    const mediaType = "mediaType" in probe ? probe.mediaType : "application/octet-stream";
    const key = keyOf.output(job.accountId, job.id, job.createdAt);
    const { size } = await objects.put(key, createReadStream(path), { mediaType });
    const millis = "seconds" in probe ? Math.round(probe.seconds * 1000) : undefined;
    return { key, mediaType, size, ...(millis !== undefined && { millis }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DownloadFault)) throw error;
    const code = error.code === "address_refused" ? "download_failed" : error.code;
    throw new BadInput(error.code === code ? assetErrors[code] : error.message, code);
  } finally {
    await rm(path, { force: true });
  }
}

/** Finds the provider's group for the account's assets, or creates it. */
async function groupOf(held: LeasedJob, { adapter, service }: { adapter: AssetAdapter; service: Service }) {
  const { job, deps } = held;
  const { assets } = deps.store;
  const ref = { accountId: job.accountId, provider: job.entry?.provider ?? "" };
  const known = await assets.group(ref);
  if (known !== undefined) return known;
  const made = await adapter.group(lineOf(held, service, "submit"), { name: pseudonymOf(job.accountId) });
  if ("id" in made) return assets.keepGroup(ref, made.id);
  // A retry may create a second group, which does no harm.
  if (made.trouble.kind === "unavailable") throw new UpstreamFault("reset");
  throw new BadInput(made.trouble.message, "provider_rejected");
}
