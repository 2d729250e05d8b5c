import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { doubtsOf } from "../../../apps/server/src/config/doubts/index.ts";
import { unknownAccounts } from "../../../apps/server/src/config/doubts/references.ts";
import { loadWithSource, parseConfig } from "../../../apps/server/src/config/load.ts";
import { startHost } from "../../../apps/server/src/host.ts";
import { createLog } from "../../../apps/server/src/logging/log.ts";

const provider = { protocol: "chatstyle", origin: "http://127.0.0.1:9" };
const withProvider = (more: object) => ({ providers: { p: { ...provider, ...more } } });
const withEntry = (more: object, model: object = {}) => ({
  ...withProvider({}),
  models: { "gpt-old": { ...model, entries: [{ provider: "p", name: "n", ...more }] } },
});
const withCapabilities = (capabilities: object) => withEntry({ capabilities });
const range = { type: "range", min: 0, max: 1 };

const doubts = (file: object, listed: string[] = []): string[] =>
  doubtsOf(parseConfig(file, {}), listed).map(({ line }) => line);

it.each<[string, object, string]>([
  [
    "a misspelt parameter",
    withCapabilities({ text: { params: { temprature: range } } }),
    "models.gpt-old.entries.0.capabilities.text.params.temprature: no parameter has this name. Did you mean 'temperature'?",
  ],
  [
    "the spelling of another interface",
    withCapabilities({ text: { supportedParameters: ["tools", "max_tokens"] } }),
    "models.gpt-old.entries.0.capabilities.text.supportedParameters.1: no parameter has this name. Did you mean 'maxTokens'?",
  ],
  [
    "a misspelt parameter that is not taken",
    withCapabilities({ text: { unsupported: { topk: "drop" } } }),
    "models.gpt-old.entries.0.capabilities.text.unsupported.topk: no parameter has this name. Did you mean 'topK'?",
  ],
  [
    "a misspelt parameter of all operations",
    withCapabilities({ params: { resolutions: { type: "enum", values: ["720p"] } } }),
    "models.gpt-old.entries.0.capabilities.params.resolutions: no parameter has this name. Did you mean 'resolution'?",
  ],
  [
    "a misspelt member",
    withCapabilities({ text: { params: { "thinking.budgetToken": range } } }),
    "models.gpt-old.entries.0.capabilities.text.params.thinking.budgetToken: no parameter has this name. Did you mean 'thinking.budgetTokens'?",
  ],
  [
    "a misspelt field of a rule",
    withCapabilities({ video: { rules: [{ type: "never", if: { field: "cameraFixd" } }] } }),
    "models.gpt-old.entries.0.capabilities.video.rules.0.if.field: no parameter has this name. Did you mean 'cameraFixed'?",
  ],
  [
    "the price of one token",
    withEntry({ price: { input: 0.000003 } }),
    "models.gpt-old.entries.0.price.input: comes to 0.000000003 US dollars for 1,000 tokens. If it is the price of one, write 3; if that of 1,000, 0.003",
  ],
  [
    "the price of a million millions",
    withEntry({ price: { output: 15000 } }),
    "models.gpt-old.entries.0.price.output: comes to 15 US dollars for 1,000 tokens. The price is that of 1,000,000",
  ],
  [
    "the price of many pictures",
    withEntry({ tiers: [{ price: { images: 40000 } }] }),
    "models.gpt-old.entries.0.tiers.0.price.images: comes to 40000 US dollars for each one: the price is that of one, and not of many",
  ],
  [
    "a price on a condition that never holds",
    withEntry({ tiers: [{ when: { resolutoin: "720p" }, price: { seconds: 1 } }] }),
    "models.gpt-old.entries.0.tiers.0.when.resolutoin: no price depends on this, so this one is never used. Did you mean 'resolution'?",
  ],
  ["seconds", { server: { grace: 30 } }, "server.grace: is 30 milliseconds; for 30 seconds write 30000"],
  [
    "seconds of a provider",
    withProvider({ timeouts: { firstByte: 120 } }),
    "providers.p.timeouts.firstByte: is 120 milliseconds; for 120 seconds write 120000",
  ],
  [
    "seconds of a guard",
    { guards: [{ name: "g", url: "http://127.0.0.1:9", secret: `whsec_${"A".repeat(32)}`, timeout: 10 }] },
    "guards.0.timeout: is 10 milliseconds; for 10 seconds write 10000",
  ],
  [
    "a fallback that is no model",
    withEntry({}, { fallbacks: ["gpt-new", "gpt-odl"] }),
    "models.gpt-old.fallbacks.1: there is no model 'gpt-odl'. Did you mean 'gpt-old'?",
  ],
  [
    "a restriction to no model",
    { ...withEntry({}), keyDefaults: { "*": { restrictions: { models: ["gpt-*", "claude-*"] } } } },
    "keyDefaults.*.restrictions.models.1: there is no model 'claude-*'",
  ],
  [
    "a base path of a protocol that is not spoken",
    withProvider({ basePaths: { msgstyle: "/v1" } }),
    "providers.p.basePaths.msgstyle: 'p' does not speak msgstyle; it speaks chatstyle",
  ],
  [
    "batches of a protocol that is not spoken",
    withProvider({ batches: { protocols: ["chatstyle", "responses"], factor: 0.5 } }),
    "providers.p.batches.protocols.1: 'p' does not speak responses; it speaks chatstyle",
  ],
])("there are doubts about %s", (_, file, line) => {
  expect(doubts(file, ["gpt-new"])).toEqual([line]);
});

it.each<[string, object]>([
  [
    "parameters of the provider's own",
    withCapabilities({ text: { params: { styleReference: range, style: range } } }),
  ],
  [
    "usual prices",
    withEntry({ price: { input: 0.0028, output: 600, images: 0.04, requests: 0.005, cacheRead: 0 } }),
  ],
  ["usual times", { server: { grace: 10_000, preStopDelay: 0 }, ...withProvider({ drain: 0 }) }],
  ["models that providers list", withEntry({}, { fallbacks: ["listed"] })],
])("there are none about %s", (_, file) => {
  expect(doubts(file, ["listed"])).toEqual([]);
});

it("tells of accounts that neither the file nor the database has", async () => {
  const store = await openSqlite({ path: ":memory:" });
  await store.accounts.ensure({ id: "acc_here", name: "a", at: 0, by: { actor: "test", at: 0 } });
  const url = "http://127.0.0.1:9";
  const secret = `whsec_${"A".repeat(32)}`;
  const config = parseConfig(
    {
      accounts: { team: {} },
      guards: [{ name: "g", url, secret, accounts: ["team", "acc_here", "taem"] }],
      webhooks: [{ url, secret, account: "other" }],
      keyDefaults: { "*": {}, team: {}, nobody: {} },
    },
    {},
  );
  expect((await unknownAccounts(config, store)).map(({ line }) => line)).toEqual([
    "guards.0.accounts.2: there is no account 'taem'. Did you mean 'team'?",
    "webhooks.0.account: there is no account 'other'",
    "keyDefaults.nobody: there is no account 'nobody'",
  ]);
  await store.close();
});

it("a start and a reload log them with their places in the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-doubts-"));
  const file = join(folder, "manifold.yaml");
  const written = (grace: number): void =>
    writeFileSync(
      file,
      [
        `store: sqlite:${join(folder, "store.db")}`,
        `objects: file:${join(folder, "objects")}`,
        `server: { port: 0, grace: ${grace} }`,
        "keyDefaults:",
        "  nobody: {}",
      ].join("\n"),
    );
  written(30);
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const host = await startHost({ ...loadWithSource(file, {}), log });
  const findings = (): string[] => lines.splice(0).flatMap((line) => JSON.parse(line).finding ?? []);
  const ofAccount = `${file}:5: keyDefaults.nobody: there is no account 'nobody'`;
  expect(findings()).toEqual([
    `${file}:3: server.grace: is 30 milliseconds; for 30 seconds write 30000`,
    ofAccount,
  ]);
  written(30_000);
  await host.reload(loadWithSource(file, {}));
  // The grace in force is that of the start.
  expect(findings()).toContain(ofAccount);
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});
