import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import type { Stage } from "../../support/stage.ts";
import { form, NATIVE, send, speech, startTranscription } from "./stage.ts";

let events: string;
let h: Stage;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
  });
});
beforeAll(async () => {
  const { origin } = await listen(server);
  const provider = defineProvider("chatstyle", { origin, speaks: ["chatstyle"], key: "upstream-secret" });
  h = await startTranscription({
    providers: new Map([["chatstyle", provider]]),
    routing: { circuit: { failures: 1_000_000 } },
  });
});
afterAll(async () => {
  await h.settled();
  expect(await h.store.money.audit()).toEqual([]);
  await h.close();
  server.closeAllConnections();
  server.close();
});

const asks: [as: string, ask: () => Promise<Response>][] = [
  ["forwarded", () => send(h, form({ model: "tokens", stream: "true" }))],
  [
    "translated",
    () => {
      const content = [{ type: "audioBase64", data: speech().toString("base64") }];
      return h.call(NATIVE, { model: "tokens", content, stream: true });
    },
  ],
];
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = event({ type: "transcript.text.delta", delta: "Hello." });
const error = event({ type: "error", error: { code: "overloaded", message: "busy today" } });

/** What an answer costs, and its record. */
async function charged(ask: () => Promise<unknown>) {
  const { balance } = await h.balance();
  await ask();
  await h.settled();
  const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  return { cost: balance - (await h.balance()).balance, record: results[0]! };
}

describe.each(asks)("a stream that has no transcript, %s", (_, ask) => {
  it.each([
    ["only an error", error, /busy today/],
    ["only an error, without its type", event({ error: { message: "busy today" } }), /busy today/],
    ["nothing", "", /broke off/],
    ["only a comment", ": alive\n\n", /broke off/],
  ])("with %s it is refused with a status, and nothing is charged", async (_what, sent, words) => {
    events = sent;
    const { cost, record } = await charged(async () => {
      const response = await ask();
      expect([response.status, await response.text()]).toEqual([502, expect.stringMatching(words)]);
    });
    expect([cost, record.status]).toEqual([0, "failed"]);
  });

  it("behind some text, an error breaks it off, and it is charged by an estimate", async () => {
    events = delta + error;
    const { cost, record } = await charged(async () => {
      await expect(ask().then((response) => response.text())).rejects.toThrow();
    });
    expect(cost).toBeGreaterThan(0);
    expect(record).toMatchObject({ status: "failed", usage: { estimated: true } });
  });
});

const named = (type: string, members: object): string => event({ type: `transcription.${type}`, ...members });
const piece = (content: string, finish: string | null): string =>
  event({
    object: "transcription.chunk",
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });
const foreign: [of: string, sent: (isWhole: boolean) => string][] = [
  [
    "a vendor with names of its own",
    (isWhole) =>
      named("language", { audio_language: "en" }) +
      named("text.delta", { text: "Hel" }) +
      named("text.delta", { text: "lo." }) +
      (isWhole ? named("done", { text: "Hello.", model: "theirs", usage: { prompt_tokens: 4 } }) : ""),
  ],
  [
    "a server that streams completions",
    (isWhole) =>
      piece("Hel", null) +
      piece("lo.", isWhole ? "stop" : null) +
      (isWhole
        ? event({ object: "transcription.chunk", choices: [], usage: { prompt_tokens: 4 } }) +
          "data: [DONE]\n\n"
        : ""),
  ],
];

describe.each(foreign)("a stream of %s", (_, sent) => {
  it.each(asks)("%s, is written in the caller's form", async (_as, ask) => {
    events = `: alive\n\n${sent(true)}`;
    let text = "";
    const { record } = await charged(async () => {
      text = await ask().then((response) => response.text());
    });
    const all = text.matchAll(/^data: (.+)$/gm).toArray();
    const read = all.map(([, json = ""]) => JSON.parse(json));
    expect(read.map(({ type }) => type.split(".").at(-1))).toEqual(["delta", "delta", "done"]);
    expect(read.at(-1)).toMatchObject({ text: "Hello." });
    expect(text).not.toMatch(/transcription\.|theirs/);
    expect(record).toMatchObject({ status: "succeeded", usage: { promptTokens: 4 } });
  });

  it.each(asks)("%s, that breaks off, breaks off", async (_as, ask) => {
    events = sent(false);
    await expect(ask().then((response) => response.text())).rejects.toThrow();
  });
});

describe("keep-alives in a stream", () => {
  const done = event({ type: "transcript.text.done", text: "Hello." });
  it.each(asks)("they reach no client as data, %s", async (_, ask) => {
    const named = `event: transcript.text.delta\n${delta}`;
    events = `: alive\n\nretry: 9\n\ndata: ping\n\nevent: ping\ndata:\n\n${named}data: : ping\n\n${done}`;
    const response = await ask();
    expect(response.status).toBe(200);
    const text = await response.text();
    const data = text.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []));
    expect(data.map((one) => JSON.parse(one).type ?? "native")).toHaveLength(2);
    expect(text).not.toMatch(/retry|ping/);
  });

  it("all other events are forwarded as they are", async () => {
    events = `event: transcript.text.delta\r\n${delta.replaceAll("\n", "\r\n")}${event({ type: "novel", é: "ü" })}${done}`;
    expect(await (await asks[0]![1]()).text()).toBe(events);
  });
});
