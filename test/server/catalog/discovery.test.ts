import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLineClient, createTransport, discoverModels, fromPreset } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { openSqlite } from "@manifold-gateway/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDiscovery } from "../../../apps/server/src/catalog/discovery.ts";
import { describeFindings, isServed } from "../../../apps/server/src/catalog/discovery-report.ts";
import { openLiveCatalog } from "../../../apps/server/src/catalog/live-catalog.ts";
import { CurrentConfig } from "../../../apps/server/src/config/current-config.ts";
import { embeddedConfig } from "../../../apps/server/src/config/embedded.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { type LocalServer, startLocalServer } from "../../support/llamacpp.ts";
import { addPayer } from "../commands/payer.ts";

const log = { info() {}, warn() {}, error() {} };
const transport = createTransport();
/** What the local server answers, by path; without an answer it has no such path, and without any it is away. */
let answers: Record<string, (body: string) => unknown> | undefined;
let asked: string[];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  asked.push(request.url ?? "");
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const answer = answers?.[request.url ?? ""];
    if (!answer) response.writeHead(answers ? 404 : 503).end();
    else response.end(JSON.stringify(answer(Buffer.concat(chunks).toString())));
  });
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const listing =
  (...rows: object[]) =>
  () => ({ object: "list", data: rows });
const serve = (...ids: string[]) => {
  answers = { "/v1/models": listing(...ids.map((id) => ({ id }))) };
};
const found = (preset: string, at = origin) =>
  discoverModels(fromPreset(preset, { origin: at }), createLineClient(transport), AbortSignal.timeout(5_000));

describe("what a server says of its models", () => {
  let local: LocalServer;
  beforeAll(async () => {
    local = await startLocalServer();
  });
  afterAll(() => local.close());

  it("llama.cpp gives its context and senses, under the id that it spells", async () => {
    expect(await found("llamacpp", local.origin)).toEqual([
      expect.objectContaining({
        name: local.model,
        contextWindow: expect.any(Number),
        input: expect.arrayContaining(["text"]),
        isLoaded: true,
      }),
    ]);
  });

  it("llama.cpp with several models says whether each is loaded, and loads none for the question", async () => {
    const row = (id: string, value: string) => ({ id, status: { value }, meta: { n_ctx_train: 4_096 } });
    answers = { "/v1/models": listing(row("models/a.gguf", "loaded"), row("b", "unloaded")) };
    expect(await found("llamacpp")).toEqual([
      { name: "models/a.gguf", contextWindow: 4_096, isLoaded: true },
      { name: "b", contextWindow: 4_096, isLoaded: false },
    ]);
    expect(asked).toEqual(["/v1/models"]);
  });

  it("Ollama gives context, senses, quantisation and what is in memory", async () => {
    const shown: Record<string, object> = {
      "see:7b": { capabilities: ["completion", "vision"], model_info: { "qwen.context_length": 32_768 } },
      "embed:latest": { capabilities: ["embedding"], model_info: { "bert.context_length": 512 } },
    };
    answers = {
      "/v1/models": listing({ id: "see:7b" }, { id: "embed:latest" }),
      "/api/tags": () => ({ models: [{ name: "see:7b", details: { quantization_level: "Q4_K_M" } }] }),
      "/api/ps": () => ({ models: [{ name: "see:7b" }] }),
      "/api/show": (body) => shown[JSON.parse(body).model],
    };
    expect(await found("ollama")).toEqual([
      {
        name: "see:7b",
        input: ["text", "image"],
        output: ["text"],
        contextWindow: 32_768,
        quantization: "Q4_K_M",
        isLoaded: true,
      },
      {
        name: "embed:latest",
        input: ["text"],
        output: ["embedding"],
        contextWindow: 512,
        isLoaded: false,
      },
    ]);
  });

  it("vLLM gives the length that it was started with", async () => {
    answers = { "/v1/models": listing({ id: "Qwen/Qwen3-8B", max_model_len: 16_384 }) };
    expect(await found("vllm")).toEqual([{ name: "Qwen/Qwen3-8B", contextWindow: 16_384 }]);
  });
});

describe("repeated discovery", () => {
  const start = () => {
    let time = 0;
    const lines: unknown[] = [];
    const warned = { ...log, warn: (fields: object) => void lines.push(fields) };
    const provider = fromPreset("ollama", { origin });
    const discovery = createDiscovery([provider], { transport, log: warned, now: () => time });
    const ids = () => discovery.models().map(({ id }) => id);
    const pass = (ms: number): void => {
      time += ms;
    };
    return { discovery, ids, lines, pass };
  };

  it("discovery is repeated at intervals, after an unknown name, and on the operator's command", async () => {
    const { discovery, ids, pass } = start();
    serve("one");
    expect(await discovery.look("interval")).toBe(true);
    serve("one", "two");
    expect(await discovery.look("interval")).toBe(false);
    expect(await discovery.look("unknown")).toBe(true);
    expect(ids()).toEqual(["one", "two"]);
    serve("three");
    expect(await discovery.look("unknown")).toBe(false);
    expect(await discovery.look("signal")).toBe(true);
    serve("four");
    pass(30_000);
    expect(await discovery.look("interval")).toBe(true);
    expect(ids()).toEqual(["four"]);
  });

  it("discovery keeps the models of a server that is gone, and says so once, with address and variable", async () => {
    const { discovery, ids, lines } = start();
    serve("one");
    await discovery.look("signal");
    answers = undefined;
    await discovery.look("signal");
    await discovery.look("signal");
    expect(ids()).toEqual(["one"]);
    const fault = `Ollama at ${new URL(origin).origin} (OLLAMA_ORIGIN) did not list its models: it answered with status 503.`;
    expect(lines).toEqual([{ provider: "ollama", why: fault }]);
    expect(describeFindings(discovery.findings())).toEqual([fault]);
    serve("one", "two");
    await discovery.look("signal");
    expect(describeFindings(discovery.findings())).toEqual([
      `Ollama at ${new URL(origin).origin}: one, two.`,
    ]);
    expect(isServed(discovery.findings())).toBe(true);
  });

  it("discovery leaves a model that the operator switched off as it is", async () => {
    const store = await openSqlite({ path: ":memory:" });
    try {
      serve("one");
      const env = { OLLAMA_ORIGIN: origin };
      const config = embeddedConfig(
        "http://127.0.0.1:9",
        {},
        { session: "s".repeat(64), seal: "ab".repeat(32) },
      );
      const live = await openLiveCatalog(store, new CurrentConfig({ config, env }), { transport, log });
      const one = (await store.catalog.list()).find(({ id }) => id === "one")!;
      const { revision: _, createdAt: _c, updatedAt: _u, ...content } = one;
      await store.catalog.upsert([{ ...content, isActive: false }], Date.now());
      serve("one", "two");
      await live.discover("signal");
      const states = new Map((await store.catalog.list()).map(({ id, isActive }) => [id, isActive]));
      expect([states.get("one"), states.get("two")]).toEqual([false, true]);
      serve("one");
      await live.discover("signal");
      expect(live.catalog.get("two")?.isActive).toBe(false);
    } finally {
      await store.close();
    }
  });
});

it("a reload that fails leaves its models out, also of what discovery stores later", async () => {
  const store = await openSqlite({ path: ":memory:" });
  try {
    serve("one");
    let isBroken = false;
    const catalog: typeof store.catalog = {
      ...store.catalog,
      replace: (...args) =>
        isBroken ? Promise.reject(new Error("no disk")) : store.catalog.replace(...args),
    };
    const settings = (...models: string[]) => ({
      config: parseConfig(
        {
          providers: { p: { protocol: "chatstyle", origin: "https://x.example" } },
          models: Object.fromEntries(
            models.map((id) => [id, { entries: [{ provider: "p", name: id, price: { input: 1 } }] }]),
          ),
        },
        {},
      ),
      env: { OLLAMA_ORIGIN: origin },
    });
    const current = new CurrentConfig(settings("early"));
    const live = await openLiveCatalog({ ...store, catalog }, current, { transport, log });
    isBroken = true;
    await expect(live.apply(settings("early", "late"))).rejects.toThrow("no disk");
    expect(Object.keys(current.inForce.models)).toEqual(["early"]);
    serve("one", "two");
    await live.discover("signal");
    expect((await store.catalog.list()).map(({ id }) => id).sort()).toEqual(["early", "one", "two"]);
    isBroken = false;
    await live.apply(settings("early", "late"));
    expect(Object.keys(current.inForce.models)).toEqual(["early", "late"]);
  } finally {
    await store.close();
  }
});

describe("a service of real and simulated models", () => {
  const KEY = "local-key-0123456789";
  let host: Host | undefined;
  let reload: () => Promise<unknown> | undefined;
  const open = async (standIns: boolean) => {
    const simulator = createSimulator();
    const secrets = { session: "s".repeat(64), seal: "ab".repeat(32) };
    const env = { PORT: "0", DATABASE_URL: "sqlite::memory:", OLLAMA_ORIGIN: origin };
    const config = embeddedConfig((await simulator.listen(0)).origin, env, secrets);
    reload = () => host?.reload({ config, env });
    host = await startHost({ config, env, log, standIns, prepare: (store) => addPayer(store, KEY) });
    return async () => {
      await host?.stop();
      await simulator.close();
    };
  };
  const call = async (path: string, body?: object) =>
    fetch(`${host?.origin}/api/chatstyle/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const listed = async (): Promise<string[]> =>
    (await (await call("/models")).json()).data.map(({ id }: { id: string }) => id);
  const chat = async (model: string) =>
    (await call("/chat/completions", { model, messages: [{ role: "user", content: "hi" }] })).status;

  it("simulated models are listed only until a real one is found, and served by name", async () => {
    serve();
    const close = await open(true);
    try {
      expect(await listed()).toContain("sim-chat");
      serve("real");
      await reload();
      expect(await listed()).toEqual(["real"]);
      expect(await chat("sim-chat")).toBe(200);
    } finally {
      await close();
    }
  });

  it("all simulated models are listed where the operator wants that", async () => {
    serve("real");
    const close = await open(false);
    try {
      expect(await listed()).toEqual(expect.arrayContaining(["real", "sim-chat"]));
    } finally {
      await close();
    }
  });

  it("a model is found by its first request, and shown with what is known of it", async () => {
    serve("old");
    const close = await open(true);
    try {
      answers = {
        "/v1/models": listing({ id: "New/Model:Q4" }),
        "/api/ps": () => ({ models: [{ name: "New/Model:Q4" }] }),
        "/api/tags": () => ({ models: [{ name: "New/Model:Q4", details: { quantization_level: "Q4_0" } }] }),
        "/v1/chat/completions": () => ({
          id: "c",
          object: "chat.completion",
          model: "New/Model:Q4",
          choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
        }),
      };
      expect(await Promise.all([chat("New/Model:Q4"), chat("New/Model:Q4")])).toEqual([200, 200]);
      const model = await (await call("/models/New/Model:Q4")).json();
      expect(model).toMatchObject({ id: "New/Model:Q4", quantization: "Q4_0", isLoaded: true });
      expect(await chat("nobody")).toBe(400);
    } finally {
      await close();
    }
  });
});
