import { expect, test } from "vitest";
import { stage } from "./setup.ts";

const set = stage({ keys: ["right"], models: ["known"] });
const chat = { model: "known", messages: [{ role: "user", content: "hi" }] };
const contents = { contents: [{ parts: [{ text: "hi" }] }] };
const ROWS: [name: string, path: string, body: object, headers: Record<string, string>, error: object][] = [
  ["chatstyle", "/chat/completions", chat, { authorization: "Bearer right" }, { code: "invalid_api_key" }],
  [
    "responses",
    "/v1/responses",
    { model: "known", input: "hi" },
    { authorization: "Bearer right" },
    { code: "invalid_api_key" },
  ],
  [
    "msgstyle",
    "/messages",
    { ...chat, max_tokens: 5 },
    { "x-api-key": "right" },
    { type: "authentication_error" },
  ],
  [
    "genstyle",
    "/v1beta/models/known:generateContent",
    contents,
    { "x-goog-api-key": "right" },
    { status: "UNAUTHENTICATED", code: 401 },
  ],
];

test.each(ROWS)(
  "%s accepts the right key and refuses others in its own shape",
  async (_, path, body, right, error) => {
    const none = { authorization: "", "x-goog-api-key": "" };
    expect((await set.post(path, body, { ...none, ...right })).status).toBe(200);
    const refused = await set.post(path, body, { authorization: "Bearer wrong", "x-goog-api-key": "wrong" });
    expect(refused.status).toBe(401);
    expect((await refused.json()).error).toMatchObject(error);
    expect((await set.post(path, body, none)).status).toBe(401);
  },
);

test("a key may stand in the query, and messages take a bearer as well", async () => {
  const none = { authorization: "", "x-goog-api-key": "" };
  expect((await set.post("/models/known:generateContent?key=right", contents, none)).status).toBe(200);
  expect(
    (await set.post("/v1/messages", { ...chat, max_tokens: 5 }, { authorization: "Bearer right" })).status,
  ).toBe(200);
});

test("unknown models and paths are not found, and a body has to be JSON", async () => {
  const auth = { authorization: "Bearer right", "x-goog-api-key": "right" };
  const missing = await set.post("/v1/chat/completions", { ...chat, model: "other" }, auth);
  expect([missing.status, (await missing.json()).error.code]).toEqual([404, "model_not_found"]);
  const gone = await set.post("/v1beta/models/other:generateContent", contents, auth);
  expect((await gone.json()).error).toMatchObject({ code: 404, status: "NOT_FOUND" });
  expect((await set.post("/v1/nothing", {}, auth)).status).toBe(404);
  expect((await set.post("/v1/messages", "{", auth)).status).toBe(400);
});
