import { readFileSync, writeFileSync } from "node:fs";
import { traitSchemas } from "@manifold-gateway/core/configuration";
import { expect, it } from "vitest";
import { z } from "zod";

const PAGE = new URL("../../docs/configuration.md", import.meta.url);
const PART = /(?<=^<!-- traits -->\n)[\s\S]*?(?=^<!-- \/traits -->$)/m;

/** The values that a schema takes, in words. */
function valuesOf({ type, enum: names, anyOf, items, prefixItems }: z.core.JSONSchema.BaseSchema): string {
  if (anyOf) return anyOf.map(valuesOf).join(", ");
  if (names) return names.map((name) => `\`${name}\``).join(", ");
  if (Array.isArray(prefixItems)) return `\`[${prefixItems.map(() => "number").join(", ")}]\``;
  if (type === "array") return `list of ${valuesOf(items as z.core.JSONSchema.BaseSchema)}`;
  return type === "boolean" ? "`true`, `false`" : `${type}`;
}

/** The table on the page about the configuration. */
function tableOf(): string {
  const rows = Object.entries(traitSchemas).map(([name, schema]) => {
    const { description, ...shape } = z.toJSONSchema(schema);
    return `| \`${name}\` | ${valuesOf(shape)} | ${description} |`;
  });
  return ["\n| trait | values | |", "|---|---|---|", ...rows, "\n"].join("\n");
}

it("docs/configuration.md has the table of traits (UPDATE_DOCS=1 writes it anew)", () => {
  const page = readFileSync(PAGE, "utf8");
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(PART, tableOf));
  expect(PART.exec(readFileSync(PAGE, "utf8"))?.[0]).toBe(tableOf());
});

it("Every trait has a description, which ends as a sentence does", () => {
  for (const [name, schema] of Object.entries(traitSchemas))
    expect(z.toJSONSchema(schema).description ?? "", name).toMatch(/\.$/);
});
