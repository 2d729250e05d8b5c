import { choose, MEASUREMENTS, type Measurement } from "./choice.ts";
import { benchCodecs } from "./codecs.ts";
import { sayCores } from "./cores.ts";
import { benchHostile } from "./hostile.ts";
import { benchObserver } from "./observe.ts";
import { benchCold } from "./profiles/cold.ts";
import { benchDisk } from "./profiles/disk.ts";
import { benchGrowth } from "./profiles/growth.ts";
import { benchLatency } from "./profiles/latency.ts";
import { benchMemory } from "./profiles/memory.ts";
import { benchMix } from "./profiles/mix.ts";
import { benchThroughput, benchTranslation } from "./profiles/throughput.ts";
import { createReport, type Report } from "./report.ts";
import { openRig, type Rig } from "./rig.ts";

/**
 * Measures the gateway beside proxies that do less, a careful gateway that does the least, and other gateways: the same
 * upstream, alternating rounds in one run, told as ratios. Absolute numbers drift with the machine; ratios hold.
 * docs/performance.md says how to choose what is measured, and how to read it.
 */
type Run = (title: string, rig: Rig, report: Report) => Promise<void>;
const throughput =
  (name: Parameters<typeof benchThroughput>[0]): Run =>
  (title, rig, report) =>
    benchThroughput(name, title, rig, report);

const runs: Record<Measurement, Run> = {
  small: throughput("small"),
  burst: throughput("burst"),
  paced: throughput("paced"),
  body: throughput("body"),
  translate: benchTranslation,
  mix: benchMix,
  latency: benchLatency,
  cold: benchCold,
  memory: benchMemory,
  disk: benchDisk,
  growth: benchGrowth,
  codecs: async (_, _rig, report) => benchCodecs(report),
  observer: (title, _, report) => benchObserver(title, report),
};

// What was started ends with this process, however that ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const words = process.argv.slice(2);
if (words[0] === "hostile") {
  const [, seconds, ...kinds] = words;
  await benchHostile(Number(seconds ?? 30), kinds);
} else {
  const { measurements, ...choice } = choose(words);
  const report = createReport();
  const rig = await openRig(choice);
  try {
    for (const name of measurements) {
      await runs[name](MEASUREMENTS[name], rig, report);
      await rig.clear();
    }
  } finally {
    await rig.close();
  }
  console.log(`\n${sayCores(rig.cores)}\n\n${report.table()}`);
}
process.exit(0);
