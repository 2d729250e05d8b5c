import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { type Listening, listen } from "../../support/listen.ts";
import type { Stage } from "../../support/stage.ts";
import { form, NATIVE, send, speech, startTranscription } from "./stage.ts";

let decide: (body: Json) => Json;
let received: Json[] = [];
let h: Stage;
let server: Listening;
const check = async (request: IncomingMessage, response: ServerResponse) => {
  let text = "";
  for await (const piece of request) text += piece;
  const body = JSON.parse(text);
  received.push(body.texts);
  response.setHeader("content-type", "application/json").end(JSON.stringify(decide(body)));
};
beforeAll(async () => {
  server = await listen(check);
  const guard = { id: "words", url: server.origin, secrets: [`whsec_${"A".repeat(32)}`], timeout: 5000 };
  h = await startTranscription({ guards: [{ ...guard, phases: ["request", "reply"], onFailure: "refuse" }] });
});
afterAll(async () => {
  await h.close();
  await server.close();
});

const allow = { decision: "allow" };
const sent = () => h.simulator.ledger.entries.length;

it("a guard is sent the words of a request with a recording, and nothing of the recording itself", async () => {
  decide = () => allow;
  received = [];
  await send(h, form({ model: "seconds", prompt: "About boats." }, { name: "ada.wav" }));
  const content = [{ type: "audioBase64", data: speech().toString("base64") }];
  await h.json(NATIVE, { model: "seconds", content, prompt: "About boats." });
  const prompt = { place: "/prompt", text: "About boats." };
  expect(received[0]).toEqual([prompt, { place: "/file/name", text: "ada.wav" }]);
  expect(received[2]).toEqual([prompt]);
});

it("a form with a text that a guard refuses or changes reaches no provider", async () => {
  const before = sent();
  for (const one of [
    { decision: "refuse" },
    { decision: "mask", texts: [{ place: "/prompt", text: "About." }] },
  ]) {
    decide = () => one;
    const response = await send(h, form({ model: "seconds", prompt: "About boats." }));
    expect([response.status, (await response.json()).code]).toEqual([403, "guard_refused"]);
  }
  expect(sent()).toBe(before);
});

const ONES = [
  ["seconds", "json"],
  ["seconds", "verbose_json"],
  ["seconds", "srt"],
  ["plain", "vtt"],
  ["listen", "text"],
  ["speakers", "diarized_json"],
] as const;

/** Each word of a reply as another of the same length. */
const hide = (text: string): string => text.replace(/[a-z]{2,}/gi, (word) => "x".repeat(word.length));

it.each(ONES)(
  "what a guard changes of a transcript is changed in all of it: %s as %s",
  async (model, format) => {
    decide = ({ type, texts }) =>
      type === "guard.request"
        ? allow
        : { decision: "mask", texts: texts.map(({ place, text }: Json) => ({ place, text: hide(text) })) };
    for (const stream of ["false", "true"]) {
      const response = await send(h, form({ model, response_format: format, stream }));
      const text = await response.text();
      expect(response.status, text).toBe(200);
      expect(response.headers.get("x-guard")).toMatch(/words;reply=masked/);
      const pairs = h.simulator.ledger.last()!.text.match(/[a-z]{2,} [a-z]{2,}/gi)!;
      expect(pairs.length).toBeGreaterThan(0);
      for (const pair of pairs) expect(text).not.toContain(pair);
      expect(text).toContain("xx");
    }
  },
);

it.each(["false", "true"])(
  "a transcript that a guard refuses is not sent, but charged; streamed: %s",
  async (stream) => {
    decide = ({ type }) => (type === "guard.request" ? allow : { decision: "refuse", reason: "no boats" });
    const { balance } = await h.balance();
    const response = await send(h, form({ model: "seconds", stream }));
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("no boats")]);
    await h.settled();
    expect(balance - (await h.balance()).balance).toBe(300);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ status: "failed", route: { guards: [{}, { decision: "refused" }] } });
  },
);

it("a transcript that a guard changes is without its words: a name may stand in several", async () => {
  decide = ({ type, texts }) =>
    type === "guard.request"
      ? allow
      : {
          decision: "mask",
          texts: texts.map(({ place, text }: Json) => ({
            place,
            text: text.replace(/[a-z]{2,} [a-z]{2,}/gi, "[name]"),
          })),
        };
  const fields = { model: "seconds", response_format: "verbose_json" };
  const response = await send(h, form({ ...fields, "timestamp_granularities[]": ["word", "segment"] }));
  const { text, segments, words } = await response.json();
  expect([text, segments[0].text]).toEqual([
    expect.stringContaining("[name]"),
    expect.stringContaining("[name]"),
  ]);
  expect(words).toEqual([]);
});
