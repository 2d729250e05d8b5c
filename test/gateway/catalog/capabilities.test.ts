import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

/** Without a price, so that what refuses first shows. */
const unpriced = (id: string, outputModalities: string[]) =>
  model(id, "chatstyle", {
    outputModalities: outputModalities as never,
    entries: [{ provider: "chatstyle", name: id, priority: 1, isActive: true }],
  });

let h: Stage;
beforeAll(async () => {
  h = await startStage({
    models: [
      unpriced("vectors", ["embedding"]),
      unpriced("films", ["video"]),
      unpriced("pictures", ["image"]),
      unpriced("words", ["text"]),
    ],
  });
});
afterAll(() => h.close());

const messages = [{ role: "user", content: "hi" }];
const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const generate = (id: string): [string, object] => [
  `/api/genstyle/v1beta/models/${id}:generateContent`,
  { contents },
];

it.each([
  ["vectors", "embedding", "/api/chatstyle/v1/chat/completions", { messages }],
  ["vectors", "embedding", "/api/chatstyle/v1/responses", { input: "hi" }],
  ["films", "video", "/api/msgstyle/v1/messages", { messages, max_tokens: 9 }],
  ["films", "video", ...generate("films")],
  ["pictures", "image", "/api/chatstyle/v1/chat/completions", { messages }],
  ["films", "video", "/api/v1/text/completions", { messages }],
  ["vectors", "embedding", "/api/msgstyle/v1/messages/count_tokens", { messages }],
] as const)("%s, which make %s, are no model for text at %s", async (id, made, path, body) => {
  const response = await h.call(path, { model: id, ...body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "model_not_capable",
    errors: [
      expect.stringMatching(new RegExp(`^model: '${id}' does not generate text; it generates ${made}\\. `)),
    ],
  });
});

it.each([
  ["words", "text", "/api/chatstyle/v1/embeddings", { input: "hi" }],
  ["words", "text", "/api/genstyle/v1/models/words:embedContent", { content: contents[0] }],
] as const)("%s, which make %s, are no model for vectors at %s", async (id, made, path, body) => {
  const response = await h.call(path, { model: id, ...body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "model_not_capable",
    errors: [
      expect.stringMatching(
        new RegExp(`^model: '${id}' does not generate embeddings; it generates ${made}\\. `),
      ),
    ],
  });
});

it("a model that can and has no price is refused for the price", async () => {
  const response = await h.call("/api/chatstyle/v1/chat/completions", { model: "words", messages });
  expect(await response.json()).toMatchObject({ status: 400, code: "model_unpriced" });
});

it.each([
  ["", "text/event-stream", "text/event-stream"],
  ["", "application/json, text/event-stream;q=0.9", "text/event-stream"],
  ["", "*/*", "application/json"],
  ["?alt=json", "text/event-stream", "application/json"],
  ["?alt=sse", "*/*", "text/event-stream"],
])("a stream of generated content with '%s', accepting %s, is %s", async (query, accept, type) => {
  const response = await h.call(
    `/api/genstyle/v1beta/models/sim-genstyle:streamGenerateContent${query}`,
    { contents },
    { headers: { accept } },
  );
  expect(response.headers.get("content-type")).toBe(type);
  const text = await response.text();
  expect(text.startsWith(type === "application/json" ? "[{" : "data: {")).toBe(true);
});
