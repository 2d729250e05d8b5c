import type { Line, Service } from "@manifold-gateway/providers";
import { watchClient } from "../observe/job.ts";
import type { ObservedAttempt } from "../ports/observer.ts";
import { pseudonymOf } from "./keys.ts";
import type { LeasedJob } from "./leased-job.ts";

/** The connection to a provider for a job's calls. */
export const lineOf = (
  held: LeasedJob,
  service: Service,
  operation: ObservedAttempt["operation"],
  publish?: Line["publish"],
): Line => ({
  service,
  client: clientOf(held, service, operation),
  signal: held.signal,
  now: held.deps.clock.now,
  model: held.job.entry?.name ?? "",
  user: pseudonymOf(held.job.accountId),
  deadline: held.job.deadline,
  ...(publish && { publish }),
});

/** The client of a job. If the job is observed, so are its calls. */
export function clientOf(
  { deps, watch, job }: LeasedJob,
  service: Service,
  operation: ObservedAttempt["operation"],
): Line["client"] {
  const { client } = deps.providers;
  if (!watch) return client;
  const { provider = "", name = "" } = job.entry ?? {};
  return watchClient(client, watch, {
    operation,
    provider,
    name,
    origin: service.origin,
    protocol: service.wire,
  });
}

/** Wraps a client to record whether it was called, and the status of its last answer. */
export function noteCalls(client: Line["client"]): {
  client: Line["client"];
  calls: { sent: boolean; status?: number };
} {
  const calls: { sent: boolean; status?: number } = { sent: false };
  const recordingClient = new Proxy(client, {
    apply(call, _, [input, options]: Parameters<Line["client"]>) {
      calls.sent = true;
      const answer = call(input, options);
      answer.then(
        ({ status }) => {
          calls.status = status;
        },
        () => {},
      );
      return answer;
    },
  });
  return { client: recordingClient, calls };
}
