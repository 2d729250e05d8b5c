import { codecs, readFrames } from "@manifold-gateway/core";
import { type Json, parseJson, run } from "@manifold-gateway/core/codec";
import { createFetchTransport, defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS, price } from "../../support/text.ts";
import { callers, wires } from "../../support/wires/index.ts";
import { asks, type SurfaceName } from "./scripted.ts";

/** The provider: it answers and sends when a test says so. */
let upstream: { answer(response: Response): void; body: ReadableStreamDefaultController<Uint8Array> };
let h: Stage;
const timers = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

beforeEach(async () => {
  h = await startStage({
    listens: false,
    transport: createFetchTransport({
      fetch: () =>
        new Promise((answer) => {
          upstream = { ...upstream, answer };
        }),
    }),
    models: PROTOCOLS.map((protocol) =>
      model(`on-${protocol}`, `of-${protocol}`, { entries: [entry(protocol)] }),
    ),
    providers: new Map(
      PROTOCOLS.map((protocol) => [
        `of-${protocol}`,
        defineProvider(`of-${protocol}`, { origin: "http://provider.test", speaks: [protocol] }),
      ]),
    ),
  });
  vi.useFakeTimers({ toFake: [...timers] });
});
afterEach(async () => {
  vi.useRealTimers();
  await h.close();
});

const entry = (protocol: UpstreamProtocol) => ({
  ...{ provider: `of-${protocol}`, name: "m", priority: 1, isActive: true, price },
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Text of the caller's stream, as it arrives. */
interface Heard {
  status: number | undefined;
  text: string;
  ended: boolean;
}

/** Calls the gateway. What the caller has received stands in what is returned. */
async function call(name: SurfaceName, protocol: UpstreamProtocol): Promise<Heard> {
  const heard: Heard = { status: undefined, text: "", ended: false };
  const listen = async (): Promise<void> => {
    const response = await h.call(...asks[name](`on-${protocol}`, true));
    heard.status = response.status;
    for await (const piece of response.body ?? []) heard.text += Buffer.from(piece).toString();
    heard.ended = true;
  };
  let called = false;
  upstream = {} as typeof upstream;
  listen().catch(() => {
    heard.ended = true;
  });
  while (!called) {
    await pass(1);
    called = upstream.answer !== undefined;
  }
  return heard;
}

/** Answers with the head of a stream. */
async function answer(): Promise<void> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      upstream.body = controller;
    },
  });
  upstream.answer(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  await pass(1);
}

async function send(text: string): Promise<void> {
  upstream.body.enqueue(Buffer.from(text));
  await pass(1);
}

const frame = (chunk: Json): string =>
  typeof chunk === "string" ? `data: ${chunk}\n\n` : `data: ${JSON.stringify(chunk)}\n\n`;

async function sendReply(protocol: UpstreamProtocol): Promise<void> {
  for (const chunk of wires[protocol].report.chunks()) await send(frame(chunk));
  upstream.body.close();
}

async function ended(heard: Heard): Promise<void> {
  while (!heard.ended) await pass(1);
}

/** The events of what a caller received. */
function eventsOf(name: SurfaceName, text: string) {
  if (name === "array") return run(codecs.genstyle.reply.decode(), JSON.parse(text) as Json[]);
  const frames = run(readFrames(), [Buffer.from(text)]);
  return run(
    codecs[name].reply.decode(),
    frames.map(({ data }) => parseJson(data) ?? data),
  );
}

const wordsOf = (events: ReturnType<typeof eventsOf>): string =>
  events.map((event) => (event.type === "delta" && event.text !== undefined ? event.text : "")).join("");

const signs: Record<SurfaceName, string> = {
  chatstyle: ": keep-alive\n",
  responses: ": keep-alive\n",
  native: ": keep-alive\n",
  msgstyle: 'event: ping\ndata: {"type": "ping"}\n\n',
  genstyle: "data: {}\n\n",
  array: "\n",
};
const signsIn = ({ text }: Heard, name: SurfaceName): number => text.split(signs[name]).length - 1;

const others: [SurfaceName, UpstreamProtocol][] = (Object.keys(signs) as SurfaceName[]).flatMap((name) =>
  PROTOCOLS.filter((protocol) => protocol !== (name === "array" ? "genstyle" : name)).map(
    (protocol): [SurfaceName, UpstreamProtocol] => [name, protocol],
  ),
);
const perSurface = others.filter(([name], at) => others.findIndex(([other]) => other === name) === at);

describe("a translated stream of a silent provider", () => {
  it.each(others)(
    "a caller gets a sign of life every 15 seconds, and then the whole reply: %s on %s",
    async (name, protocol) => {
      const heard = await call(name, protocol);
      await answer();
      for (let seconds = 0; seconds < 45; seconds += 15) {
        const before = signsIn(heard, name);
        await pass(15_000);
        expect(signsIn(heard, name)).toBe(before + 1);
      }
      await sendReply(protocol);
      await ended(heard);
      expect(heard.status).toBe(200);
      const events = eventsOf(name, heard.text);
      expect(wordsOf(events)).toBe("Hello there");
      expect(events.map(({ type }) => type)).toContain("finish");
      await h.settled();
    },
  );

  it.each(perSurface)(
    "a sign follows 15 seconds of silence in the middle of a reply: %s on %s",
    async (name, protocol) => {
      const heard = await call(name, protocol);
      await answer();
      const [first, ...rest] = wires[protocol].report.chunks();
      await send(frame(first as Json));
      await pass(15_000);
      expect(heard.text).toContain(signs[name]);
      for (const chunk of rest) await send(frame(chunk));
      upstream.body.close();
      await ended(heard);
      expect(wordsOf(eventsOf(name, heard.text))).toBe("Hello there");
    },
  );

  it("a provider that stays silent is cut by its idle limit, and costs nothing", async () => {
    const before = await h.balance();
    const heard = await call("chatstyle", "msgstyle");
    await answer();
    await pass(59_000);
    expect(heard.ended).toBe(false);
    await pass(2_000);
    await ended(heard);
    expect(heard.text).toMatch(/^(: keep-alive\n){3,4}data: {"error":"[^"]+"}\n\n$/);
    await h.settled();
    expect(await h.balance()).toEqual(before);
  });
});

describe("a translated stream of a provider that shows life", () => {
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  it.each(others)("each sign of the provider gives one to its caller: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await answer();
    for (const life of [
      ": PROCESSING\n\n",
      "data: \n\n",
      "data: : keepalive\n\n",
      "data: ping\n\n",
      "data: [KEEP-ALIVE]\n\n",
      protocol === "msgstyle" ? ping : ":\n",
    ]) {
      await pass(600);
      const before = signsIn(heard, name);
      await send(life);
      expect(signsIn(heard, name)).toBe(before + 1);
    }
    expect(heard.status).toBe(200);
  });

  it("many signs at once give one", async () => {
    const heard = await call("chatstyle", "msgstyle");
    await answer();
    await pass(600);
    for (let sign = 0; sign < 20; sign++) await send(": PROCESSING\n\n");
    expect(heard.text).toBe(signs.chatstyle);
  });

  it.each(perSurface)("an error soon after a sign keeps its status: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await answer();
    await send(": PROCESSING\n\n");
    await send(frame(limited[protocol]));
    upstream.body.close();
    await ended(heard);
    expect(heard.status).toBe(429);
  });
});

const limited: Record<UpstreamProtocol, Json> = {
  chatstyle: { error: { message: "Slower.", type: "rate_limit_error" } },
  msgstyle: { type: "error", error: { type: "rate_limit_error", message: "Slower." } },
  genstyle: { error: { code: 429, message: "Slower.", status: "RESOURCE_EXHAUSTED" } },
  responses: { type: "error", code: "rate_limit_exceeded", message: "Slower.", param: null },
  conversestyle: { throttlingException: { message: "Slower." } },
};

describe("a stream whose provider has not answered for 15 seconds", () => {
  const heads: Record<SurfaceName, string> = { ...signs, array: "[\n" };
  it.each(perSurface)("its caller has a sign of life: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await pass(14_000);
    expect(heard.status).toBeUndefined();
    await pass(1_000);
    expect([heard.status, heard.text]).toEqual([200, heads[name]]);
    await answer();
    await sendReply(protocol);
    await ended(heard);
    expect(wordsOf(eventsOf(name, heard.text))).toBe("Hello there");
  });

  it.each(perSurface)("its caller gets a refusal within the stream: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await pass(15_000);
    upstream.answer(Response.json(limited[protocol], { status: 429 }));
    await ended(heard);
    expect(heard.status).toBe(200);
    const failure = eventsOf(name, heard.text).find(({ type }) => type === "failure");
    expect(failure).toMatchObject({ failure: { message: "Slower." } });
    expect(heard.text).not.toContain("[DONE]");
  });

  it.each(perSurface)("its caller gets a fault within the stream: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await pass(121_000);
    await ended(heard);
    const failures = eventsOf(name, heard.text).filter(({ type }) => type === "failure");
    expect(failures).toMatchObject([{ failure: { message: expect.stringContaining("in time") } }]);
  });

  it.each(perSurface)("a refusal before that keeps its status: %s on %s", async (name, protocol) => {
    const heard = await call(name, protocol);
    await pass(14_000);
    upstream.answer(Response.json(limited[protocol], { status: 429 }));
    await ended(heard);
    expect(heard.status).toBe(429);
  });
});

it.each(callers)(
  "a stream of the caller's own protocol is relayed with nothing added: %s",
  async (protocol) => {
    const heard = await call(protocol, protocol);
    await pass(30_000);
    await answer();
    await pass(30_000);
    expect(heard.status).toBeUndefined();
    await sendReply(protocol);
    await ended(heard);
    for (const sign of [": keep-alive", "ping", "data: {}"]) expect(heard.text).not.toContain(sign);
  },
);
