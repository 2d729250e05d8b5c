import type { Log } from "@manifold-gateway/gateway";
import { warmUp } from "@manifold-gateway/gateway/warm-up";
import { errorFields } from "@manifold-gateway/store";
import type { Config } from "./config/schema.ts";
import { createHttpServer } from "./listener/server.ts";
import { createLog } from "./logging/log.ts";

/** Limits far above what the warm-up needs, in place of those of the configuration. */
const LIMITS = { connections: 1_000, connectionsPerAddress: 1_000, requestsPerMinutePerAddress: 1_000_000 };

/** Warms up this process for as long as is configured. A failure costs only speed, so it is logged. */
export async function warmUpProcess(
  { warmUp: milliseconds }: Pick<Config["server"], "warmUp">,
  log: Log,
  run = warmUp,
): Promise<void> {
  if (milliseconds === 0) return;
  try {
    await run({
      milliseconds,
      // Log lines are formatted, because each request does that, and then dropped.
      log: createLog("info", { write() {} }),
      createServer: (gateway) => createHttpServer(gateway, LIMITS, { hasCredential: gateway.hasCredential }),
    });
  } catch (error) {
    log.warn(errorFields(error), "warm-up failed");
  }
}
