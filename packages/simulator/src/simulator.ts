import type { AddressInfo } from "node:net";
import { createBatches, type SimulatedBatches } from "./batches/batches.ts";
import { createPromptCache } from "./content/prompt-cache.ts";
import type { State } from "./http/exchange.ts";
import { runLine } from "./http/run-line.ts";
import { answer, createHttpServer } from "./http/server.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { createMediaStore } from "./media/media-store.ts";
import type { SimulatorOptions } from "./options.ts";
import { createScripts, type Scripts } from "./script/script.ts";

/** A deterministic upstream for text, embeddings and media on every wire, strict about what it is sent. */
export interface Simulator {
  /** Listens on a port of a host. Default: a free port of the loopback. */
  listen(port?: number, host?: string): Promise<{ origin: string }>;
  /** Answers a request by its path, whatever host it names, without a port. Rejects as `fetch` does. */
  fetch(request: Request): Promise<Response>;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
  /** The record of every exchange so far. */
  readonly ledger: Ledger;
  /**
   * Enqueues directives for requests to come, written as a client would write them into its text or as data:
   * `script("[[fault:status=429,retry-after=2]]", { model: "sim-text", times: 2 })`.
   */
  script: Scripts["add"];
  /** The batches of requests, and how fast they are run. */
  readonly batches: Pick<SimulatedBatches, "all" | "files" | "pace">;
  /** Ends all media jobs according to their outcomes, however often their states were read. */
  finish(): void;
  /** Forgets the ledger, scripts, counted faults, cached prompts, remembered responses and media. */
  reset(): void;
}

/** Creates a simulator with state of its own, which answers `fetch` and listens after `listen`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const size = options.ledgerSize ?? 5000;
  const mediaStore = createMediaStore(size);
  const state: State = {
    options,
    ledger: createLedger(size, mediaStore.jobs.all),
    mediaStore,
    batches: createBatches((request) => runLine(state, request)),
    scripts: createScripts(),
    cache: createPromptCache(),
    memory: new Map(),
    happened: new Map(),
  };
  const server = createHttpServer(state);
  return {
    listen: (port = 0, host = "127.0.0.1") =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          const { address, port: bound, family } = server.address() as AddressInfo;
          resolve({ origin: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}` });
        });
      }),
    fetch: (request) => answer(state, request),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    ledger: state.ledger,
    batches: state.batches,
    script: state.scripts.add,
    finish() {
      const now = (options.now ?? Date.now)();
      for (const job of mediaStore.jobs.all) mediaStore.jobs.finish(job, now);
    },
    reset() {
      for (const part of [
        state.ledger,
        mediaStore,
        state.batches,
        state.scripts,
        state.cache,
        state.memory,
        state.happened,
      ])
        part.clear();
    },
  };
}
