import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { createMeter } from "../../apps/server/src/telemetry/metrics.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const read = (path: string): string => readFileSync(join(DEPLOY, path), "utf8");

/** What several processes add to the metrics of each. */
const OF_SUPERVISOR = ["manifold_process_up", "manifold_process_restarts_total"];

/** Every name that `/metrics` can have, with the series of histograms. */
function known(): Set<string> {
  const meter = createMeter();
  meter.watch(
    { credentials: () => [], health: () => new Map(), learntTraits: () => [], loads: () => new Map() },
    {
      jobs: { depth: async () => [] },
      money: { lateSettlements: () => 0 },
      reader: { delayMs: () => undefined },
    },
  );
  const names = meter.registry
    .getMetricsAsArray()
    .flatMap(({ name }) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]);
  return new Set([...names, ...OF_SUPERVISOR]);
}

const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:manifold|process)_[a-z_]+\b/g))];

describe("what is deployed", () => {
  it.each(["prometheus/manifold.rules.yml", "grafana/manifold.json"])(
    "%s names only metrics that the server has",
    (path) => {
      const names = namesIn(read(path));
      expect(names.length).toBeGreaterThan(9);
      const all = known();
      expect(names.filter((name) => !all.has(name))).toEqual([]);
    },
  );

  it("every alarm has its row in docs/operations.md, and no other has, and is tried", () => {
    const named = (text: string, pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, name]) => name!).sort();
    const page = readFileSync(join(DEPLOY, "../docs/operations.md"), "utf8");
    const alarms = named(read("prometheus/manifold.rules.yml"), /alert: (\w+)/g);
    expect(alarms.length).toBeGreaterThan(9);
    expect(named(page, /^\| `(Manifold\w+)` \|/gm)).toEqual(alarms);
    const tried = named(read("prometheus/manifold.rules.test.yml"), /alertname: (\w+)/g);
    expect([...new Set(tried)]).toEqual(alarms);
  });

  const promtool = (...words: string[]) => spawnSync("promtool", words, { encoding: "utf8" });
  const missing = promtool("--version").error !== undefined;
  it.skipIf(missing)(`alerts when it should${missing ? " (there is no promtool on the PATH)" : ""}`, () => {
    const { status, stdout, stderr } = promtool(
      "test",
      "rules",
      join(DEPLOY, "prometheus/manifold.rules.test.yml"),
    );
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  it.each(["sqlite", "cluster"])("the configuration of compose/%s.yml can be used", (name) => {
    const compose = read(`compose/${name}.yml`);
    // The secrets that compose hands over, as if each file held the name of its variable.
    const given = [...compose.matchAll(/^\s+([A-Z_]+)_FILE: \/run\/secrets\/[\w-]+$/gm)].map(
      ([, one]) => one,
    );
    const env = Object.fromEntries(given.map((one) => [one, `${one}-`.padEnd(64, "a")]));
    if (env.SEAL) env.SEAL = "a".repeat(64);
    if (env.DATABASE_URL) env.DATABASE_URL = "postgres://manifold:password@postgres:5432/manifold";
    const value = JSON.parse(read(`compose/manifold.${name}.json`));
    expect(parseConfig(value, env, name).models).not.toEqual({});
  });

  it("the systemd unit and the image start the bundle, with the flags of `npm start`", () => {
    const { scripts } = JSON.parse(readFileSync(join(DEPLOY, "../package.json"), "utf8"));
    const flags: string[] = scripts.start.match(/--\S+/g);
    for (const path of ["systemd/manifold.service", "docker/Dockerfile", "docker/try-steps.sh"]) {
      const command = read(path).match(/.*apps\/server\/program\/main\.js.*/)?.[0] ?? "";
      expect(command.match(/--[a-z][^\s",]*/g), path).toEqual(flags);
    }
  });
});
