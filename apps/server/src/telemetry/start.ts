import { combineObservers, type Gateway, type GatewayOptions, type Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";
import type { Telemetry } from "../config/telemetry.ts";
import type { Member } from "../processes/member.ts";

/** The monitoring of the service while it runs. */
export interface Watching {
  /** The options of a gateway. */
  options: Pick<GatewayOptions, "observer" | "metrics">;
  /** The store to use, which times its commits. */
  store: Store;
  /** The separate address of metrics, if there is one. */
  origin?: string;
  /** To be called once there is a gateway. */
  watch(gateway: Gateway): void;
  /** Sends metrics for the last time, while there is a store to read. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the configured telemetry; libraries of disabled parts are not loaded. */
export async function startTelemetry(
  { metrics, traces }: Telemetry,
  store: Store,
  log: Pick<Log, "warn">,
  member?: Member,
): Promise<Watching> {
  const labels = member && { process: String(member.number) };
  const meter = metrics && (await import("./metrics.ts")).createMeter(labels);
  const text = meter && (member ? member.gather(meter.text) : meter.text);
  const tracing =
    traces && (await loadTraces()).startTraces(traces, (fault) => log.warn(fault, "traces not sent"));
  const listener =
    text && metrics?.port !== undefined
      ? await (await import("./listen.ts")).listenForMetrics({ host: metrics.host, port: metrics.port }, text)
      : undefined;
  const push =
    meter && metrics?.push
      ? (await import("./otlp.ts")).pushMetrics(meter.registry, metrics.push, (fault) =>
          log.warn(fault, "metrics push failed"),
        )
      : undefined;
  const observer = combineObservers([meter, tracing].flatMap((one) => (one ? [one.observer] : [])));
  return {
    options: { ...(observer && { observer }), ...(text && { metrics: text }) },
    store: meter ? meter.time(store) : store,
    ...(listener && { origin: listener.origin }),
    watch: (gateway) => meter?.watch(gateway, store),
    flush: async () => push?.close(),
    async close() {
      await listener?.close();
      await tracing?.close();
    },
  };
}

/** The command that installs the SDK for traces. */
export const INSTALL_TRACES =
  "npm install @opentelemetry/core@3 @opentelemetry/exporter-trace-otlp-http@0.301 @opentelemetry/resources@3 @opentelemetry/sdk-trace@3";

/** Loads the tracing SDK, an optional peer dependency that only installations with traces need. */
async function loadTraces() {
  try {
    return await import("./traces.ts");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ConfigError(`telemetry.traces: the SDK that sends them is not installed: ${INSTALL_TRACES}`);
  }
}
