import cluster from "node:cluster";
import type { Metrics } from "@manifold-gateway/gateway";
import { describeFindings } from "../catalog/discovery-report.ts";
import { describeError } from "../error-message.ts";
import { type Host, startHost } from "../host.ts";
import { createLog } from "../logging/log.ts";
import type { Membership, Order, Report } from "./messages.ts";
import type { StopReason } from "./service.ts";
import { exitAfter, onUncaught } from "./signals.ts";

/** A process as one of several that serve together. */
export interface Member extends Membership {
  /** Returns a function for the metrics of all processes; `local` returns this process's. */
  gather(local: () => Promise<Metrics>): () => Promise<Metrics>;
}

/** Milliseconds that a process waits, after a signal, for an order of its supervisor. */
const SIGNALLED_MS = 500;

/** Serves what the supervisor orders, until it orders a stop. */
export function serveAsMember(): void {
  const link = openLink();
  let host: Host | undefined;
  let log = createLog("info");
  let isStopping = false;
  /** Stops once; further calls have no effect, because the supervisor decides when a stop takes too long. */
  const stop = (code: number, why?: StopReason): void => {
    if (isStopping) return;
    isStopping = true;
    exitAfter(host?.stop(why) ?? Promise.resolve(), code, log);
  };
  const start = async ({ config, env, source, ...membership }: Order & { type: "start" }): Promise<void> => {
    log = createLog(config.server.log, {
      base: { process: membership.number },
      format: config.server.logFormat,
    });
    try {
      host = await startHost({
        ...{ config, env, source, log, warmUp: true },
        member: { ...membership, gather: link.gather },
      });
      link.report({ type: "listening", origin: host.origin, findings: describeFindings(host.findings()) });
    } catch (error) {
      link.report({ type: "failed", why: describeError(error) }, () => process.exit(1));
    }
  };
  link.onOrder((order) => {
    if (order.type === "start") void start(order);
    else if (order.type === "freeze") host?.freeze(order.isOn);
    else if (order.type === "reloaded") host?.noteReload(order.outcome);
    else stop(0, order.why);
  });
  // A terminal and some service managers signal all processes, the supervisor too, which then orders the stop.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => setTimeout(stop, SIGNALLED_MS, 0, "replaced"));
  process.on("SIGHUP", () => {});
  onUncaught((error, event) => {
    log.error({ error }, event);
    stop(1);
  });
  cluster.worker?.once("disconnect", () => {
    // Otherwise this process would exit at once and cut off running requests.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    log.error({}, "the supervisor has ended; stopping");
    stop(1, "orphaned");
  });
}

/** Opens the channel of messages to and from the supervisor. */
function openLink() {
  const pending = new Map<number, (metrics: Metrics) => void>();
  let measure: () => Promise<Metrics | undefined> = async () => undefined;
  let asking = 0;
  /** Sends a report. `sent` is called even if the supervisor has ended. */
  const report = (message: Report, sent: () => void = () => {}): void => void process.send?.(message, sent);
  return {
    report,
    onOrder: (obey: (order: Order & { type: "start" | "freeze" | "reloaded" | "stop" }) => void): void => {
      process.on("message", (order: Order) => {
        if (order.type === "metrics") pending.get(order.id)?.(order.metrics);
        else if (order.type === "measure")
          measure().then(
            (metrics) => report({ type: "measured", id: order.id, metrics }),
            () => report({ type: "measured", id: order.id, metrics: undefined }),
          );
        else obey(order);
      });
    },
    gather: (local: () => Promise<Metrics>) => {
      measure = local;
      return (): Promise<Metrics> =>
        new Promise((resolve) => {
          const id = ++asking;
          pending.set(id, (metrics) => {
            pending.delete(id);
            resolve(metrics);
          });
          report({ type: "metrics", id });
        });
    },
  };
}
