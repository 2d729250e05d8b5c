import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const chat = "/api/chatstyle/v1/chat/completions";
const nothings: [what: string, path: (model: string) => string, body: (model: string) => object][] = [
  ["chat text", () => chat, (model) => ({ model, messages: [{ role: "user", content: "" }] })],
  ["chat null", () => chat, (model) => ({ model, messages: [{ role: "user", content: null }] })],
  ["a chat list", () => chat, (model) => ({ model, messages: [{ role: "user", content: [] }] })],
  [
    "chat text below instructions",
    () => chat,
    (model) => ({
      model,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "" },
      ],
    }),
  ],
  ["responses text", () => "/api/chatstyle/v1/responses", (model) => ({ model, input: "" })],
  [
    "a responses item",
    () => "/api/chatstyle/v1/responses",
    (model) => ({ model, input: [{ role: "user", content: "" }] }),
  ],
  ["contents", (model) => `/api/genstyle/v1beta/models/${model}:generateContent`, () => ({ contents: "" })],
];
const cases = nothings.flatMap((nothing) =>
  PROTOCOLS.map((protocol) => [nothing[0], protocol, nothing] as const),
);

it.each(cases)("empty %s makes a request that %s takes, or is refused here", async (_, protocol, nothing) => {
  const [, path, body] = nothing;
  const model = modelOf(protocol);
  const response = await h.call(path(model), body(model));
  const text = await response.text();
  // What the provider refuses has no envelope of ours, or was sent on as it came.
  const isOwn = JSON.parse(text).success === false;
  const passed = response.headers.get("x-translation") === "passthrough";
  expect([response.status === 200 || (response.status === 400 && (isOwn || passed)), text]).toEqual([
    true,
    text,
  ]);
});
