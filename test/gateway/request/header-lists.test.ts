import type { Capabilities } from "@manifold-gateway/core/capability";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webExchange } from "../../../packages/gateway/src/http/web.ts";
import { inHeader, writeList, writeLosses } from "../../../packages/gateway/src/routing/losses.ts";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const LEGAL = /^[\x20-\x7e]*$/;
const text: Capabilities["text"] = { supportedParameters: ["maxTokens", "temperature"] };

let h: Stage;
beforeAll(async () => {
  const entry = { provider: "msgstyle", name: "sim-msgstyle", priority: 1, isActive: true };
  h = await startStage({
    models: [model("narrow", "msgstyle", { entries: [{ ...entry, price, capabilities: { text } }] })],
  });
});
afterAll(() => h.close());

const faces: Record<string, (path: string, body: object) => Promise<Response>> = {
  node: (path, body) => h.call(path, body),
  fetch: async (path, body) =>
    h.gateway.fetch(
      new Request(`http://gateway.test${path}`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    ),
};

const many = (name: (i: number) => string): object =>
  Object.fromEntries(Array.from({ length: 200 }, (_, i) => [name(i), 1]));

describe.each(Object.keys(faces))("response headers on the %s face", (face) => {
  const rows = [
    // The messages wire knows none of them: each is a loss of the translation.
    ["losses", "sim-msgstyle", many((i) => `member_${i}`), "x-losses"],
    ["losses in half characters", "sim-msgstyle", many((i) => `é\ud800_${i}`), "x-losses"],
    // Close to a parameter, and none: each is taken for a slip.
    ["hints", "narrow", many((i) => `temperatur${String.fromCodePoint(0x100 + i)}`), "x-hints"],
    ["hints in half characters", "narrow", { "temperatur\ud800": 1 }, "x-hints"],
  ] as const;
  it.each(rows.flatMap((row) => [[...row, false] as const, [...row, true] as const]))(
    "an answer with many %s is whole, and charged once (%s)",
    { timeout: 10_000 },
    async (_, name, more, header, stream) => {
      const before = await h.balance();
      const body = { ...more, model: name, stream, messages: [{ role: "user", content: "hi" }] };
      const response = await (faces[face] as (path: string, body: object) => Promise<Response>)(
        "/api/chatstyle/v1/chat/completions",
        body,
      );
      const answer = await response.text();
      expect([response.status, answer.slice(0, 200)]).toEqual([200, answer.slice(0, 200)]);
      const told = response.headers.get(header) ?? "";
      expect(told).toMatch(LEGAL);
      expect(told.length).toBeGreaterThan(0);
      expect(told.length).toBeLessThanOrEqual(1_024);
      if (Object.keys(more).length > 1) expect(told).toMatch(/, \+\d+$/);
      await h.settled();
      const id = response.headers.get("x-generation-id") ?? "";
      const record = await h.store.generations.get({ id, accountId: "acc" });
      expect(record?.status).toBe("succeeded");
      expect(record?.cost).toBeGreaterThan(0);
      expect(before.balance - (await h.balance()).balance).toBe(record?.cost);
    },
  );
});

describe("a list in a response header", () => {
  it("a list in a header is whole where it fits, and otherwise says how many items are missing", () => {
    expect(writeList([])).toBe("");
    expect(writeList(["a", "b"])).toBe("a, b");
    const list = Array.from({ length: 500 }, (_, i) => `/member_${i};unsupported`);
    const written = writeList(list).split(", ");
    const more = Number(written.pop());
    expect(written).toEqual(list.slice(0, written.length));
    expect(written.length + more).toBe(list.length);
    expect(writeList(["x".repeat(5_000), "y"])).toBe("+2");
  });

  it("a list in a header is plain ASCII, whatever names a caller chose", () => {
    for (const odd of ["…", "\ud800", "\udfff\ud83d\ude00", "a\r\nb", "é"]) {
      expect(inHeader(odd)).toMatch(LEGAL);
      expect(writeLosses([{ path: `/${odd}`, why: "unsupported" }], [])).toMatch(LEGAL);
    }
  });
});

describe("a response head that cannot be written", () => {
  const exchange = () => webExchange(new Request("http://gateway.test/"), 1_000);

  it("a response head that cannot be written leaves room for another head", async () => {
    const { sink, response } = exchange();
    expect(() => sink.head(200, { "x-bad": "…" })).toThrow();
    expect(sink.started).toBe(false);
    sink.head(500, {});
    sink.end("defect");
    expect([(await response).status, await (await response).text()]).toEqual([500, "defect"]);
  });

  it("a response head that cannot be written never leaves a client waiting", async () => {
    const { sink, response } = exchange();
    sink.abort();
    expect((await response).status).toBe(500);
  });
});
