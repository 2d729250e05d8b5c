import { createFetchTransport, defineProvider } from "@manifold-gateway/providers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, price } from "../../support/text.ts";

let h: Stage;
/** The providers that were called, in order. */
let called: string[];
let status: number;

const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "40s" }];
const reply = {
  ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

beforeEach(async () => {
  called = [];
  status = 429;
  const entry = (provider: string, output: number) => ({
    ...{ provider, name: "m", priority: 1, isActive: true, price: { ...price, output } },
  });
  h = await startStage({
    listens: false,
    transport: createFetchTransport({
      async fetch(request) {
        const { hostname } = new URL(request.url);
        called.push(hostname);
        const error = { code: status, message: "Slower.", status: "RESOURCE_EXHAUSTED", details };
        return hostname === "one.test" ? Response.json({ error }, { status }) : Response.json(reply);
      },
    }),
    models: [model("m", "one", { entries: [entry("one", 1), entry("two", 2)] })],
    providers: new Map([
      ["one", defineProvider("one", { origin: "http://one.test", speaks: ["genstyle"] })],
      ["two", defineProvider("two", { origin: "http://two.test", speaks: ["chatstyle"] })],
    ]),
  });
});
afterEach(() => h.close());

/** The first entry is the cheaper one. */
const ask = async (provider: object = { sort: "price" }): Promise<number> => {
  const messages = [{ role: "user", content: "Hello" }];
  const response = await h.call(CHAT, { model: "m", messages, provider });
  await response.text();
  return response.status;
};

it("an entry rests as long as the body of its refusal says, where another answers", async () => {
  expect([await ask(), called]).toEqual([200, ["one.test", "two.test"]]);
  called = [];
  expect([await ask(), called]).toEqual([200, ["two.test"]]);
});

it("an entry rests as long as the body of its refusal says, where that is the answer", async () => {
  expect([await ask({ only: ["one"] }), called]).toEqual([429, ["one.test"]]);
  called = [];
  expect([await ask(), called]).toEqual([200, ["two.test"]]);
});

it("an entry does not rest for a refusal that is no pause", async () => {
  status = 403;
  await ask({ only: ["one"] });
  called = [];
  await ask();
  expect(called[0]).toBe("one.test");
});
