import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WEBHOOK_EVENTS } from "@manifold-gateway/gateway";
import { afterAll, describe, expect, it } from "vitest";
import { toModels, toProviders } from "../../../apps/server/src/config/build.ts";
import { loadConfig, parseConfig } from "../../../apps/server/src/config/load.ts";
import { ConfigError } from "../../../apps/server/src/config/read.ts";
import { withoutSecrets } from "../../../apps/server/src/config/redact-secrets.ts";
import { toWebhooks } from "../../../apps/server/src/config/webhooks.ts";

const dollar = "$";
const example = {
  server: { host: "127.0.0.1", port: 8787 },
  store: "sqlite:./data/manifold.db",
  objects: "file:./data/objects",
  providers: {
    local: { protocol: "msgstyle", origin: "http://127.0.0.1:9103", key: `${dollar}{LOCAL_KEY}` },
  },
  models: {
    m1: {
      entries: [{ provider: "local", name: "upstream-m1", priority: 1, price: { input: 1, output: 2 } }],
    },
  },
  accounts: { dev: { balance: 1000, keys: { dev: `${dollar}{DEV_KEY}` } } },
};
const SECRET = `whsec_${Buffer.alloc(32).toString("base64")}`;
const env = { LOCAL_KEY: "local-secret", DEV_KEY: "dev-key-0123456789-0123456789abcdef" };

describe("a configuration", () => {
  it("a configuration is read with its secrets from the environment", () => {
    const config = parseConfig(example, env);
    expect(config.providers.local?.key).toBe("local-secret");
    expect(config.accounts.dev?.keys.dev).toBe("dev-key-0123456789-0123456789abcdef");
    expect(toProviders(config).get("local")).toMatchObject({
      origin: "http://127.0.0.1:9103",
      speaks: { msgstyle: { base: "/v1" } },
    });
    // A dollar per million tokens is a micro-dollar a token.
    expect(toModels(config)[0]?.entries[0]?.price).toEqual({ input: 1_000_000, output: 2_000_000 });
  });

  it("webhooks have all events, and a name without what their address may keep secret", () => {
    const url = "http://127.0.0.1:9000/hooks/s3cret";
    const { webhooks } = parseConfig(
      { webhooks: [{ url, secret: [SECRET, SECRET], lowBalance: 2, account: "acme" }] },
      env,
    );
    const [endpoint] = toWebhooks(webhooks, (name) => `id of ${name}`);
    expect(endpoint?.account).toBe("id of acme");
    expect(endpoint).toMatchObject({
      url,
      secrets: [SECRET, SECRET],
      events: WEBHOOK_EVENTS,
      lowBalance: 2e6,
    });
    expect(endpoint?.id).toMatch(/^127\.0\.0\.1:9000-[0-9a-f]{6}$/);
    expect(JSON.stringify(withoutSecrets(webhooks))).not.toContain(SECRET);
  });

  it("a path in the origin is the base of every protocol, and a provider may have several protocols", () => {
    const providers = { p: { protocol: ["chatstyle", "responses"], origin: "https://x.example/api/v9/" } };
    expect(toProviders(parseConfig({ providers }, {})).get("p")?.speaks).toMatchObject({
      chatstyle: { base: "/api/v9" },
      responses: { base: "/api/v9" },
    });
  });

  it("a key may be a list, with names and weights", () => {
    const key = ["first", { name: "b", key: `${dollar}{LOCAL_KEY}`, weight: 3 }, { key: "third" }];
    const provider = {
      protocol: "chatstyle",
      origin: "http://127.0.0.1:1",
      key,
      serves: { image: "chatstyle" },
    };
    const made = toProviders(parseConfig({ providers: { p: provider } }, env)).get("p");
    const credentials = [
      { name: "1", key: "first", weight: 1 },
      { name: "b", key: "local-secret", weight: 3 },
      { name: "3", key: "third", weight: 1 },
    ];
    expect(made).toMatchObject({ key: "first", credentials, serves: { image: { key: "first" } } });
    const single = toProviders(parseConfig({ providers: { p: { ...provider, key: ["only"] } } }, {})).get(
      "p",
    );
    expect(single?.key).toBe("only");
    expect(single?.credentials).toBeUndefined();
  });

  it.each([
    [[], /providers\.p\.key: /],
    [["a", "a"], /providers\.p\.key: two of them are the same key/],
    [["a", { key: "b", name: "1" }], /providers\.p\.key: two of them have the same name/],
    [[{ key: "a", weight: 0 }], /providers\.p\.key: one of them needs a weight above 0/],
    [[{ key: "a", wieght: 2 }], /providers\.p\.key\.0\.wieght: .*Did you mean 'weight'/],
    [[{ key: "a", weight: -1 }], /providers\.p\.key\.0\.weight: /],
  ])("a list of keys that cannot be used is refused with its place: %j", (key, finding) => {
    const provider = { protocol: "chatstyle", origin: "http://127.0.0.1:1", key };
    expect(() => parseConfig({ providers: { p: provider } }, {})).toThrow(finding);
  });

  it.each([
    [{ kind: "aws", region: "r", accessKeyId: "a" }, {}, /providers\.p\.auth\.secretAccessKey: /],
    [{ kind: "google", serviceAccount: "{}" }, {}, /providers\.p\.auth\.serviceAccount: must be the text/],
    [
      { kind: "azure", clientSecret: "s" },
      {},
      /providers\.p\.auth: needs tenantId, clientId and clientSecret/,
    ],
    [{ kind: "azure" }, { key: "k" }, /providers\.p\.key: is not used beside/],
    [
      { kind: "aws", region: "r", accessKeyId: "a", secretAccessKey: "s" },
      { serves: { image: "chatstyle" } },
      /providers\.p\.serves: is not available/,
    ],
  ])("an authentication without a key that cannot work is refused: %j %j", (auth, more, finding) => {
    const provider = { protocol: "chatstyle", origin: "https://p.test", auth, ...more };
    expect(() => parseConfig({ providers: { p: provider } }, {})).toThrow(finding);
  });

  it("a preset's usual key is not taken where calls are authenticated without one", () => {
    const providers = {
      p: { preset: "openai", auth: { kind: "azure" }, origin: "https://p.test/openai/v1" },
    };
    const made = toProviders(parseConfig({ providers }, { OPENAI_API_KEY: "of-another" })).get("p");
    expect(made?.identity).toBeDefined();
    expect(JSON.stringify(made)).not.toContain("of-another");
    expect(made?.serves?.image).toMatchObject({ identity: made?.identity });
  });

  it("a preset takes its key from its usual variable, and only what the file says is changed", () => {
    const config = parseConfig(
      {
        providers: {
          own: { preset: "openrouter", protocol: "msgstyle", traits: { sampling: false } },
          told: { preset: "openrouter", key: "from-the-file" },
        },
      },
      { OPENROUTER_API_KEY: "from-the-environment" },
    );
    const providers = toProviders(config);
    expect(providers.get("own")).toMatchObject({
      key: "from-the-environment",
      routes: true,
      traits: { sampling: false },
      speaks: { msgstyle: { auth: { header: "authorization", scheme: "Bearer" } } },
    });
    expect(Object.keys(providers.get("own")!.speaks)).toEqual(["msgstyle"]);
    expect(providers.get("told")?.key).toBe("from-the-file");
  });

  it("a preset may have another origin", () => {
    const providers = { mine: { preset: "ollama", origin: "http://127.0.0.1:9999/v1" } };
    const provider = toProviders(parseConfig({ providers }, {})).get("mine");
    expect(provider).toMatchObject({ id: "mine", origin: "http://127.0.0.1:9999" });
    expect(Object.keys(provider?.speaks ?? {})).toContain("msgstyle");
  });

  it.each([
    ["an unknown field", { servers: {} }, /servers/],
    ["a wrong type", { server: { port: "8787" } }, /server\.port/],
    ["an option nobody reads", { store: "postgres://a/b?ssl_mode=require" }, /store: .*'ssl_mode'/],
    ["one of a replica", { store: { url: "postgres://a/b", reader: "postgres://a/b?c=d" } }, /reader: .*'c'/],
    ["an option of SQLite", { store: "sqlite:a.db?mode=ro" }, /store: must be sqlite:FILE/],
    ["a file without a name", { store: "sqlite:" }, /store: must be sqlite:FILE/],
    ["what is no address", { server: { url: "a.example" } }, /server\.url: must be an address that begins/],
    [
      "an address with a query",
      { server: { url: "https://a.example/b?c" } },
      /server\.url: must have no query/,
    ],
    ["a replica of SQLite", { store: { url: "sqlite:a", reader: "postgres://b/c" } }, /store\.reader: .*url/],
    [
      "a replica that is no Postgres",
      { store: { url: "postgres://b/c", reader: "sqlite:a" } },
      /store\.reader/,
    ],
    [
      "a negative price",
      { ...example, models: { m: { entries: [{ provider: "local", name: "x", price: { input: -1 } }] } } },
      /models\.m\.entries\.0\.price\.input/,
    ],
    [
      "an unknown unit of price",
      { ...example, models: { m: { entries: [{ provider: "local", name: "x", price: { inptu: 1 } }] } } },
      /models\.m\.entries\.0\.price/,
    ],
    [
      "an unknown provider",
      { ...example, models: { m: { entries: [{ provider: "nobody", name: "x" }] } } },
      /models\.m\.entries\.0\.provider.*nobody.*local/,
    ],
    [
      "an unset variable",
      { accounts: { a: { keys: { k: `${dollar}{NOT_SET}` } } } },
      /accounts\.a\.keys\.k.*NOT_SET/,
    ],
    [
      "a provider without origin",
      { providers: { p: { protocol: "chatstyle" } } },
      /providers\.p.*protocol and origin/,
    ],
    [
      "a webhook's secret that is none",
      { webhooks: [{ url: "https://ops.example/", secret: "hunter22" }] },
      /webhooks\.0\.secret.*whsec_/,
    ],
    [
      "a webhook that anybody on the way could read",
      { webhooks: [{ url: "http://ops.example/", secret: SECRET }] },
      /webhooks\.0\.url: must be https/,
    ],
    [
      "an unknown event",
      { webhooks: [{ url: "https://ops.example/", secret: SECRET, events: ["job.begun"] }] },
      /webhooks\.0\.events\.0.*job\.ended/,
    ],
    [
      "one webhook twice",
      { webhooks: Array.from({ length: 2 }, () => ({ url: "https://ops.example/", secret: SECRET })) },
      /webhooks\.1\.name: another one is 'ops\.example-/,
    ],
    ["a store nobody knows", { store: "mysql://x" }, /store.*sqlite/],
    [
      "a key that could never be found",
      { accounts: { a: { keys: { k: "mfk_mistyped" } } } },
      /accounts\.a\.keys\.k.*checksum/,
    ],
    [
      "a key that is too short",
      { accounts: { a: { keys: { k: "hunter22" } } } },
      /accounts\.a\.keys\.k: must have 32 characters or more; make a new one/,
    ],
    [
      "a key with caps that is too short",
      { accounts: { a: { keys: { k: { key: "x".repeat(31), caps: {} } } } } },
      /accounts\.a\.keys\.k\.key: must have 32 characters or more/,
    ],
    [
      "one key twice",
      {
        accounts: {
          a: { keys: { x: "same-key-0123456789-0123456789abcdef" } },
          b: { keys: { y: "same-key-0123456789-0123456789abcdef" } },
        },
      },
      /accounts\.b\.keys\.y.*accounts\.a\.keys\.x/,
    ],
  ])("a finding says where %s is", (_, value, message) => {
    expect(() => parseConfig(value, env)).toThrow(ConfigError);
    expect(() => parseConfig(value, env)).not.toThrow(/hunter22|xxx/);
    expect(() => parseConfig(value, env)).toThrow(message);
  });

  it("every finding is listed, not only the first", () => {
    expect(() => parseConfig({ server: { port: -1, host: 7 }, store: "x" }, {})).toThrow(
      /server\.host[\s\S]*server\.port[\s\S]*store/,
    );
  });
});

describe("a configuration file", () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-config-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("a configuration file that is missing or not JSON is named", () => {
    expect(() => loadConfig(join(folder, "none.json"), {})).toThrow(/none\.json: no such file/);
    writeFileSync(join(folder, "bad.json"), "{ nope");
    expect(() => loadConfig(join(folder, "bad.json"), {})).toThrow(/bad\.json:1:3: not valid JSON/);
  });
});
