import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wires } from "../support/wires/index.ts";
import type { Feature } from "./feature.ts";
import { matrix, page } from "./page.ts";
import { type Cell, judge } from "./probe.ts";

const rows = matrix();

/** The cells of a kind, each in a line that says where it is. */
const where = (keep: (cell: Cell, surface: string, upstream: string) => boolean): string[] =>
  rows.flatMap(({ chapter, feature, cells }) =>
    Object.entries(cells).flatMap(([surface, row]) =>
      Object.entries(row)
        .filter(([upstream, cell]) => keep(cell, surface, upstream))
        .map(([upstream, cell]) => `${chapter}: ${feature}, ${surface} and ${upstream}: ${cell.verdict}`),
    ),
  );

test("every loss or change is named by a report", () => {
  const silent = where(({ verdict, losses, refusal }) => verdict !== "kept" && !losses && !refusal);
  expect(silent).toEqual([]);
});

test("between two sides of one protocol everything is kept, so every probe finds what it writes", () => {
  expect(where(({ verdict }, surface, upstream) => surface === upstream && verdict !== "kept")).toEqual([]);
});

test("every feature can be expressed by some protocol, and has a name of its own", () => {
  expect(rows.filter((row) => Object.keys(row.cells).length === 0).map((row) => row.feature)).toEqual([]);
  expect(new Set(rows.map((row) => row.feature)).size).toBe(rows.length);
});

test("what a wire says of features is said of existing rows", () => {
  const known = new Set(rows.map((row) => row.feature));
  const said = Object.values(wires).flatMap(({ features = {} }) => Object.keys(features));
  expect(said.filter((name) => !known.has(name))).toEqual([]);
});

describe("verdicts of the matrix", () => {
  const seed: Feature = {
    name: "Seed",
    word: "42",
    said: { chatstyle: { seed: 42 } },
    near: { chatstyle: { seeds: [] } },
  };
  const loss = { path: "/seed", why: "unsupported" } as const;
  const bare = { wire: {}, losses: [] };
  test.each<[verdict: Cell["verdict"], wire: Parameters<typeof judge>[2]]>([
    ["kept", { wire: { seed: 42, n: 1 }, losses: [] }],
    ["approximated", { wire: { seed: 42 }, losses: [loss] }],
    ["approximated", { wire: { metadata: { seed: "42" } }, losses: [] }],
    ["approximated", { wire: { seeds: [1] }, losses: [] }],
    ["lost", { wire: { seed: 7 }, losses: [] }],
    ["lost", { wire: {}, losses: [loss] }],
    ["refused", { refused: "no" }],
  ])("a verdict follows from what arrived, whatever is reported: %s: %j", (verdict, arrival) => {
    expect(judge(seed, "chatstyle", arrival, bare).verdict).toBe(verdict);
  });
  test("a report about every message is not taken for one about the feature", () => {
    const base = { wire: {}, losses: [loss] };
    expect(judge(seed, "chatstyle", base, base)).toEqual({ verdict: "lost" });
  });
});

test("the page of the matrix says what the code does (UPDATE_MATRIX=1 writes it anew, and matrix.json beside it)", () => {
  const docs = join(import.meta.dirname, "../../docs");
  const made = page(rows);
  if (process.env.UPDATE_MATRIX === "1") {
    writeFileSync(join(docs, "matrix.json"), `${JSON.stringify(rows, null, 2)}\n`);
    writeFileSync(join(docs, "matrix.md"), made);
  }
  expect(readFileSync(join(docs, "matrix.md"), "utf8")).toBe(made);
});
