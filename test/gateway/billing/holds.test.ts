import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const said = "Hello";
/** A request of each surface, with what its caller allows of output. */
const surfaces: Record<string, (model: string, most: unknown) => [path: string, body: object]> = {
  chatstyle: (model, most) => [
    "/api/chatstyle/v1/chat/completions",
    { model, messages: [{ role: "user", content: said }], max_completion_tokens: most },
  ],
  "chatstyle, as it was": (model, most) => [
    "/api/chatstyle/v1/chat/completions",
    { model, messages: [{ role: "user", content: said }], max_tokens: most },
  ],
  "chatstyle, by its least": (model, least) => [
    "/api/chatstyle/v1/chat/completions",
    { model, messages: [{ role: "user", content: said }], max_tokens: 1, min_tokens: least },
  ],
  responses: (model, most) => [
    "/api/chatstyle/v1/responses",
    { model, input: said, max_output_tokens: most },
  ],
  msgstyle: (model, most) => [
    "/api/msgstyle/v1/messages",
    { model, messages: [{ role: "user", content: said }], max_tokens: most },
  ],
  genstyle: (model, most) => [
    `/api/genstyle/v1beta/models/${model}:generateContent`,
    { contents: [{ role: "user", parts: [{ text: said }] }], generationConfig: { maxOutputTokens: most } },
  ],
};

/** What would be held, in micro-USD: a token of output is two. */
async function held(path: string, body: object): Promise<number> {
  const response = await h.call(path, body, { headers: { "x-explain": "true" } });
  const { reservation } = (await response.json()) as { reservation: number };
  return Math.round(reservation * 1e6);
}

describe.each(PROTOCOLS)("the hold of a request before %s is called", (protocol) => {
  const model = `sim-${protocol}`;

  it.each(Object.keys(surfaces))("the hold follows the output limit of a caller of %s", async (name) => {
    const of = (most: number) => held(...surfaces[name]!(model, most));
    const least = (await of(20)) - 40;
    expect((await of(100)) - least).toBe(200);
    expect((await of(50_000)) - least).toBe(2 * 8_192);
  });

  it.each(Object.keys(surfaces))(
    "the hold is a whole amount where %s names a fraction of a token",
    async (name) => {
      const [path, body] = surfaces[name]!(model, 99.5);
      expect(await held(path, body)).toBe(await held(...surfaces[name]!(model, 100)));
      expect((await h.call(path, body)).status).not.toBe(500);
    },
  );

  it("the hold counts the requested alternatives where the protocol has them", async () => {
    const [path, body] = surfaces.chatstyle!(model, 100);
    const more = (await held(path, { ...body, n: 3 })) - (await held(path, { ...body, n: 1 }));
    const isSeveral = protocol === "chatstyle" || protocol === "genstyle";
    // The member itself is no text of the conversation, and yet may count for some bytes.
    expect(Math.round(more / 200)).toBe(isSeveral ? 2 : 0);
  });
});

describe("a request without a limit to a protocol that demands one", () => {
  const wide = model("claude-opus-4-7", "msgstyle");
  const ask = { model: "claude-opus-4-7", messages: [{ role: "user", content: said }] };
  const sentUnder = async (admission: "strict" | "threshold"): Promise<unknown[]> => {
    const s = await startStage({ admission, models: [wide] });
    try {
      const { status, headers } = await s.call("/api/chatstyle/v1/chat/completions", ask);
      expect(status).toBe(200);
      const sent = s.simulator.ledger.last()!.request as { max_tokens?: number };
      return [sent.max_tokens, headers.get("x-losses")];
    } finally {
      await s.close();
    }
  };

  it("gets the limit of the model where the likely cost is held, which is no loss", async () => {
    expect(await sentUnder("threshold")).toEqual([128_000, null]);
  });

  it("gets no more than is held where all that it can cost is held", async () => {
    expect(await sentUnder("strict")).toEqual([32_768, "/max_completion_tokens;approximated"]);
  });
});
