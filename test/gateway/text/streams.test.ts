import type { Billing } from "@manifold-gateway/gateway";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeBilling } from "../../../packages/gateway/src/billing/store-billing.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

/** Held before the next settlement, where a test wants to see what comes before it. */
interface Gate {
  /** Resolves when a settlement was asked for. */
  asked: Promise<void>;
  open(): void;
  pass(): Promise<void>;
}
let gate: Gate | undefined;
function closeGate(): Gate {
  const asked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  gate = {
    asked: asked.promise,
    open: open.resolve,
    pass() {
      asked.resolve();
      return open.promise;
    },
  };
  return gate;
}

let h: Stage;
beforeAll(async () => {
  let inner: Billing | undefined;
  const billing: Billing = {
    async hold(opening) {
      const hold = await (inner as Billing).hold(opening);
      return {
        ...hold,
        async settle(outcome) {
          await gate?.pass();
          return hold.settle(outcome);
        },
      };
    },
  };
  h = await startStage({ billing });
  inner = storeBilling(h.store, { policy: "threshold", now: Date.now });
});
afterAll(() => h.close());
beforeEach(() => h.simulator.reset());
afterEach(() => {
  gate?.open();
  gate = undefined;
});

const LONG = "many words ".repeat(30);

/** How each surface is asked for a stream, and how its end and its errors look. */
const SURFACES = {
  chat: {
    path: () => "/api/chatstyle/v1/chat/completions",
    body: (model: string, text: string) => ({
      model,
      stream: true,
      messages: [{ role: "user", content: text }],
    }),
    ended: (text: string) => text.endsWith("data: [DONE]\n\n"),
    own: "chatstyle",
  },
  responses: {
    path: () => "/api/chatstyle/v1/responses",
    body: (model: string, text: string) => ({ model, stream: true, input: text }),
    ended: (text: string) =>
      text.includes('"type":"response.completed"') && text.endsWith("data: [DONE]\n\n"),
    own: "responses",
  },
  messages: {
    path: () => "/api/msgstyle/v1/messages",
    body: (model: string, text: string) => ({
      model,
      stream: true,
      max_tokens: 1_000,
      messages: [{ role: "user", content: text }],
    }),
    ended: (text: string) => /event: message_stop\ndata: .*\n\n$/.test(text),
    own: "msgstyle",
  },
  generate: {
    path: (model: string) => `/api/genstyle/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: (_: string, text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    ended: (text: string) => text.includes('"finishReason":"STOP"'),
    own: "genstyle",
  },
  native: {
    path: () => "/api/v1/text/completions",
    body: (model: string, text: string) => ({ model, messages: [{ role: "user", content: text }] }),
    ended: (text: string) => text.endsWith("data: [DONE]\n\n"),
    own: "native",
  },
} as const;
type Name = keyof typeof SURFACES;
const cells = (Object.keys(SURFACES) as Name[]).flatMap((name) =>
  PROTOCOLS.map((protocol) => ({ name, protocol })),
);

const stream = (name: Name, protocol: UpstreamProtocol, text: string): Promise<Response> => {
  const model = modelOf(protocol);
  return h.call(SURFACES[name].path(model), SURFACES[name].body(model, text));
};

const compact = (text: string): string => text.replaceAll('": ', '":');

/** What the chunks of an answer say, put together, whatever their form. */
function saidIn(text: string): string {
  const texts = text.split("\n").flatMap((line) => {
    if (!line.startsWith("data: {")) return [];
    const chunk = JSON.parse(line.slice(6));
    if (typeof chunk.delta === "string" && chunk.type === undefined) return chunk.delta;
    if (chunk.choices) return chunk.choices[0]?.delta?.content ?? [];
    if (chunk.candidates)
      return chunk.candidates[0]?.content?.parts?.map((part: { text: string }) => part.text) ?? [];
    if (chunk.type === "response.output_text.delta") return chunk.delta;
    return chunk.type === "content_block_delta" ? chunk.delta.text : [];
  });
  return texts.join("");
}
/** The body of an answer as far as it came. */
async function arrived(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  } catch {
    // The connection was cut: what came before is what is wanted.
  }
  return text;
}
const latest = async () => {
  const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  return results[0];
};
const errors = (text: string): unknown[] =>
  text.split("\n").flatMap((line) => {
    if (!line.startsWith("data: {")) return [];
    const { error, type } = JSON.parse(line.slice(6));
    return error === undefined || error === null ? (type === "error" ? [type] : []) : [error];
  });

describe.each(cells)("a stream of $name on $protocol", ({ name, protocol }) => {
  const surface = SURFACES[name];
  const isForwarded = surface.own === protocol && name !== "chat";

  it("a stream has the required headers and ends as its protocol ends", async () => {
    const response = await stream(name, protocol, "Hello");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(response.headers.get("connection")).toBe("keep-alive");
    if (name === "native") expect(response.headers.get("x-accel-buffering")).toBe("no");
    const text = await response.text();
    expect(text).toContain("You");
    expect(surface.ended(compact(text))).toBe(true);
    expect(text.split("[DONE]").length - 1).toBe(name === "messages" || name === "generate" ? 0 : 1);
  });

  it("a cut stream does not look finished, and is settled once", async () => {
    const response = await stream(name, protocol, `${LONG}[[fault:cut=2500]]`);
    const text = await arrived(response);
    expect(response.status).toBe(200);
    expect(surface.ended(compact(text))).toBe(false);
    // What is forwarded as it came has no words of ours: it just stops.
    if (isForwarded) expect(errors(text)).toEqual([]);
    else expect(errors(text)).toHaveLength(1);
    if (name === "chat" || name === "native") expect(errors(text)).toEqual([expect.any(String)]);
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
    const said = saidIn(text);
    expect(said).not.toBe("");
    const record = await latest();
    const output = Math.ceil(said.length / 4);
    expect(record).toMatchObject({ status: "failed", usage: { estimated: true, output } });
    expect(record?.cost).toBe(Number(record?.usage?.input) + 2 * output);
  });

  it("a stream ends for the caller only after the charge is on record", async () => {
    const { asked, open } = closeGate();
    const response = await stream(name, protocol, "Hello");
    let text = "";
    const read = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    })();
    await asked;
    // One more exchange with the gateway: what was written before it has arrived.
    await h.call("/api/chatstyle", undefined, { method: "HEAD" });
    expect(surface.ended(compact(text))).toBe(false);
    open();
    await read;
    expect(surface.ended(compact(text))).toBe(true);
    expect((await latest())?.status).toBe("succeeded");
  });

  it("an error inside a stream reaches the client in its own form, with nothing after it", async () => {
    const response = await stream(name, protocol, `${LONG}[[fault:error-after=3]]`);
    const text = await response.text();
    expect(response.status).toBe(200);
    const found = errors(text);
    expect(found).toHaveLength(1);
    if (name === "chat" || name === "native") expect(typeof found[0]).toBe("string");
    expect(surface.ended(compact(text))).toBe(false);
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("malformed upstream output never becomes a finished answer", async () => {
    const response = await stream(name, protocol, `${LONG}[[fault:malformed]]`);
    const text = await response.text();
    if (response.status !== 502) {
      expect(response.status).toBe(200);
      expect(surface.ended(compact(text))).toBe(false);
      expect(errors(text)).toHaveLength(1);
    }
    await h.settled();
    expect((await latest())?.status).toBe("failed");
  });

  it("a reset before the first byte of a stream is a 502 in the envelope", async () => {
    const response = await stream(name, protocol, "[[fault:reset]]");
    const body = await response.text();
    if (response.status === 200) expect(surface.ended(compact(body))).toBe(false);
    else expect([response.status, JSON.parse(body).success]).toEqual([502, false]);
    await h.settled();
  });

  it.each(["html", "redirect"])("an upstream that answers %s is a 502 in the envelope", async (fault) => {
    const before = await h.balance();
    const response = await stream(name, protocol, `[[fault:${fault}]]`);
    const body = await response.json();
    expect([response.status, body.success]).toEqual([502, false]);
    expect(await h.balance()).toEqual(before);
  });
});

describe("money of streams", () => {
  it.each(cells)("$name on $protocol: the charge is what upstream generated", async ({ name, protocol }) => {
    const before = (await h.balance()).balance;
    await (await stream(name, protocol, LONG)).text();
    await h.settled();
    const truth = h.simulator.ledger.last();
    expect(before - (await h.balance()).balance).toBe(
      (truth?.usage.input ?? 0) + 2 * (truth?.usage.output ?? 0),
    );
  });

  it("the charge of a stream is estimated where upstream reports no usage", async () => {
    const before = (await h.balance()).balance;
    await (await stream("chat", "chatstyle", `${LONG}[[fault:no-usage]]`)).text();
    await h.settled();
    expect((await h.balance()).balance).toBeLessThan(before);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]?.usage).toMatchObject({ estimated: true });
  });

  it("[DONE] is added where upstream left it out", async () => {
    const text = await (await stream("chat", "chatstyle", "hi [[fault:no-done]]")).text();
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });
});
