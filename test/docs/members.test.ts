import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configJsonSchema } from "../../apps/server/src/config/json-schema.ts";
import { createMeter } from "../../apps/server/src/telemetry/metrics.ts";
import { DIRECTIVES } from "../../packages/simulator/src/script/directives.ts";
import { FAULTS } from "../../packages/simulator/src/script/faults.ts";
import { OUTCOMES } from "../../packages/simulator/src/script/outcomes.ts";
import { pages, ROOT, textOf } from "./pages.ts";

type Node = { [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** The names of all members below a JSON Schema. */
function membersOf(value: unknown, names = new Set<string>()): Set<string> {
  if (!isNode(value)) return names;
  if (isNode(value.properties) && !Array.isArray(value.properties))
    for (const name of Object.keys(value.properties)) names.add(name);
  for (const member of Object.values(value)) membersOf(member, names);
  return names;
}

/** The words in the code of a page, between fences and in sentences. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/^```[\s\S]*?^```$|`[^`\n]+`/gm)].flatMap(([code]) => code.match(/[$\w]+/g) ?? []);

it("every member of the configuration is named on a page", () => {
  const words = new Set(
    pages.filter((page) => page.startsWith("docs/")).flatMap((page) => wordsOf(textOf(page))),
  );
  const members = membersOf(configJsonSchema());
  expect(members.size).toBeGreaterThan(200);
  expect([...members].filter((name) => !words.has(name))).toEqual([]);
});

it("every metric of requests is on its page, with its labels", () => {
  const rows = [
    ...textOf("docs/observability.md").matchAll(/^\| ((?:`manifold_\w+`(?:, )?)+) \|([^|]*)\|/gm),
  ].flatMap(([, names = "", labels = ""]) =>
    [...names.matchAll(/\w+/g)].map(([name]): [string, string[]] => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
    ]),
  );
  const shown = new Map(rows);
  const metrics = createMeter()
    .registry.getMetricsAsArray()
    .filter(({ name }) => name.startsWith("manifold_")) as { name: string; labelNames?: string[] }[];
  expect(metrics.length).toBeGreaterThan(20);
  for (const { name, labelNames = [] } of metrics)
    expect([name, shown.get(name)]).toEqual([name, labelNames]);
});

it("every option of a gateway is in the table of the page about mounting", () => {
  const source = readFileSync(join(ROOT, "packages/gateway/src/options.ts"), "utf8");
  const [, options = ""] = /interface GatewayOptions \{(.*?)^\}/ms.exec(source) ?? [];
  const names = [...options.matchAll(/^ {2}(\w+)\??[:(]/gm)].map(([, name = ""]) => name);
  const shown = [...textOf("docs/mounting.md").matchAll(/^\| ([^|]*`)/gm)].flatMap(([cell]) => wordsOf(cell));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !shown.includes(name))).toEqual([]);
});

it("every entry point of a package is on the page about the library", () => {
  const page = textOf("docs/library.md");
  const names = globSync("packages/*/package.json", { cwd: ROOT }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
    const entries = Object.keys(exports).filter((entry) => !/^\.$|package\.json|\*/.test(entry));
    return entries.map((entry) => `${name}${entry.slice(1)}`);
  });
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** A call that logs, up to its message. */
const LOGGED = /\b[lL]og\??\.(?:info|warn|error)\(\s*(?:\{[^;]*?\}|[\w.]+),\s*"([^"]+)"/g;
const FAILED = /\blogFailure\([^;]*?"([^"]+)"/g;

it("every message of the log is on its page", () => {
  const page = textOf("docs/observability.md");
  const sources = globSync(["apps/server/src/**/*.ts", "packages/{gateway,providers,store}/src/**/*.ts"], {
    cwd: ROOT,
  }).map((file) => readFileSync(join(ROOT, file), "utf8"));
  const messages = sources.flatMap((text) =>
    [LOGGED, FAILED].flatMap((call) => [...text.matchAll(call)].map(([, message = ""]) => message)),
  );
  expect(messages.length).toBeGreaterThan(80);
  expect(messages.filter((message) => !page.includes(`\`${message}\``))).toEqual([]);
});

it.each([
  ["directive", DIRECTIVES],
  ["fault", FAULTS],
  ["outcome", OUTCOMES],
])("every %s of the simulator is on its page", (_, table) => {
  const words = new Set(wordsOf(textOf("docs/simulator.md")));
  const names = Object.keys(table).filter((name) => !name.split("-").every((word) => words.has(word)));
  expect(names).toEqual([]);
});
