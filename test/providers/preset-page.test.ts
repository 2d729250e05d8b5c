import { readFileSync, writeFileSync } from "node:fs";
import { type Preset, presets } from "@manifold-gateway/providers";
import { expect, it } from "vitest";

const path = new URL("../../docs/providers.md", import.meta.url);

const titles: Record<Preset["kind"], string> = {
  maker: "Makers of models",
  host: "Hosts of models of others",
  cloud: "Clouds",
  router: "Routers",
  server: "Servers of your own",
};

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[] = []): string => texts.map(code).join(", ");

const table = (kind: Preset["kind"]): string =>
  Object.entries(presets)
    .filter(([, preset]) => preset.kind === kind)
    .map(([id, { name, speaks, serves = {}, origin, keyVariable, identityVariable, ...row }]) => {
      const variables = [row.originVariable, keyVariable, identityVariable].filter(
        (one) => one !== undefined,
      );
      const mark = row.activation === "file" ? " *" : "";
      return `| ${code(id)}${mark} | ${name} | ${codes(speaks)} | ${Object.keys(serves).join(", ")} | ${codes(variables)} | ${code(origin)} |`;
    })
    .join("\n");

/** The parts of an address, as a configuration sets them. */
const partsOf = ({ parts = {}, regions = {} }: Preset): string[] => [
  ...Object.entries(parts).map(([part, { variables = [], default: usual }]) => {
    const from = variables.length > 0 ? `, or by ${codes(variables)}` : "";
    return `${code(part)} is set in \`parts\`${from}${usual === undefined ? "" : `; default ${code(usual)}`}`;
  }),
  ...Object.entries(regions).map(([region, origin]) => `\`"region": "${region}"\` is ${code(origin)}`),
];

function remarksOf(id: string, preset: Preset): string {
  const { note, basePaths = {}, listing, also = [], batches, unsure = [], sources = [], read } = preset;
  const paths = Object.entries(basePaths).map(([wire, base]) => `${code(wire)} at ${code(base ?? "")}`);
  const remarks = [
    ...(note === undefined ? [] : [note.replace(/\.$/, "")]),
    ...partsOf(preset),
    ...(paths.length > 0 ? [paths.join(", ")] : []),
    ...(listing === false ? ["no list of models"] : []),
    ...(batches ? [`batches of its own at ${batches.factor} of the price of tokens`] : []),
    ...(also.length > 0 ? [`not called by this service: ${also.join(", ")}`] : []),
    ...(unsure.length > 0 ? [`not certain: ${codes(unsure)}`] : []),
    `read in ${read} from ${codes(sources)}`,
  ];
  return `- ${code(id)}: ${remarks.join("; ")}.`;
}

const page = (): string => `# Providers

<!-- Generated from packages/providers/src/presets by \`UPDATE_DOCS=1 npx vitest run test/providers/preset-page.test.ts\`. -->

The ${Object.keys(presets).length} providers that are known by name. Each is a preset: [configuration](configuration.md#presets) says how one is used, and what of it a file can change. Setting its variable activates one, unless a provider of the file uses the same variable. Those with an asterisk have to be named in the file: their variable is usually set for other uses, their address has parts, or they have no list of models.

Any other provider that speaks one of the protocols is declared in the file, with its address: [providers](configuration.md#providers).
${(Object.keys(titles) as Preset["kind"][])
  .map(
    (kind) => `
## ${titles[kind]}

| preset | | protocols | beside text | variables | address |
|---|---|---|---|---|---|
${table(kind)}
`,
  )
  .join("")}
## Addresses, other endpoints, sources

What could not be verified is marked as not certain; what was not found is left out.

${Object.entries(presets)
  .map(([id, preset]) => remarksOf(id, preset))
  .join("\n")}
`;

it("docs/providers.md lists every preset (UPDATE_DOCS=1 writes it anew)", () => {
  if (process.env.UPDATE_DOCS) writeFileSync(path, page());
  expect(readFileSync(path, "utf8")).toBe(page());
});
