import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import type { Stage } from "../../support/stage.ts";
import { form, NATIVE, send, speech, startTranscription } from "./stage.ts";

/** The answer of the provider: its type and its body. */
let answer: [type: string, body: string];
let h: Stage;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const [type, body] = answer;
    response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body);
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

const JSON_TYPE = "application/json";
const page = "<html><body>Down for maintenance</body></html>";
const content = () => [{ type: "audioBase64", data: speech().toString("base64") }];

/** The status and the text of an answer to a request, and what it costs. */
async function asked(ask: () => Promise<Response>, next: typeof answer) {
  answer = next;
  const { balance } = await h.balance();
  const response = await ask();
  const text = await response.text();
  await h.settled();
  return { status: response.status, text, cost: balance - (await h.balance()).balance };
}

const inForm = (fields: Record<string, string>) => () => send(h, form({ model: "seconds", ...fields }));

describe.each([
  ["as JSON", inForm({})],
  ["with its times", inForm({ response_format: "verbose_json" })],
  ["natively", () => h.call(NATIVE, { model: "seconds", content: content() })],
  ["as a stream, of a model that has none", inForm({ stream: "true" })],
])("a transcript, requested %s", (_, ask) => {
  it.each<[string, typeof answer]>([
    ["the page of a proxy", ["text/html", page]],
    ["a page without a type", ["", page]],
    ["nothing", [JSON_TYPE, ""]],
    ["JSON that broke off", [JSON_TYPE, '{"text":"Hel']],
    ["no object", [JSON_TYPE, "null"]],
    ["a text as JSON", [JSON_TYPE, '"Hello."']],
    ["an object without a text", [JSON_TYPE, '{"usage":null}']],
    ["an error", [JSON_TYPE, '{"error":{"message":"busy today"}}']],
    ["an error in one word", [JSON_TYPE, '{"error":"busy today"}']],
  ])("is refused and costs nothing where its provider sends %s with status 200", async (what, sent) => {
    const { status, text, cost } = await asked(ask, sent);
    expect([status, cost]).toEqual([502, 0]);
    expect(text).toContain(what.startsWith("an error") ? "busy today" : "no readable transcript");
  });

  it("may be empty, as of a silent recording", async () => {
    const { status, cost } = await asked(ask, [JSON_TYPE, '{"text":""}']);
    expect([status, cost > 0]).toEqual([200, true]);
  });
});

it.each<[string, typeof answer, status: number, text?: string]>([
  ["a text", ["text/plain", "Hello."], 200],
  ["a text without a type", ["", "Hello."], 200],
  ["nothing, as of a silent recording", ["text/plain", ""], 200],
  ["a number", ["", "42"], 200],
  ["JSON all the same", [JSON_TYPE, '{"text":"Hello."}'], 200, "Hello.\n"],
  ["an error", [JSON_TYPE, '{"error":"busy today"}'], 502],
  ["the page of a proxy", ["text/html; charset=utf-8", page], 502],
])("as a text, %s is judged by its type", async (_, sent, expected, transcript = sent[1]) => {
  const { status, text, cost } = await asked(inForm({ response_format: "text" }), sent);
  expect([status, cost > 0]).toEqual([expected, expected === 200]);
  if (expected === 200) expect(text).toBe(transcript);
});
