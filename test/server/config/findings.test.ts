import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { configSchema } from "../../../apps/server/src/config/schema.ts";

/** A file in which one provider, one entry of a model, or one account is not as it should be. */
const withProvider = (more: object) => ({
  providers: { p: { protocol: "chatstyle", origin: "http://127.0.0.1:9", ...more } },
});
const withEntry = (more: object) => ({
  ...withProvider({}),
  models: { m: { entries: [{ provider: "p", name: "n", ...more }] } },
});
const withKey = (key: unknown) => ({ accounts: { a: { keys: { k: key } } } });

/** A variable as a file has it. */
const variable = (name: string): string => `\${${name}}`;
const IT = variable("IT");

/** What is found, without the line above it. */
function found(file: object, env: Record<string, string> = {}): string[] {
  try {
    parseConfig(file, env);
  } catch (error) {
    return (error as Error).message.split("\n  ").slice(1);
  }
  return [];
}

describe("findings in a configuration", () => {
  it.each<[object, string]>([
    [{ server: { adminKey: "short" } }, "server.adminKey: must have 32 characters or more"],
    [{ server: { port: 70_000 } }, "server.port: must be at most 65535"],
    [{ server: { grace: 2 ** 31 } }, "server.grace: must be at most 2147483647"],
    [{ limits: { generation: 2 ** 31 } }, "limits.generation: must be at most 2147483647"],
    [{ server: { port: -1 } }, "server.port: must be 0 or more"],
  ])("says the bound of %j", (file, line) => {
    expect(found(file)).toEqual([line]);
  });

  it("takes the texts of variables for numbers, true and false", () => {
    const file = {
      server: {
        port: variable("PORT"),
        processes: variable("PROCESSES:-2"),
        docs: variable("DOCS"),
        console: variable("DOCS"),
      },
      ...withEntry({
        price: { input: variable("PRICE") },
        weight: `${variable("WHOLE")}${variable("WHOLE")}`,
        batches: variable("DOCS"),
      }),
    };
    const { server, models } = parseConfig(file, { PORT: "80", DOCS: "false", PRICE: "0.25", WHOLE: "1" });
    expect(server).toMatchObject({ port: 80, processes: 2, docs: false, console: false });
    expect(models.m?.entries[0]).toMatchObject({ price: { input: 0.25 }, weight: 11, batches: false });
  });

  it.each<[object, string, string]>([
    [{ server: { port: IT } }, "eighty", `server.port: must be a number, and is text (from ${IT})`],
    [{ server: { port: IT } }, "80.5", `server.port: must be a whole number (from ${IT})`],
    [{ server: { port: IT } }, "99999", `server.port: must be at most 65535 (from ${IT})`],
    [{ server: { docs: IT } }, "yes", `server.docs: must be true or false, and is text (from ${IT})`],
    [{ store: IT }, "1", `store: must begin with sqlite: or postgres:// (from ${IT})`],
  ])("names the variable of %j whose text is %s", (file, text, line) => {
    expect(found(file, { IT: text })).toEqual([line]);
  });

  it("names a variable that is not set, and finds nothing else at its place", () => {
    expect(found({ server: { adminKey: `$${"{NOT_SET}"}` } })).toEqual([
      "server.adminKey: the environment variable NOT_SET is not set",
    ]);
  });

  it.each<[object, string]>([
    [{ server: { port: "8080" } }, "server.port: must be a number, and is text"],
    [{ server: { processes: "two" } }, "server.processes: must be auto or a number"],
    [{ server: { trustProxy: "10.0.0.0/8" } }, "server.trustProxy: must be a list, and is text"],
    [{ server: { webSockets: "yes" } }, "server.webSockets: must be true or false, and is text"],
    [{ server: { url: null } }, "server.url: must be text, and is null"],
    [{ telemetry: { metrics: true } }, "telemetry.metrics: must be an object, and is true or false"],
    [{ ...withProvider({}), models: { m: {} } }, "models.m.entries: is missing: it must be a list"],
    [[], "(root): must be an object, and is a list"],
    [
      withProvider({ key: "$MY_KEY" }),
      `providers.p.key: is no variable but text: write $${"{MY_KEY}"} for the variable`,
    ],
  ])("says in plain words what is wrong with %j", (file, line) => {
    expect(found(file)).toEqual([line]);
  });

  it("says which word was meant", () => {
    const [first] = found({ providers: { p: { preset: "antropic" } } });
    expect(first).toMatch(/^providers\.p\.preset: must be one of openai, .*\. Did you mean 'anthropic'\?$/);
  });

  it.each<[string, object, string]>([
    [
      "a misspelt field",
      withProvider({ orgin: "x" }),
      "providers.p.orgin: there is no such field; known are preset, protocol, serves, origin, parts, basePaths, listing, key, auth, platform, headers, traits, protocolTraits, timeouts, drain, routes, surcharges, batches, unpriced, unknownIds, concurrency. Did you mean 'origin'?",
    ],
    [
      "an extension that the chat wire does not have",
      withProvider({ traits: { extensions: ["images", "topk"] } }),
      "providers.p.traits.extensions.1: must be one of top_k, ",
    ],
    [
      "a misspelt section",
      { modles: {} },
      "modles: there is no such field; known are $schema, server, store,",
    ],
    [
      "a misspelt field in an entry",
      withEntry({ prize: {} }),
      "models.m.entries.0.prize: there is no such field; known are provider, name,",
    ],
    [
      "a misspelt unit",
      withEntry({ price: { inputt: 1 } }),
      "models.m.entries.0.price.inputt: there is no such field; known are input, cacheRead,",
    ],
    [
      "a price of one token",
      withEntry({ price: { input: 0.0000006 } }),
      "models.m.entries.0.price.input: must be 0, or at least 0.000001: prices of tokens and characters are for 1,000,000 of them",
    ],
    [
      "a misspelt provider",
      { ...withEntry({ provider: "lokal" }), providers: { local: { preset: "ollama" } } },
      "models.m.entries.0.provider: no provider 'lokal'; known are local. Did you mean 'local'?",
    ],
    [
      "a misspelt cap",
      withKey({ key: "a-key-that-is-long-enough-0123456789", caps: { dayly: 1 } }),
      "accounts.a.keys.k.caps.dayly: there is no such field; known are daily, weekly, monthly, total",
    ],
    [
      "a protocol that is none",
      withProvider({ protocol: "other" }),
      "providers.p.protocol: must be one of chatstyle, ",
    ],
    [
      "one of several that is none",
      withProvider({ protocol: ["chatstyle", "other"] }),
      "providers.p.protocol.1: must be one of chatstyle, ",
    ],
    [
      "a wire that is none",
      withProvider({ serves: { image: "other" } }),
      "providers.p.serves.image: must be one of ",
    ],
    [
      "a protocol that the provider does not speak",
      withEntry({ protocol: "genstyle" }),
      "models.m.entries.0.protocol: 'p' does not speak genstyle; it speaks chatstyle",
    ],
    [
      "a meter of another output",
      withEntry({ meter: { by: "videos", longest: 5 } }),
      "models.m.entries.0.meter: counts what has the output video, and this model's is text",
    ],
    [
      "a trait that does not exist",
      withEntry({ traits: { samplin: false } }),
      "models.m.entries.0.traits.samplin: there is no such field; known are maxTokensField,",
    ],
    [
      "two traits that contradict each other",
      withEntry({ traits: { efforts: ["low"], effort: "high" } }),
      "models.m.entries.0.traits.effort: 'high' is not among 'efforts'",
    ],
    [
      "a range that ends before it begins",
      withProvider({ traits: { ranges: { temperature: [1, 0] } } }),
      "providers.p.traits.ranges.temperature: the least value is more than the greatest",
    ],
    [
      "a parameter with values that is refused",
      withProvider({ protocolTraits: { chatstyle: { refuses: ["seed"], accepts: { seed: [1] } } } }),
      "providers.p.protocolTraits.chatstyle.accepts.seed: the model refuses this parameter by 'refuses' or 'sampling'",
    ],
    [
      "traits that no request can reach",
      withProvider({ protocolTraits: { msgstyle: { sampling: false } } }),
      "providers.p.protocolTraits.msgstyle: 'p' does not speak msgstyle; it speaks chatstyle",
    ],
    [
      "a name that cannot be",
      { ...withProvider({}), models: { "a\nb": { entries: [{ provider: "p", name: "n" }] } } },
      "the name cannot be used: must not contain control characters",
    ],
  ])("a finding names its place and what would be right: %s", (_, file, text) => {
    const [first = "", ...others] = found(file);
    expect(first).toContain(text);
    expect(others).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    [
      "an address without a scheme",
      withProvider({ origin: "127.0.0.1:9" }),
      /^providers\.p\.origin: .*http:\/\//,
    ],
    [
      "an address with a query",
      withProvider({ origin: "https://x.example/v1?version=2" }),
      /^providers\.p\.origin: .*query/,
    ],
    [
      "an address with a password",
      withProvider({ origin: "https://me:secret@x.example/" }),
      /^providers\.p\.origin: .*password/,
    ],
    [
      "plain http to the internet",
      withProvider({ origin: "http://x.example/v1" }),
      /^providers\.p\.origin: must be https/,
    ],
    [
      "a key set over plain http",
      { ...withProvider({}), sessions: { jwks: "http://8.8.8.8/keys" } },
      /^sessions\.jwks: must be https/,
    ],
    ...["__proto__", "constructor"].map((name): [string, object, RegExp] => [
      `an account named ${name}`,
      JSON.parse(`{"accounts":{"${name}":{"balance":1}}}`),
      new RegExp(`^accounts\\.${name}: .*reserved name`),
    ]),
    [
      "a key that ends in a line break",
      withProvider({ key: "secret\n" }),
      /^providers\.p\.key: .*line break/,
    ],
    [
      "a header that no message can have",
      withProvider({ headers: { "x team": "a" } }),
      /^providers\.p\.headers\.x team: /,
    ],
    [
      "a header of the connection",
      withProvider({ headers: { "Transfer-Encoding": "chunked" } }),
      /^providers\.p\.headers\.Transfer-Encoding: .*connection/,
    ],
    [
      "a value that no header can have",
      withProvider({ headers: { "x-team": "a\nb" } }),
      /^providers\.p\.headers\.x-team: .*line break/,
    ],
    [
      "a header for the key that is none",
      withProvider({ auth: { header: "x key" } }),
      /^providers\.p\.auth\.header: /,
    ],
    [
      "a header of a service",
      withProvider({ serves: { image: { wire: "chatstyle", key: "a\nb" } } }),
      /^providers\.p\.serves\.image\.key: .*line break/,
    ],
    [
      "a key that nobody could send",
      withKey("größer als alles, was noch davon übrig ist"),
      /^accounts\.a\.keys\.k: .*ASCII/,
    ],
    [
      "an operator's key that nobody could send",
      { server: { adminKey: "long enough, and with a space in it" } },
      /^server\.adminKey: .*ASCII/,
    ],
    [
      "credit that would be nothing",
      { accounts: { a: { balance: 0.000_000_1 } } },
      /^accounts\.a\.balance: .*0\.000001/,
    ],
    [
      "a price that would be nothing",
      withEntry({ price: { input: 0.000_000_1 } }),
      /^models\.m\.entries\.0\.price\.input: .*0\.000001/,
    ],
    ["a range that is none", { media: { allow: ["here"] } }, /^media\.allow\.0: .*10\.0\.0\.0\/8/],
    [
      "a public key that is none",
      { sessions: { publicKey: "-----BEGIN PUBLIC KEY-----\nzz\n-----END PUBLIC KEY-----" } },
      /^sessions\.publicKey: .*PEM/,
    ],
  ])("a finding is made where a start or every call would fail: %s", (_, file, text) => {
    const findings = found(file);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(text);
    expect(findings.join()).not.toContain("secret");
  });

  it("a valid configuration has no findings", () => {
    const headers = { "X-Team": "größer\tals", host: "other.example" };
    expect(found(withProvider({ headers, auth: { header: "X-Key", scheme: "Token" } }))).toEqual([]);
    expect(found(withProvider({ origin: "https://x.example:8443/a@b/v1/" }))).toEqual([]);
    expect(found(withEntry({ protocol: ["chatstyle"], price: { input: 0.000_001, output: 0 } }))).toEqual([]);
    expect(found({ media: { allow: ["10.1.0.0/16", "fd00::/8"] } })).toEqual([]);
  });

  it("findings come with a schema for editors", () => {
    expect(() => z.toJSONSchema(configSchema, { io: "input" })).not.toThrow();
  });
});
