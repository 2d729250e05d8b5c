import { knownVoices, type Voice } from "@manifold-gateway/core/operations";
import { createProber, type Prober } from "@manifold-gateway/media";
import {
  createGuardedFetch,
  createLineClient,
  type GuardedFetch,
  type Provider,
  type Transport,
} from "@manifold-gateway/providers";
import type { Links, Objects, Store } from "@manifold-gateway/store";
import { withDefaults } from "../check-options.ts";
import { createJobs, defaultJobLimits, type Registry, systemClock } from "../jobs/index.ts";
import type { BatchLimits, JobLimits } from "../ports/limits.ts";
import type { Log } from "../ports/log.ts";
import type { Media } from "../ports/media.ts";
import type { Observer } from "../ports/observer.ts";
import type { CircuitBreakers, CredentialPool } from "../ports/routing.ts";
import { entryId } from "../routing/candidate.ts";
import { createOutputFetch } from "./outputs.ts";
import { shareProber } from "./shared-prober.ts";
import { observeSubmissions } from "./submission-health.ts";

/** The settings for serving media. */
export interface MediaOptions {
  /** The store of outputs, inputs and assets. It stays open when the gateway closes. */
  objects: Objects;
  /** Verifies links to objects on disk, which are then served below `/api/objects`. */
  links?: Links;
  /** Links to objects are accessible to providers. Default: false, so providers are sent bytes. */
  isPublic?: boolean;
  /** Default: all known voices. */
  voices?: readonly Voice[];
  /** Address ranges that callers may name besides public addresses, such as `10.1.0.0/16`. */
  allow?: readonly string[];
  /**
   * Fetches from addresses that callers name, and outputs that are elsewhere than at their providers. Default: a
   * fetch that reaches public addresses and those in `allow`.
   */
  fetch?: GuardedFetch;
  /** Default: a prober with threads of its own. */
  prober?: Prober;
  /** Limits of jobs that differ from the defaults. */
  jobs?: Partial<JobLimits>;
  /** Limits of files and batches that differ from the defaults. */
  batches?: Partial<BatchLimits>;
  /** True if this process works on jobs and batches, besides accepting them. Default: true. */
  runJobs?: boolean;
}

interface Around {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  transport: Transport;
  policy: "threshold" | "strict";
  health: CircuitBreakers;
  credentials: CredentialPool;
  log: Log;
  observer?: Observer | undefined;
  now(): number;
}

/**
 * Creates the media services of a gateway and starts them. `close` drops running steps; the next start continues
 * them.
 */
export function createMedia(
  {
    objects,
    links,
    isPublic = false,
    voices = knownVoices,
    allow,
    runJobs: works = true,
    ...given
  }: MediaOptions,
  { store, providers, transport, policy, health, credentials, log, observer, now }: Around,
): Media & { close(): Promise<void> } {
  const fetch = given.fetch ?? createGuardedFetch({ ...(allow && { allow }) });
  const prober = given.prober ?? createProber();
  const probes = shareProber(prober);
  const jobs = createJobs({
    store,
    objects,
    fetch,
    probes,
    isPublic,
    policy,
    log,
    ...(observer && { observer }),
    client: createLineClient(transport),
    credentials,
    fetchOutput: createOutputFetch({ providers, allow, fetch: given.fetch }),
    registry: registryOf(providers),
    clock: { ...systemClock, now },
    enter: ({ model, accountId }, entry) => health.enter(entryId({ id: model }, entry), accountId),
    onSubmitted: observeSubmissions(health),
    onNotDispatched: ({ model, entry, accountId }) =>
      entry && health.inconclusive(entryId({ id: model }, entry), accountId),
    service: ({ provider, wire }, operation) => {
      const service = providers.get(provider)?.serves?.[operation];
      return service?.wire === wire ? service : undefined;
    },
    ...(given.jobs && { limits: given.jobs }),
  });
  if (works) jobs.start();
  return {
    jobs,
    objects,
    fetch,
    probes,
    voices,
    isPublic,
    limits: withDefaults(defaultJobLimits, given.jobs),
    ...(links && { links }),
    async close() {
      await jobs.close();
      if (!given.prober) await prober.close();
    },
  };
}

/** The registry of identity assets: that of the first provider that has one. */
function registryOf(providers: ReadonlyMap<string, Provider>): Registry | undefined {
  for (const { id, serves } of providers.values())
    if (serves?.asset) return { provider: id, service: serves.asset };
  return undefined;
}
