import { createServer, type ServerResponse } from "node:http";
import { defineProvider, presets } from "@manifold-gateway/providers";
import type { Generation } from "@manifold-gateway/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";

/** An upstream that answers when a test says so, and tells when its call has ended. */
let calls: { response: ServerResponse; ended: Promise<void> }[];
let called: () => void;
const upstream = createServer((request, response) => {
  const ended = new Promise<void>((resolve) => response.on("close", resolve));
  request.resume();
  calls.push({ response, ended });
  called();
});

let h: Stage;
beforeAll(async () => {
  const { origin } = await listen(upstream);
  const provider = (id: string, drain: number) =>
    [id, defineProvider(id, { origin, speaks: ["chatstyle"], drain })] as const;
  h = await startStage({
    models: [
      model("local", "local"),
      model("patient", "patient"),
      model("vectors", "local", { outputModalities: ["embedding"] }),
    ],
    providers: new Map([provider("local", 0), provider("patient", 1)]),
  });
});
afterAll(async () => {
  await h.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});
beforeEach(() => {
  calls = [];
});

const ask = (model: string, stream: boolean) => ({
  model,
  stream,
  messages: [{ role: "user", content: "Tell me all of it." }],
});
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** Asks, does what is to be done once the provider is called, leaves, and waits until the provider's call has ended. */
async function leave(
  path: string,
  body: object,
  {
    before = () => {},
    begins = false,
    headers = {},
  }: {
    before?: (response: ServerResponse) => void;
    /** The client gets the first bytes before it leaves. */
    begins?: boolean;
    headers?: Record<string, string>;
  } = {},
): Promise<void> {
  const gone = new AbortController();
  const reached = new Promise<void>((resolve) => {
    called = resolve;
  });
  const asked = h.call(path, body, { signal: gone.signal, headers });
  asked.catch(() => {});
  await reached;
  const { response, ended } = calls.at(-1)!;
  before(response);
  if (begins) await (await asked).body?.getReader().read();
  gone.abort();
  await ended;
}

/** The newest record, once nothing is held any more. */
async function record(): Promise<Generation> {
  await h.settled();
  const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  return results[0]!;
}
const begin = (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("some words!!"));

describe("a client that leaves a provider that bills nothing for what goes on", () => {
  it.each(["local", "patient"])(
    "a client that leaves ends the call of a stream, charged by what came: %s",
    async (id) => {
      await leave(CHAT, ask(id, true), { before: begin, begins: true });
      expect(await record()).toMatchObject({
        status: "aborted",
        model: id,
        usage: { output: 3, estimated: true },
      });
    },
  );

  it("a client that leaves before a whole answer begins ends its call, at no cost and without blaming the provider", async () => {
    await leave(CHAT, ask("local", false));
    expect(await record()).toMatchObject({ status: "aborted", cost: 0 });
    const failures = [...h.gateway.health().values()].map((entry) => entry.failures);
    expect(failures.filter(Boolean)).toEqual([]);
  });

  it("a client that leaves while the body of a whole answer is on its way ends its call", async () => {
    await leave(CHAT, ask("local", false), {
      before: (response) =>
        void response.writeHead(200, { "content-type": "application/json" }).write('{"id":'),
    });
    expect((await record()).status).toBe("aborted");
  });

  it("a client that leaves ends its embeddings", async () => {
    await leave("/api/chatstyle/v1/embeddings", { model: "vectors", input: "some words" });
    expect(await record()).toMatchObject({ status: "aborted", cost: 0 });
  });

  it("a client that leaves can use its Idempotency-Key again", async () => {
    const headers = { "idempotency-key": "again" };
    await leave(CHAT, ask("local", false), { headers });
    await record();
    await leave(CHAT, ask("local", false), { headers });
    expect(calls.length).toBe(2);
  });

  it("a client that leaves ends its call on a web runtime too", async () => {
    const gone = new AbortController();
    const reached = new Promise<void>((resolve) => {
      called = resolve;
    });
    const answered = h.gateway.fetch(
      new Request(`http://gateway.test${CHAT}`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify(ask("local", false)),
        signal: gone.signal,
      }),
    );
    await reached;
    gone.abort();
    await calls[0]!.ended;
    expect((await record()).status).toBe("aborted");
    expect((await answered).status).toBe(500);
  });
});

it("presets of local servers end calls of clients that left, and no other presets do", () => {
  const ends = Object.values(presets).filter(({ drain }) => drain === 0);
  expect(ends).toEqual(Object.values(presets).filter(({ kind }) => kind === "server"));
  expect(ends).toContain(presets.ollama);
});
