import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toModels } from "../../../apps/server/src/config/build.ts";
import { settingsOf } from "../../../apps/server/src/config/current-settings.ts";
import { differencesOf } from "../../../apps/server/src/config/differences.ts";
import { readDocument } from "../../../apps/server/src/config/document.ts";
import { loadWithSource, parseConfig } from "../../../apps/server/src/config/load.ts";
import { startHost } from "../../../apps/server/src/host.ts";

describe("the places in a JSON text", () => {
  const name = fc.stringMatching(/^[a-z"\\{}[\],: é]{1,5}$/);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, fc.string(), fc.array(fc.string()), tie("tree")), {
      maxKeys: 4,
    }),
  }));

  it("are of each member by its path, whatever stands in names and values", () => {
    fc.assert(
      fc.property(tree as fc.Arbitrary<object>, fc.constantFrom(1, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { placeOf } = readDocument("f.json", text);
        const at = (path: readonly string[]): string => {
          const { line, column } = placeOf(path);
          return text.split("\n")[line - 1]?.slice(column - 1) ?? "";
        };
        const check = (part: object, path: readonly string[]): void => {
          for (const [key, member] of Object.entries(part)) {
            const inner = [...path, key];
            expect(at(inner).startsWith(`${JSON.stringify(key)}: `)).toBe(true);
            if (typeof member === "object" && !Array.isArray(member)) check(member as object, inner);
          }
        };
        check(value, []);
      }),
    );
  });
});

const models = (price: object, more: object = {}) => ({
  providers: { one: { protocol: "chatstyle", origin: "http://127.0.0.1:1", key: "k" } },
  models: { chat: { entries: [{ provider: "one", name: "c", price }] }, ...more },
});
const modelsOf = (value: object) => toModels(parseConfig(value, {}));
const other = (name: string) => ({ entries: [{ provider: "one", name, price: {} }] });

describe("the differences of a catalog", () => {
  it("are none between what is stored and the same once more", () => {
    const known = { entries: [{ provider: "one", name: "v", known: "dreamina-seedance-2-0-260128" }] };
    const same = modelsOf(models({ input: 1 }, { video: known }));
    // The store keeps the members of objects in an order of its own.
    const reversed = (_: string, value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value;
    const stored = JSON.parse(JSON.stringify(same, reversed)).map((model: object) => ({
      ...model,
      revision: 7,
      createdAt: "2026-01-01T00:00:00Z",
    }));
    expect(differencesOf(stored, same)).toEqual([]);
  });

  it("name added and removed models and entries, and prices in US dollars", () => {
    const stored = modelsOf(models({ input: 1.5, images: 0.04 }, { gone: other("g") }));
    const next = models({ input: 2, images: 0.04, output: 8 }, { fresh: other("f") });
    next.models.chat.entries.push({ provider: "one", name: "d", price: {} });
    expect(differencesOf(stored, modelsOf(next))).toEqual([
      { model: "chat", entry: "one c", change: "changed", field: "price.input", before: 1.5, after: 2 },
      { model: "chat", entry: "one c", change: "changed", field: "price.output", after: 8 },
      { model: "chat", entry: "one d", change: "added" },
      { model: "fresh", change: "added" },
      { model: "gone", change: "removed" },
    ]);
  });
});

describe("a service with a file", () => {
  it("says where its settings stand, and what the file would change before it is read again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-origins-"));
    const file = join(folder, "manifold.json");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: how a file names a variable
    const adminKey = "${OPERATOR}";
    const write = (input: number): void =>
      writeFileSync(
        file,
        JSON.stringify(
          {
            server: { port: 0, adminKey, preStopDelay: 0 },
            store: `sqlite:${join(folder, "store.db")}`,
            objects: `file:${folder}/objects`,
            keyEncryptionSecrets: ["ab".repeat(32)],
            ...models({ input }),
          },
          null,
          2,
        ),
      );
    write(1);
    const key = "operator-credential-0123456789abcdef";
    const env = { OPERATOR: key };
    const { config, source } = loadWithSource(file, env);
    const of = (path: string) => settingsOf(config, source.origins).find((one) => one.path === path);
    expect(of("server.port")).toMatchObject({ value: 0, origin: { file, line: 3 } });
    expect(of("server.adminKey")).toMatchObject({ origin: { file, line: 4, variables: ["OPERATOR"] } });
    expect(of("server.preStopDelay")).toMatchObject({ origin: { file, line: 5 } });
    expect(of("server.grace")).toMatchObject({ isDefault: true, about: expect.stringContaining("Milli") });
    expect(of("server.grace")).not.toHaveProperty("origin");
    const log = { info() {}, warn() {}, error() {} };
    const host = await startHost({ config, source, env, log, prepare: async () => {} });
    const compare = async () => {
      const headers = { "x-admin-key": key };
      return (await fetch(`${host.origin}/api/admin/config/catalog`, { headers })).json();
    };
    expect(await compare()).toEqual({ problems: [], changes: [] });
    write(3);
    expect((await compare()).changes).toEqual([
      { model: "chat", entry: "one c", change: "changed", field: "price.input", before: 1, after: 3 },
    ]);
    writeFileSync(file, "{");
    expect((await compare()).problems[0]).toContain("not valid JSON");
    const read = async (path: string) =>
      (await fetch(`${host.origin}/api/admin/config${path}`, { headers: { "x-admin-key": key } })).json();
    expect(await read("/reloads")).toEqual({ reloads: [] });
    const next = { ...config, server: { ...config.server, grace: 5 }, providers: {}, models: {} };
    await host.reload({ config: next, env, source });
    const { settings } = (await read("")) as { settings: { path: string; effect: string }[] };
    const waiting = settings.filter((one) => "pending" in one);
    expect(waiting).toMatchObject([{ path: "server.grace", value: 30_000, effect: "restart", pending: 5 }]);
    expect(settings.filter(({ path }) => path.startsWith("providers."))).toEqual([]);
    await host.stop();
    rmSync(folder, { recursive: true });
  });
});
