import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * The server as it is run, which prints with each SIGUSR2 what it took since the one before: a line of JSON behind
 * `watched`.
 */
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
let before = { at: 0, cpu: 0, waited: 0 };
process.on("SIGUSR2", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const now = {
    at: performance.now(),
    cpu: (userCPUTime + systemCPUTime) / 1_000,
    waited: waitedForACore(),
  };
  const took = {
    all: now.at - before.at,
    cpu: now.cpu - before.cpu,
    waited: now.waited - before.waited,
    lag: { p50: lag.percentile(50) / 1e6, p99: lag.percentile(99) / 1e6, most: lag.max / 1e6 },
    mebibytes: maxRSS / 1024,
  };
  before = now;
  lag.reset();
  console.log(`watched ${JSON.stringify(took)}`);
});

/** How long the event loop's thread was ready to run while others had the cores, in ms; where Linux tells. */
function waitedForACore(): number {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

await import("../../apps/server/src/main.ts");
