import { readFileSync, writeFileSync } from "node:fs";
import { traitSchemas } from "@manifold-gateway/core/configuration";
import { expect, it } from "vitest";
import { conversationFamilies } from "../../packages/providers/src/catalog/text/conversations.ts";
import type { Family } from "../../packages/providers/src/catalog/text/family.ts";
import { families } from "../../packages/providers/src/catalog/text/index.ts";
import { sources } from "../../packages/providers/src/catalog/text/sources.ts";

const path = new URL("../../docs/models.md", import.meta.url);

const code = (text: string): string => `\`${text}\``;

/** A value of a trait, in the shortest form. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(" ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${name} ${shown(one)}`)
      .join(", ");
  return String(value);
}

const rowOf = ({ names, traits, source }: Family): string => {
  const facts = Object.keys(traitSchemas)
    .filter((name) => name in traits)
    .map((name) => `${code(name)} ${shown(traits[name as keyof typeof traits])}`);
  return `| ${names.map(code).join(", ")} | ${facts.length > 0 ? facts.join("; ") : "as its protocol"} | ${code(source)} |`;
};

const table = (all: readonly Family[]): string =>
  ["| names | traits | source |", "|---|---|---|", ...all.map(rowOf)].join("\n");

const page = (): string => `# Models

<!-- Generated from packages/providers/src/catalog/text by \`UPDATE_DOCS=1 npx vitest run test/providers/family-page.test.ts\`. -->

The families of text models that are known by their vendors' names, wherever they are served: a router, a platform or a region may stand before the name, and a date, a version or a tag behind it. In a name, \`{a,b}\` stands for \`a\` or \`b\`, \`*\` for any text, and \`4-5\` for \`4.5\` as well. The first row that fits counts. A new name of a known vendor fits the last row of the vendor, which has the traits of its newest models.

A request in another protocol than the provider's is adapted to these traits, and each change is listed as a loss. A request in the provider's own protocol passes through as it is. [Traits](configuration.md#traits) says what each means, and how a provider or an entry of the file overrides it; \`x-explain\` shows [which rows a model fits](routing.md#explain-a-request). Context windows, prices and modalities are not here: they are read from public lists, as [the configuration](configuration.md#models) says.

## Settings

${table(families)}

## Conversations

${table(conversationFamilies)}

## Sources

| source | | read |
|---|---|---|
${Object.entries(sources)
  .map(([name, { at, read }]) => `| ${code(name)} | ${at} | ${read} |`)
  .join("\n")}
`;

it("docs/models.md lists every known family (UPDATE_DOCS=1 writes it anew)", () => {
  if (process.env.UPDATE_DOCS) writeFileSync(path, page());
  expect(readFileSync(path, "utf8")).toBe(page());
});
