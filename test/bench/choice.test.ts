import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AXES, choose, MEASUREMENTS } from "./choice.ts";
import { divideCores } from "./cores.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/performance.md"), "utf8");

describe("The words of the benchmark", () => {
  test.each([...Object.keys(MEASUREMENTS), ...Object.values(AXES).flat(), "careful", "quick", "all"])(
    "'%s' is chosen by its name and described in docs/performance.md",
    (word) => {
      expect(() => choose([word])).not.toThrow();
      expect(page).toMatch(new RegExp(`\`${word}\`|-- ${word} `));
    },
  );

  test("choose everything but the growth of a database, for one billed server, where none is said", () => {
    const { measurements, variants } = choose([]);
    expect(measurements).toEqual(Object.keys(MEASUREMENTS).filter((name) => name !== "growth"));
    expect(variants.map(({ name }) => name)).toEqual(["billed"]);
  });

  test("are refused where there is no such word", () => {
    expect(() => choose(["smal"])).toThrow("no word 'smal'");
  });
});

describe("The cores of a machine", () => {
  test.each([
    { all: [0, 1], processes: 1, load: [0], measured: [1] },
    { all: [0, 1], processes: 3, load: [0], measured: [1] },
    { all: [2, 3, 6, 7], processes: 3, load: [2], measured: [3, 6, 7] },
    { all: [0, 1, 2, 3], processes: 1, load: [0, 1, 2], measured: [3] },
  ])("$all are divided for $processes processes", ({ all, processes, ...divided }) => {
    expect(divideCores(all, processes)).toEqual(divided);
  });

  test("are shared if there is one", () => {
    expect(divideCores([0], 1)).toBeUndefined();
  });
});
