import type { CredentialHealth, EntryHealth, Gateway } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { Counter, Gauge, type Registry } from "prom-client";

/** The members of a gateway that the metrics read. */
export type WatchedGateway = Pick<Gateway, "credentials" | "health" | "learntTraits" | "loads">;

/** The members of a store that the metrics read. */
export interface WatchedStore {
  jobs: Pick<Store["jobs"], "depth">;
  money: Pick<Store["money"], "lateSettlements">;
  outbox?: Pick<Store["outbox"], "depth">;
  reader?: Store["reader"];
}

const CIRCUITS: readonly EntryHealth["circuit"][] = ["closed", "half-open", "open"];
const CREDENTIALS: readonly CredentialHealth["state"][] = ["ready", "cooling", "denied"];

/** Adds metrics to a registry that are computed only when it is read. */
export function showState(registry: Registry, gateway: WatchedGateway, store?: WatchedStore): void {
  const registers = [registry];
  new Gauge({
    name: "manifold_entry_circuit",
    help: "1 for the state that the circuit of a model entry is in.",
    labelNames: ["entry", "state"],
    registers,
    collect() {
      this.reset();
      for (const [entry, { circuit }] of gateway.health())
        for (const state of CIRCUITS) this.set({ entry, state }, Number(circuit === state));
    },
  });
  new Gauge({
    name: "manifold_entry_circuit_accounts",
    help: "Accounts for which the circuit of a model entry is open because of their own failures.",
    labelNames: ["entry"],
    registers,
    collect() {
      this.reset();
      for (const [entry, { openAccounts = 0 }] of gateway.health()) this.set({ entry }, openAccounts);
    },
  });
  new Gauge({
    name: "manifold_provider_calls",
    help: "Running and waiting calls at a provider with a limit.",
    labelNames: ["provider", "state"],
    registers,
    collect() {
      this.reset();
      for (const [provider, { running, waiting }] of gateway.loads()) {
        this.set({ provider, state: "running" }, running);
        this.set({ provider, state: "waiting" }, waiting);
      }
    },
  });
  new Gauge({
    name: "manifold_provider_credential",
    help: "1 for the state of a credential, at providers with several.",
    labelNames: ["provider", "credential", "state"],
    registers,
    collect() {
      this.reset();
      for (const { provider, credential, state: is } of gateway.credentials())
        for (const state of CREDENTIALS) this.set({ provider, credential, state }, Number(state === is));
    },
  });
  new Gauge({
    name: "manifold_learnt_traits",
    help: "What a provider's refusals have shown of a model in the last day, by the provider's name for it.",
    labelNames: ["provider", "name"],
    registers,
    collect() {
      this.reset();
      for (const { provider, name } of gateway.learntTraits()) this.inc({ provider, name });
    },
  });
  if (!store) return;
  const { jobs, money, outbox, reader } = store;
  if (reader) {
    new Gauge({
      name: "manifold_reader_up",
      help: "1 while lists and sums come from the replica, 0 while they come from the primary.",
      registers,
      collect() {
        this.set(Number(reader.delayMs() !== undefined));
      },
    });
    new Gauge({
      name: "manifold_reader_delay_seconds",
      help: "How far the replica is behind, at most, while lists and sums come from it.",
      labelNames: [],
      registers,
      collect() {
        const delay = reader.delayMs();
        if (delay === undefined) this.remove();
        else this.set(delay / 1_000);
      },
    });
  }
  new Counter({
    name: "manifold_settlements_late_total",
    help: "Settlements of generations that recovery had ended, because this process counted as dead.",
    registers,
    collect() {
      this.reset();
      this.inc(money.lateSettlements());
    },
  });
  type Depth = Awaited<ReturnType<Store["jobs"]["depth"]>>[number];
  const shown: [name: string, help: string, measure: (depth: Depth) => number][] = [
    ["live", "Unfinished jobs in the whole database.", ({ count }) => count],
    [
      "oldest_seconds",
      "Age of the oldest unfinished job in the whole database.",
      ({ oldest }) => Math.max(0, Date.now() - oldest) / 1000,
    ],
  ];
  for (const [name, help, measure] of shown)
    new Gauge({
      name: `manifold_jobs_${name}`,
      help,
      labelNames: ["kind", "state"],
      registers,
      async collect() {
        // If the database is unreachable, only these metrics are missing.
        const depths = await jobs.depth().catch(() => []);
        this.reset();
        for (const depth of depths) this.set({ kind: depth.kind, state: depth.state }, measure(depth));
      },
    });
  if (!outbox) return;
  type Waiting = Awaited<ReturnType<Store["outbox"]["depth"]>>[number];
  const waiting: [name: string, help: string, measure: (waiting: Waiting) => number][] = [
    ["waiting", "Events that an endpoint is still to have.", ({ count }) => count],
    [
      "oldest_seconds",
      "Age of the oldest event that an endpoint is still to have.",
      ({ oldest }) => Math.max(0, Date.now() - oldest) / 1000,
    ],
  ];
  for (const [name, help, measure] of waiting)
    new Gauge({
      name: `manifold_webhooks_${name}`,
      help,
      labelNames: ["endpoint"],
      registers,
      async collect() {
        const depths = await outbox.depth().catch(() => []);
        this.reset();
        for (const depth of depths) this.set({ endpoint: depth.endpoint }, measure(depth));
      },
    });
}
