import type { Log } from "@manifold-gateway/gateway";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS } from "../../support/text.ts";
import { createClient } from "../../system/money/client.ts";

const errors: { fields: Record<string, unknown>; message: string }[] = [];
const log: Log = {
  info() {},
  warn() {},
  error: (fields, message) => void errors.push({ fields, message }),
};

let h: Stage;
const client = createClient(4);
beforeAll(async () => {
  const vectors = model("embed-chat", "chatstyle", { outputModalities: ["embedding"] });
  h = await startStage({ log, models: [vectors] });
});
afterAll(async () => {
  client.close();
  await h.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  errors.length = 0;
});

/** Slow enough that the client sees something of a stream that is broken off. */
const text = "Hello [[fault:slow=2]]";
const messages = [{ role: "user", content: text }];
const contents = [{ role: "user", parts: [{ text }] }];

/** What each surface is asked, whole and streamed, and what the end of its streams looks like. */
const SURFACES: Record<
  string,
  { ask(model: string, stream: boolean): [path: string, body: object]; end: RegExp }
> = {
  chatstyle: {
    ask: (model, stream) => ["/api/chatstyle/v1/chat/completions", { model, messages, stream }],
    end: /\[DONE\]/,
  },
  responses: {
    ask: (model, stream) => ["/api/chatstyle/v1/responses", { model, input: text, stream }],
    end: /response\.completed/,
  },
  msgstyle: {
    ask: (model, stream) => ["/api/msgstyle/v1/messages", { model, messages, max_tokens: 50, stream }],
    end: /message_stop/,
  },
  genstyle: {
    ask: (model, stream) => [
      `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      { contents },
    ],
    end: /finishReason/,
  },
};

/** Another end of every generation stands, as where a refund has made that of recovery final. */
function refuseEnds(): void {
  vi.spyOn(h.store.money, "settle").mockResolvedValue({ outcome: "refused" });
  vi.spyOn(h.store.money, "release").mockResolvedValue({ outcome: "refused" });
}

const expectDefect = (): void =>
  expect(errors).toEqual([
    {
      message: "defect",
      fields: expect.objectContaining({ error: expect.stringMatching(/not settled\n +at /) }),
    },
  ]);

const cases = Object.keys(SURFACES).flatMap((surface) =>
  PROTOCOLS.map((protocol) => [surface, protocol] as const),
);

describe.each(cases)("an answer on %s by %s whose settlement is refused", (surface, protocol) => {
  const { ask, end } = SURFACES[surface]!;

  it("a whole answer whose settlement is refused is an error", async () => {
    refuseEnds();
    const response = await h.call(...ask(`sim-${protocol}`, false));
    expect([response.status, response.headers.get("x-cost")]).toEqual([500, null]);
    expect(await response.json()).toMatchObject({ success: false, status: 500 });
    expectDefect();
  });

  it("a streamed answer whose settlement is refused breaks off before its end", async () => {
    const [path, body] = ask(`sim-${protocol}`, true);
    const well = await client.post(h.origin + path, KEY, body);
    expect([well.status, well.whole, end.test(well.body)]).toEqual([200, true, true]);
    refuseEnds();
    const { status, whole, body: sent } = await client.post(h.origin + path, KEY, body);
    expect([status, whole]).toEqual([200, false]);
    expect(sent).not.toMatch(end);
    expectDefect();
  });
});

it("vectors whose settlement is refused are an error", async () => {
  refuseEnds();
  const response = await h.call("/api/chatstyle/v1/embeddings", { model: "embed-chat", input: "Hello" });
  expect(response.status).toBe(500);
  expectDefect();
});

it.each(["written", "repeated"] as const)("an answer whose settlement is %s ends well", async (outcome) => {
  vi.spyOn(h.store.money, "settle").mockResolvedValue({ outcome });
  const [path, body] = SURFACES.chatstyle!.ask("sim-msgstyle", true);
  const { status, whole } = await client.post(h.origin + path, KEY, body);
  expect([status, whole, errors]).toEqual([200, true, []]);
});
