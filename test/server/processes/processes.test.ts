import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { countOf, shareOf } from "../../../apps/server/src/processes/count.ts";
import { mergeExpositions } from "../../../apps/server/src/processes/exposition.ts";

const configOf = (processes: unknown, more: object = {}) =>
  parseConfig({ server: { processes }, ...more }, {}, "test");
const limited = (maxConcurrent: number) => ({
  providers: { p: { protocol: "chatstyle", origin: "http://127.0.0.1:9", concurrency: { maxConcurrent } } },
});

describe("the number of processes", () => {
  it("the number of processes is one by default", () => {
    expect(countOf(parseConfig({}, {}, "test"), 8)).toBe(1);
    expect(countOf(configOf(3), 8)).toBe(3);
  });

  it("the automatic number of processes is one for each core, but no more than can share a provider's limit", () => {
    expect(countOf(configOf("auto"), 8)).toBe(8);
    expect(countOf(configOf("auto", limited(2)), 8)).toBe(2);
  });

  it("the number of processes cannot be more than one in memory, on any machine", () => {
    for (const processes of ["auto", 2])
      expect(() => configOf(processes, { store: "sqlite::memory:" })).toThrow("server.processes");
    configOf(1, { store: "sqlite::memory:" });
  });
});

it.each([
  [7, 3],
  [3, 3],
  [0, 2],
  [1_000, 7],
])("the shares of %i for %i processes add up to it, and differ by one at most", (total, of) => {
  const parts = Array.from({ length: of }, (_, i) => shareOf(total, { number: i + 1, of }));
  expect(parts.reduce((sum, part) => sum + part)).toBe(total);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
});

it("a configuration reaches a process unchanged", () => {
  const config = configOf(2, {
    ...limited(4),
    models: { m: { entries: [{ provider: "p", name: "n", price: { input: 1 } }] } },
    accounts: { a: { balance: 1, keys: { k: { key: "k".repeat(32), restrictions: { models: ["m"] } } } } },
    telemetry: { metrics: {} },
  });
  expect(structuredClone(config)).toEqual(config);
});

it("metrics of several processes have one block for each name", () => {
  const text = (process: number) =>
    `# HELP a What it counts.\n# TYPE a counter\na{process="${process}"} 1\n\n# HELP b Another.\n# TYPE b gauge\nb{process="${process}"} 2\n`;
  expect(mergeExpositions([text(1), text(2)])).toBe(
    [
      "# HELP a What it counts.",
      "# TYPE a counter",
      'a{process="1"} 1',
      'a{process="2"} 1',
      "",
      "# HELP b Another.",
      "# TYPE b gauge",
      'b{process="1"} 2',
      'b{process="2"} 2',
      "",
    ].join("\n"),
  );
});
