import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, jsonValue, property } from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../../../apps/server/src/config/document.ts";
import { loadConfig, parseDocument } from "../../../apps/server/src/config/load.ts";
import { runCommand } from "../../support/commands.ts";

const folder = mkdtempSync(join(tmpdir(), "manifold-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const JSONC = `{
  // The only provider.
  "providers": {
    "local": { "protocol": "chatstyle", "origin": "http://127.0.0.1:9" }, /* of this machine */
  },
  "models": {
    "gpt-4o.mini": {
      "entries": [
        { "provider": "local", "name": "a", "price": { "input": 1 } },
      ],
    },
  },
}
`;
const YAML = `# yaml-language-server: $schema=./manifold.schema.json
providers:
  local: &local # of this machine
    protocol: chatstyle
    origin: http://127.0.0.1:9
  other:
    <<: *local
    key: \${OTHER_KEY:-none}

models:
  gpt-4o.mini:
    entries:
      - { provider: local, name: a, price: { input: 1 } } # the only one
`;

describe("a configuration file", () => {
  it("says the same as JSON and as YAML, whatever it says", () => {
    assert(
      property(jsonValue(), (value) => {
        // YAML has nothing at all for an empty file, which is an empty configuration.
        const expected = JSON.parse(JSON.stringify(value));
        for (const space of [0, 2]) {
          const text = JSON.stringify(value, null, space);
          expect(readDocument("f.json", text).value).toEqual(expected);
          expect(readDocument("f.jsonc", `// first\n${text} /* last */\n`).value).toEqual(expected);
          expect(readDocument("f.yaml", text).value).toEqual(expected ?? {});
        }
      }),
    );
  });

  it("may have comments, commas at the end, anchors and merges", () => {
    const json = parseDocument(readDocument("f.json", JSONC), {}, "f.json");
    const yaml = parseDocument(readDocument("f.yaml", YAML), {}, "f.yaml");
    expect(json.models).toEqual(yaml.models);
    expect(yaml.providers.other).toMatchObject({ protocol: "chatstyle", key: "none" });
  });

  it("may be of nothing but comments in YAML", () => {
    expect(parseDocument(readDocument("f.yml", "# nothing yet\n"), {}, "f.yml").server.port).toBe(8787);
  });

  it.each([
    ["{ // comment\n}", {}],
    ["/* comment */ {}", {}],
    ["store: x", { store: "x" }],
  ])("is known by how it begins where its name does not tell: %j", (text, value) => {
    expect(readDocument("/run/secrets/manifold", text).value).toEqual(value);
  });

  it.each([
    [
      "JSON",
      "f.json",
      '{\n  "server": { "port": 1 "host": 2 }\n}',
      "f.json:2:25: not valid JSON: comma expected",
    ],
    [
      "JSON with a name that stands there twice",
      "f.json",
      '{\n  "a": [{ "b": 1, "b": 2 }]\n}',
      "f.json:2:19: not valid JSON: 'b' is there twice",
    ],
    ["JSON without an end", "f.json", '{\n  "a": [', "f.json:2:9: not valid JSON: "],
    ["an empty file of JSON", "f.json", "", "f.json:1:1: not valid JSON: value expected"],
    ["YAML", "f.yaml", "a:\n  b: 1\n c: 2\n", "f.yaml:3:1: not valid YAML: "],
    [
      "a name that stands there twice",
      "f.yaml",
      "a: 1\nb: 1\na: 2\n",
      "f.yaml:3:1: not valid YAML: Map keys must be unique",
    ],
    ["two documents", "f.yaml", "a: 1\n---\nb: 1\n", "f.yaml:2:1: not valid YAML: "],
    ["an unknown tag", "f.yaml", "a: !secret b\n", "f.yaml:1:4: not valid YAML: Unresolved tag"],
    ["an alias of nothing", "f.yaml", "a: *b\n", "not valid YAML: "],
    [
      "aliases of aliases of aliases",
      "f.yaml",
      [
        "a: &a [1]",
        ..."bcdefghi".split("").map((x, i) => `${x}: &${x} [${`*${"abcdefgh"[i]},`.repeat(9)}]`),
      ].join("\n"),
      "not valid YAML: Excessive alias count",
    ],
  ])("that is no %s is refused with its place", (_, file, text, expected) => {
    expect(() => readDocument(file, text)).toThrow(expected);
  });
});

describe("findings in a configuration file", () => {
  const found = (file: string, text: string, env = {}): string[] => {
    try {
      parseDocument(readDocument(file, text), env, file);
    } catch (error) {
      return (error as Error).message.split("\n  ").slice(1);
    }
    return [];
  };

  it.each([
    ["a misspelt field", "f.yaml", YAML.replace("origin:", "orgin:"), "f.yaml:5:5: providers.local.orgin: "],
    [
      "a field that an alias brings",
      "f.yaml",
      YAML.replace("origin:", "orgin:"),
      "f.yaml:6:3: providers.other.orgin: ",
    ],
    [
      "a missing field",
      "f.json",
      JSONC.replace('"name": "a", ', ""),
      "f.json:9:9: models.gpt-4o.mini.entries.0.name: ",
    ],
    [
      "a missing variable",
      "f.yaml",
      YAML.replace(":-none", ""),
      "f.yaml:8:5: providers.other.key: the environment",
    ],
    [
      "a name of nothing",
      "f.yaml",
      YAML.replace("provider: local", "provider: locl"),
      "f.yaml:13:11: models.gpt-4o.mini.entries.0.provider: no provider 'locl'",
    ],
    ["a value in the place of all", "f.json", "[]", "f.json:1:1: (root): "],
  ])("have the line of %s", (_, file, text, expected) => {
    expect(found(file, text).map((line) => line.slice(0, expected.length))).toContain(expected);
  });
});

describe("a file that is changed", () => {
  const changes = [
    [["models", "gpt-4o.mini", "entries", 0, "price", "input"], 2],
    [["models", "gpt-4o.mini", "entries", 0, "capabilities", "text", "contextWindow"], 10],
    [
      ["models", "gpt-4o.mini", "input"],
      ["text", "image"],
    ],
  ] as const;

  it.each([
    ["f.jsonc", JSONC, ["// The only provider.", "/* of this machine */"]],
    ["f.yaml", YAML, ["# yaml-language-server", "# of this machine", "# the only one", "<<: *local"]],
  ])("has the new values, and its comments as before: %s", (file, text, comments) => {
    const changed = readDocument(file, text).withValues(changes);
    for (const comment of comments) expect(changed).toContain(comment);
    const { models } = parseDocument(readDocument(file, changed), {}, file);
    expect(models["gpt-4o.mini"]).toMatchObject({
      input: ["text", "image"],
      entries: [{ price: { input: 2 }, capabilities: { text: { contextWindow: 10 } } }],
    });
  });

  it("is left alone where the change would be of an alias", () => {
    const document = readDocument("f.yaml", "a: &a { b: 1 }\nc: *a\n");
    expect(() => document.withValues([[["c", "b"], 2]])).toThrow("c.b: cannot be changed inside an alias");
  });
});

describe("the file that is found", () => {
  it("may be YAML for every command", async () => {
    const file = join(folder, "manifold.yaml");
    writeFileSync(file, '# all of it\nstore: "sqlite::memory:"\nserver: { log: silent }\n');
    expect(loadConfig(file, {}).server.log).toBe("silent");
    expect((await runCommand(["audit", "--config", file])).output).toBe("no difference\n");
  });
});
