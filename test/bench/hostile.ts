import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSimulator } from "@manifold-gateway/simulator";
import { launchGateway } from "../system/money/process.ts";
import { PATH, POOR } from "./attacks.ts";
import { type Load, quantile, steady } from "./load.ts";

/** Since the one before, in ms. */
interface Took {
  all: number;
  cpu: number;
  /** Ready to run, without a core. */
  waited: number;
  lag: { p50: number; p99: number; most: number };
  mebibytes: number;
}

const HONEST = 50;
const HOSTILE = 200;
const RICH = "key-of-somebody-honest-0123456789";
const WATCHED = join(import.meta.dirname, "watched.ts");

/**
 * Honest requests beside hostile ones, on a server with a heap of 1 GiB: how long the honest ones took, how long the
 * event loop stood still and what it cost, alone and then under attack, of all kinds or of the `kinds` that are named.
 *
 * The machine's other work shows in the honest ones' times and in the standstills; "waited" is how long the server was
 * ready to run and had no core. The CPU of a hostile request hardly depends on it.
 */
export async function benchHostile(seconds: number, kinds: string[]): Promise<void> {
  const simulator = createSimulator();
  const { origin: upstream } = await simulator.listen(0);
  const folder = mkdtempSync(join(tmpdir(), "manifold-hostile-"));
  process.env.NODE_OPTIONS = `--max-old-space-size=1024 ${process.env.NODE_OPTIONS ?? ""}`;
  const gateway = launchGateway(
    {
      store: `sqlite:${join(folder, "hostile.db")}`,
      providers: { p: { protocol: "chatstyle", origin: upstream, key: "secret" } },
      models: {
        m: { entries: [{ provider: "p", name: "sim-chatstyle", price: { input: 1, output: 2 } }] },
      },
      accounts: {
        honest: { balance: 1_000_000, keys: { only: RICH } },
        hostile: { balance: 1_000, keys: { only: POOR } },
      },
    },
    [WATCHED],
  );
  const lines = (): string[] => gateway.output().match(/^watched .*$/gm) ?? [];
  const took = async (): Promise<Took> => {
    const before = lines().length;
    gateway.signal("SIGUSR2");
    while (lines().length === before) await setTimeout(10);
    return JSON.parse((lines().at(-1) as string).slice("watched ".length)) as Took;
  };
  const told = (title: string, times: number[], { all, cpu, waited, lag, mebibytes }: Took): void =>
    console.log(
      [
        title,
        `  honest      ${times.length} answers, p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}, most ${ms(quantile(times, 1))}`,
        `  event loop  p50 ${ms(lag.p50)}, p99 ${ms(lag.p99)}, most ${ms(lag.most)}`,
        `  server      ${percent(cpu / all)} of a core used, ${percent(waited / all)} waited for, ${mebibytes.toFixed(0)} MiB at its most`,
      ].join("\n"),
    );
  try {
    const origin = await gateway.listening;
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }] });
    const honest: Load = { origin, path: PATH, body, headers: () => ({ "x-api-key": RICH }) };
    await steady(honest, HONEST, 4);
    await took();
    const alone = await steady(honest, HONEST, seconds);
    const quiet = await took();
    told("alone", alone, quiet);

    const attacker = fork(join(import.meta.dirname, "attacker.ts"), [
      new URL(origin).port,
      String(HOSTILE),
      ...(kinds.length > 0 ? [kinds.join()] : []),
    ]);
    const beside = await steady(honest, HONEST, seconds);
    const busy = await took();
    const { struck, became } = await new Promise<{ struck: number; became: unknown }>((resolve) => {
      attacker.once("message", (message) => resolve(message as never));
      attacker.send("end");
    });
    told(`beside ${struck} hostile requests`, beside, busy);
    const cost = busy.cpu - (quiet.cpu / quiet.all) * busy.all;
    console.log(`  hostile     ${(cost / struck).toFixed(2)} ms of CPU each; ${JSON.stringify(became)}`);
  } finally {
    await gateway.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
