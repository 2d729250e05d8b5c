import { describe, expect, it } from "vitest";
import { Refusal } from "../../../packages/gateway/src/http/refusal.ts";
import { cellsOf, scripted } from "../text/scripted.ts";

const set = scripted();

describe("a status that HTTP does not have", () => {
  it.each(cellsOf())(
    "a status that HTTP does not have is a 502 in the envelope: $name on $protocol",
    async ({ name, protocol }) => {
      for (const streamed of [false, true]) {
        set.tell({ status: 799, text: '{"error":{"message":"Odd."}}' });
        const response = await set.ask(name, protocol, streamed);
        expect([response.status, (await response.json()).success]).toEqual([502, false]);
      }
    },
  );
});

const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

describe("an error that is nested too deeply to be written again", () => {
  it.each(cellsOf())("keeps its status, and is no defect: $name on $protocol", async ({ name, protocol }) => {
    for (const error of [`{"error":{"message":"Odd.","details":${deep}}}`, `{"error":${deep}}`, deep]) {
      set.tell({ status: 400, text: error });
      const response = await set.ask(name, protocol, false);
      expect(response.status).toBe(400);
      expect((await response.text()).length).toBeGreaterThan(0);
    }
  });
});

describe("an empty object in answer to a stream", () => {
  it.each(cellsOf())(
    "an empty object in answer to a stream is a 502 in the envelope: $name on $protocol",
    async ({ name, protocol }) => {
      set.tell({ text: "{}" });
      const before = await set.h.balance();
      const response = await set.ask(name, protocol, true);
      expect([response.status, (await response.json()).success]).toEqual([502, false]);
      await set.h.settled();
      expect(await set.h.balance()).toEqual(before);
    },
  );
});

it("a long member name is shortened in reports", async () => {
  const name = "n".repeat(60_000);
  const paths = [
    [
      "/api/chatstyle/v1/chat/completions",
      { model: "sim-chatstyle", messages: [{ role: "user", content: "x", [name]: { a: 1 } }], [name]: 1 },
    ],
    [
      "/api/chatstyle/v1/chat/completions",
      { model: "sim-msgstyle", messages: [{ role: "user", content: "x" }], [name]: 1 },
    ],
    ["/api/v1/text/completions", { model: "sim-chatstyle", prompt: "x", [name]: 1 }],
    ["/api/v1/video/generate", { model: "x", prompt: "x", [name]: 1 }],
    ["/api/chatstyle/v1/images/generations", { model: "x", prompt: "x", [name]: 1 }],
    ["/api/auth/sign-in", { account: "a", password: "b", [name]: 1 }],
    ["/api/genstyle/v1beta/models/sim-genstyle:generateContent", { contents: [{ parts: [{ [name]: 1 }] }] }],
  ] as const;
  // As a name, in a list of names, and as the field that a compatibility surface names beside the text.
  expect(
    new Refusal("invalid_request", [`${name}: no`, `${name}: no`], { param: name }).message.length,
  ).toBeLessThan(2_100);
  const doubled = `{"model":"sim-chatstyle","messages":[],"${name}":1,"${name}":2}`;
  const strict = { headers: { "x-loss-policy": "strict" } };
  for (const [path, body] of [...paths, ["/api/chatstyle/v1/chat/completions", doubled] as const]) {
    const response = await set.h.call(path, body, strict);
    const text = await response.text();
    expect([
      path,
      text.length < 5_000 || text.slice(0, 300),
      [...response.headers.values()].join("").length < 5_000,
    ]).toEqual([path, true, true]);
  }
});
