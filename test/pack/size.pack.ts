import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWhole } from "./project.ts";

const LIMIT = 60_000_000;
const LINKS = /\/\.bin\//;

const bytesOf = (files: string[]): number => files.reduce((sum, file) => sum + lstatSync(file).size, 0);

describeWhole("an installation", ({ whole: { production } }) => {
  it("of everything for production has less than 60 MB beside Node", ({ annotate }) => {
    const root = join(production, "node_modules");
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !LINKS.test(file));
    const parts = Map.groupBy(files, (file) => file.slice(root.length + 1).split("/")[0] ?? "");
    const sizes = [...parts].map(([name, own]) => ({ name, bytes: bytesOf(own) }));
    const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 12);
    annotate(largest.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(1)} MB`).join(", "));
    expect(bytesOf(files)).toBeLessThan(LIMIT);
  });
});
