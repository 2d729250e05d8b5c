import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configJsonSchema } from "../../../apps/server/src/config/json-schema.ts";
import { configSchema } from "../../../apps/server/src/config/schema.ts";
import { runCommand } from "../../support/commands.ts";

const provider = { protocol: "msgstyle", origin: "http://127.0.0.1:9103", key: "k" };
const entry = { provider: "p", name: "n", price: { input: 1 } };
const withEntry = (more: object) => ({
  providers: { p: provider },
  models: { m: { entries: [{ ...entry, ...more }] } },
});

/** Files that can be used, and files that cannot, by what a schema can say of them. */
const files: [string, unknown][] = [
  ["nothing", {}],
  ["a provider and a model", withEntry({})],
  ["several protocols", withEntry({ protocol: ["msgstyle"], capabilities: { strictParams: true } })],
  ["tiers", withEntry({ tiers: [{ when: { size: "1K" }, price: { images: 0.1 } }] })],
  [
    "an account",
    { accounts: { a: { balance: 1, keys: { k: { key: "k".repeat(32), caps: { daily: 1 } } } } } },
  ],
  ["metrics", { telemetry: { metrics: { push: {} } }, server: { processes: "auto" } }],
  ["a misspelt field", { server: { prot: 1 } }],
  ["a misspelt unit", withEntry({ price: { inputt: 1 } })],
  ["a wrong protocol", withEntry({ protocol: "other" })],
  ["a short key", { accounts: { a: { keys: { k: { key: "short" } } } } }],
  ["a negative price", withEntry({ price: { input: -1 } })],
  ["no entry", { models: { m: {} } }],
  ["an unknown preset", { providers: { p: { preset: "nobody" } } }],
  ["text for a number", { limits: { keys: "100" } }],
];

describe("the JSON Schema of a configuration", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const small = ajv.compile(configJsonSchema());
  const whole = ajv.compile(z.toJSONSchema(configSchema, { io: "input", reused: "inline" }));

  it.each(files)("says of a file with %s what the whole schema says", (_, file) => {
    expect(small(file)).toBe(whole(file));
    expect(small(file)).toBe(configSchema.safeParse(file).success);
  });

  it.each([
    { server: { port: `\${PORT}`, docs: `\${DOCS:-true}`, host: `\${HOST}`, log: `\${LEVEL}` } },
    { server: { url: `https://\${HOST}/ai`, adminKey: `\${KEY}`, processes: `\${COUNT:-2}` } },
    withEntry({ price: { input: `\${PRICE}` }, active: `\${ON}` }),
    { store: `\${DATABASE_URL}`, admission: `\${ADMISSION:-strict}`, limits: { keys: `\${KEYS}` } },
  ])("takes variables where the loader does: %j", (file) => {
    expect(small(file) || small.errors).toBe(true);
  });

  it("marks a list and an object that are a variable, which the loader refuses", () => {
    for (const file of [{ server: `\${S}` }, { webhooks: `\${W}` }]) expect(small(file)).toBe(false);
  });

  it("is printed in less than 105 KB", async () => {
    const { output } = await runCommand("schema");
    expect(JSON.parse(output)).toEqual(configJsonSchema());
    expect(Buffer.byteLength(output)).toBeLessThan(105_000);
  });
});
