import type { JsonObject } from "@manifold-gateway/core/codec";
import { toUsd } from "@manifold-gateway/store";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { EventName, Events } from "../ports/events.ts";
import type { JobWatch, ObservedAttempt, ObservedJob, Observer, Watch } from "../ports/observer.ts";
import { createListener } from "./listener.ts";

/** The most listeners of one owner and in total, in this process. */
const MOST_OF_OWNER = 8;
const MOST = 100;

/** Sends an event of an account. Only operators see `inner`. */
type Emit = (event: EventName, data: JsonObject, inner?: JsonObject) => void;

interface Registration {
  owner: string;
  account: string | undefined;
  listener: ReturnType<typeof createListener>;
}

export function createEvents(now: () => number, steady: () => number): Events {
  const all = new Set<Registration>();
  const emit = (account: string | undefined, event: EventName, data: JsonObject, inner: JsonObject): void => {
    const at = momentOf(now());
    for (const { account: only, listener } of all) {
      if (only === undefined)
        listener.send({ event, data: { at, ...data, ...inner, ...(account !== undefined && { account }) } });
      else if (only === account) listener.send({ event, data: { at, ...data } });
    }
  };
  const emitterOf =
    (account: string): Emit =>
    (event, data, inner = {}) =>
      emit(account, event, data, inner);
  const observer: Observer = {
    started: ({ id, surface, route }) => watchRequest(emitterOf, steady, { request: id, surface, route }),
    stepped: (job) => watchStep(emitterOf(job.accountId), job),
  };
  return {
    observer: () => (all.size > 0 ? observer : undefined),
    circuit(entry, circuit, account) {
      for (const { account: only, listener } of all)
        if (only === undefined)
          listener.send({
            event: "circuit",
            data: {
              at: momentOf(now()),
              entry,
              circuit,
              ...(account !== undefined && { account }),
            },
          });
    },
    listen({ owner, account }) {
      const count = [...all].filter((one) => one.owner === owner).length;
      if (count >= MOST_OF_OWNER || all.size >= MOST)
        throw new Refusal(
          "too_many_listeners",
          "The limit of event listeners is reached. Close another page with live events, and try again.",
          { headers: { "retry-after": "5" } },
        );
      const kept: Registration = { owner, account, listener: createListener(() => void all.delete(kept)) };
      all.add(kept);
      return kept.listener;
    },
    stop() {
      for (const { listener } of [...all]) listener.close();
    },
  };
}

/** Follows a request. Requests without a generation send no event. */
function watchRequest(
  emitterOf: (account: string) => Emit,
  steady: () => number,
  { request, ...about }: { request: string; surface: string; route: string },
): Watch {
  const began = steady();
  let emit: Emit = () => {};
  let attempts = 0;
  return {
    admitted({ accountId, keyName }) {
      emit = emitterOf(accountId);
      emit("request", {
        request,
        state: "started",
        ...about,
        ...(keyName !== undefined && { key: keyName }),
      });
    },
    attempt(attempt) {
      attempts += 1;
      return watchAttempt(emit, { request, attempt: attempts }, attempt);
    },
    firstByte: () => emit("request", { request, state: "answering", ms: Math.round(steady() - began) }),
    settled({ id: generation, modality, model, status, usage, cost, durationMs }) {
      const counts = { input: usage?.input, output: usage?.output };
      emit("settled", {
        ...{ request, generation, modality, model, status, durationMs },
        usdCost: toUsd(cost),
        ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined)),
      });
    },
    ended: (status) => emit("request", { request, state: "ended", status, ms: Math.round(steady() - began) }),
  };
}

function watchAttempt(
  emit: Emit,
  labels: JsonObject,
  { operation, protocol, stream, provider, name }: ObservedAttempt,
) {
  emit("attempt", { ...labels, state: "sent", operation, protocol, stream }, { provider, name });
  return {
    answered: (status: number) => emit("attempt", { ...labels, state: "answered", status }),
    failed: (fault: string) => emit("attempt", { ...labels, state: "failed", fault }),
  };
}

function watchStep(emit: Emit, { id: job, kind, model, phase, entry }: ObservedJob): JobWatch {
  const inner = entry && { provider: entry.provider, name: entry.name };
  const about = { job, kind, model, ...(entry && { entry: entry.id }) };
  emit("job", { ...about, state: "running", phase }, inner);
  return {
    settled: ({ status, cost, durationMs, error, orphan }) =>
      emit(
        "job",
        {
          ...about,
          ...{ state: status, durationMs, orphan, usdCost: toUsd(cost) },
          ...(error !== undefined && { error }),
        },
        inner,
      ),
  };
}
