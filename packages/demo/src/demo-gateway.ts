import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "@manifold-gateway/providers";
import type { Simulator } from "@manifold-gateway/simulator";
import { type VirtualClock, withLatency } from "./clock.ts";
import { fetchSample } from "./files.ts";
import type { DemoHost } from "./host.ts";
import type { TrafficRequest } from "./requests/traffic-request.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of our own service, read by their names
type Json = any;

/** The real gateway and the real simulator, in the virtual time of a clock. */
export interface Stage {
  clock: VirtualClock;
  /** Sends a request of the operator; throws unless it succeeds. */
  operate(method: string, path: string, body?: object): Promise<Json>;
  /** Sends a request with a key or another credential; returns any answer. */
  call(path: string, credential: Record<string, string>, body?: object, method?: string): Promise<Response>;
  /** Sends a request of the traffic and waits for its job. Resolves to the generation's id, if there is one. */
  send(request: TrafficRequest, key: string): Promise<string | undefined>;
  close(): Promise<void>;
}

const ORIGIN = "http://demo.localhost";
const ENDED = new Set(["succeeded", "failed", "cancelled", "expired", "aborted", "active"]);
/** The virtual time between two checks of a job, and the real time. */
const CHECK_MS = 3_000;
const REAL_MS = 8;
const MAX_CHECKS = 500;

export interface StageOptions {
  host: DemoHost;
  simulator: Simulator;
  clock: VirtualClock;
}

export async function openStage({ host, simulator, clock }: StageOptions): Promise<Stage> {
  const gateway = await host.openGateway({
    origin: ORIGIN,
    now: clock.now,
    transport: withLatency(createTransport(), clock),
    fetch: fetchSample,
    // Due jobs are checked often, since the virtual time runs ahead of the machine's timers.
    jobs: { rest: REAL_MS, poll: paces },
  });

  const call: Stage["call"] = async (path, credential, body, method = body ? "POST" : "GET") =>
    gateway.fetch(
      new Request(ORIGIN + path, {
        method,
        headers: { ...credential, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );

  /** Runs work that waits for a job, and advances the clock meanwhile. */
  const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
    const ticking = setInterval(() => clock.pass(CHECK_MS), REAL_MS);
    return work.finally(() => clearInterval(ticking));
  };

  const follow = async (path: string, key: string, step = CHECK_MS): Promise<void> => {
    let job: Json;
    for (let looks = 0; looks < MAX_CHECKS; looks++) {
      job = await (await call(path, { "x-api-key": key })).json();
      if (ENDED.has(job.status)) return;
      clock.pass(step);
      await wait(REAL_MS);
    }
    throw new Error(`${path} never ended: ${JSON.stringify(job)}`);
  };

  const send: Stage["send"] = async (request, key) => {
    const scripts = request.scripts ?? [];
    const unscripts = scripts.map(({ directives, operation }) => simulator.script(directives, { operation }));
    try {
      return await perform(request, key);
    } finally {
      // Unused faults of a refused request would otherwise hit another request.
      for (const unscript of unscripts) unscript();
    }
  };

  const perform = async (request: TrafficRequest, key: string): Promise<string | undefined> => {
    const answering = call(request.path, { "x-api-key": key }, request.body);
    const response = await (isMedia(request) ? meanwhile(answering) : answering);
    const generation = response.headers.get("x-generation-id") ?? undefined;
    if (request.leaves && response.ok) {
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await follow(`/api/compat/v1/usage/${generation}`, key, 0);
      return generation;
    }
    const text = await response.text();
    if (request.job === undefined || !response.ok) return generation;
    const { taskId, generationId, assetId }: Json = JSON.parse(text);
    const path = request.job + (taskId ?? assetId ?? generationId);
    if (request.cancels) await (await call(path, { "x-api-key": key }, undefined, "DELETE")).text();
    await follow(path, key);
    return generation;
  };

  return {
    clock,
    call,
    send,
    async operate(method, path, body) {
      const operator = { "x-admin-key": host.adminKey };
      const response = await call(`/api/admin${path}`, operator, body, method);
      const answer: Json = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
      return answer;
    },
    close: () => gateway.close(),
  };
}

const isMedia = ({ path }: TrafficRequest): boolean => /\/(image|video|audio|kyc)\//.test(path);

const pace = { initial: 9_000, max: 20_000, factor: 1.5 };
const paces = { image: pace, video: pace, speech: pace, asset: pace };
