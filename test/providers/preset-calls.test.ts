/**
 * Every preset, called in each of its protocols by a gateway: the address and the header of the key are those that the
 * vendors document, which the file beside this one has in full.
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFetchTransport,
  createLineClient,
  discoverModels,
  type Provider,
  presets,
  type UpstreamProtocol,
} from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toProviders } from "../../apps/server/src/config/build.ts";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { listen } from "../support/listen.ts";
import { type Stage, startStage } from "../support/stage.ts";
import { model } from "../support/text.ts";
import { askOf, upstreamWires } from "../support/wires/index.ts";
import documented from "./preset-calls.json" with { type: "json" };
import documentedServices from "./preset-services.json" with { type: "json" };

type Documented = Partial<Record<UpstreamProtocol, string>>;
const calls = Object.entries(documented as Record<string, Documented>).flatMap(([id, wires]) =>
  Object.entries(wires).map(([wire, call]) => [id, wire as UpstreamProtocol, call] as const),
);

const TAILS = {
  embed: "/embeddings",
  rerank: "/rerank",
  moderation: "/moderations",
  image: "/images/generations",
  speech: "/audio/speech",
  transcription: "/audio/transcriptions",
} as const;
type Operation = keyof typeof TAILS;
const services = Object.entries(documentedServices).flatMap(([id, row]) =>
  Object.entries(row as Partial<Record<Operation, string>>).map(
    ([operation, url]) => [id, operation as Operation, url] as const,
  ),
);
/** The services that are called at once, with what makes their models, and what is sent and answered. */
const called = {
  embed: {
    makes: "embedding",
    body: { input: "hi" },
    answer: { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 1, total_tokens: 1 } },
  },
  rerank: {
    makes: "ranking",
    body: { query: "hi", documents: ["hi"] },
    answer: { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 1 } },
  },
  moderation: { makes: "moderation", body: { input: "hi" }, answer: { results: [{ flagged: false }] } },
} as const;
const answering = services.flatMap(([id, operation, url]) =>
  operation in called ? [[id, operation as keyof typeof called, url] as const] : [],
);

/** Values of parts, by the variables that vendors' clients read. */
const PARTS: Record<string, string> = {
  AWS_REGION: "eu-west-1",
  AZURE_OPENAI_ENDPOINT: "https://acme.example.com/",
  ANTHROPIC_FOUNDRY_RESOURCE: "acme",
  GOOGLE_CLOUD_LOCATION: "eu-west-1",
  GOOGLE_CLOUD_PROJECT: "acme-1",
  SNOWFLAKE_ACCOUNT: "acme",
  DATABRICKS_HOST: "acme.example.com",
  CLOUDFLARE_ACCOUNT_ID: "acme",
  CLOUDFLARE_GATEWAY_ID: "main",
};

const folder = mkdtempSync(join(tmpdir(), "presets-"));
let tokens: Awaited<ReturnType<typeof listen>>;
let providers: Map<string, Provider>;
let sent: Request[] = [];
let h: Stage;

beforeAll(async () => {
  tokens = await listen((_, response) => response.end('{"access_token":"TOKEN","expires_in":3600}'));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = {
    client_email: "a@example.com",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    token_uri: tokens.origin,
  };
  const file = join(folder, "account.json");
  writeFileSync(file, JSON.stringify(account));
  const keys = Object.values(presets).flatMap(({ keyVariable }) => keyVariable ?? []);
  const env = {
    ...PARTS,
    ...Object.fromEntries(keys.map((name) => [name, "KEY"])),
    GOOGLE_APPLICATION_CREDENTIALS: file,
  };
  const declared = Object.entries(presets).map(([id, { keyVariable, identityVariable, parts = {} }]) => {
    const isKeyless = keyVariable === undefined && identityVariable === undefined;
    const unnamed = Object.keys(parts).filter((part) => parts[part]?.variables === undefined);
    const given = Object.fromEntries(unnamed.map((part) => [part, "eu-west-1"]));
    return [
      id,
      { preset: id, ...(isKeyless && { key: "KEY" }), ...(unnamed.length > 0 && { parts: given }) },
    ];
  });
  providers = toProviders(parseConfig({ providers: Object.fromEntries(declared) }, env));
  const models = calls.map(([id, wire]) => {
    const entry = { provider: id, name: "M", priority: 1, isActive: true, price: {}, speaks: [wire] };
    return model(`${id}-${wire}`, id, { entries: [entry] });
  });
  for (const [id, operation] of answering) {
    const entry = { provider: id, name: "M", priority: 1, isActive: true, price: {} };
    models.push(
      model(`${id}-${operation}`, id, { outputModalities: [called[operation].makes], entries: [entry] }),
    );
  }
  const transport = createFetchTransport({
    async fetch(request) {
      sent.push(request);
      const [, operation] = answering.find(([, , url]) => url === request.url) ?? [];
      return Response.json(operation ? called[operation].answer : upstreamWires[requested].reply);
    },
  });
  h = await startStage({ listens: false, models, providers, transport });
});
afterAll(async () => {
  await h.close();
  await tokens.close();
  rmSync(folder, { recursive: true });
});

/** The protocol of the call under test. */
let requested: UpstreamProtocol = "chatstyle";

describe("a call to the preset", () => {
  it.each(calls)("%s in %s goes where its vendor documents it, with its key", async (id, wire, call) => {
    sent = [];
    requested = wire;
    const [path, body] = askOf(wire, `${id}-${wire}`, false);
    await h.json(path, body);
    const [request] = sent;
    const header = /^[\w-]+/.exec(call)?.[0] ?? "";
    expect(`${header}: ${request?.headers.get(header)} ${request?.url}`).toBe(call);
  });

  it("is documented for every protocol of every preset", () => {
    const spoken = Object.entries(presets).flatMap(([id, { speaks }]) =>
      speaks.map((wire) => `${id} ${wire}`),
    );
    expect(calls.map(([id, wire]) => `${id} ${wire}`).sort()).toEqual(spoken.sort());
  });
});

describe("a service of the preset", () => {
  it.each(services)("%s serves %s where its vendor documents it, with its key", (id, operation, url) => {
    const service = providers.get(id)?.serves?.[operation];
    expect(`${service?.origin}${service?.base}${TAILS[operation]}`).toBe(url);
    expect(service?.key).toBe("KEY");
  });

  it.each(answering)("%s is called for %s there", async (id, operation, url) => {
    sent = [];
    const { body } = called[operation];
    await h.json(`/api/chatstyle/v1${TAILS[operation]}`, { model: `${id}-${operation}`, ...body });
    expect(sent.map((request) => request.url)).toEqual([url]);
  });

  it("is documented wherever its wire is that of many vendors, or orders documents", () => {
    const wires: unknown[] = ["chatstyle", "outputstyle", "pixelstyle", "ratiostyle"];
    const served = Object.entries(presets).flatMap(([id, { serves = {} }]) =>
      Object.entries(serves).flatMap(([operation, service]) =>
        wires.includes(typeof service === "object" ? service.wire : service) || operation === "rerank"
          ? [`${id} ${operation}`]
          : [],
      ),
    );
    expect(services.map(([id, operation]) => `${id} ${operation}`).sort()).toEqual(served.sort());
  });
});

describe("a stream in the caller's own protocol", () => {
  it.each([
    ["groq", { include_usage: true }],
    ["mistral", undefined],
    ["cohere", undefined],
  ])("asks %s for usage unless it refuses that: %o", async (id, options) => {
    sent = [];
    requested = "chatstyle";
    const [path, body] = askOf("chatstyle", `${id}-chatstyle`, true);
    await (await h.call(path, body)).text();
    expect((await sent[0]?.json())?.stream_options).toEqual(options);
  });
});

describe("the list of models of the preset", () => {
  const of = async (id: string, body: object): Promise<[string | undefined, string[]]> => {
    sent = [];
    const fetched = async (request: Request): Promise<Response> => {
      sent.push(request);
      return Response.json(body);
    };
    const client = createLineClient(createFetchTransport({ fetch: fetched }));
    const listed = await discoverModels(providers.get(id) as Provider, client, AbortSignal.timeout(5_000));
    return [sent[0]?.url, listed.map(({ name }) => name)];
  };

  it.each([
    ["groq", "https://api.groq.com/openai/v1/models", { data: [{ id: "m" }] }],
    ["deepseek", "https://api.deepseek.com/models", { data: [{ id: "m" }] }],
    ["cohere", "https://api.cohere.ai/v1/models", { models: [{ name: "m" }] }],
    ["togetherai", "https://api.together.xyz/v1/models", [{ id: "m" }]],
    ["github-models", "https://models.github.ai/catalog/models", [{ id: "m" }]],
    ["siliconflow", "https://api.siliconflow.com/v1/models?sub_type=chat", { data: [{ id: "m" }] }],
  ])("%s is read at %s", async (id, url, body) => {
    expect(await of(id, body)).toEqual([url, ["m"]]);
  });

  it("perplexity, which has none, is not asked for", async () => {
    expect(await of("perplexity", {})).toEqual([undefined, []]);
  });
});
