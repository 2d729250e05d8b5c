import { speechModels } from "@manifold-gateway/providers";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type Options, ORIGIN, startClient } from "./stage.ts";

const VOICE = "zh_female_vv_uranus_bigtts";
/** A text, its voice and its model on each wire of speech. */
const speakers = [
  ["chatstyle/gpt-4o-mini-tts", "alloy"],
  ["media/seed-tts-2.0", VOICE],
  ["media/seed-audio-1.0-multilingual", VOICE],
] as const;
const input = "Good morning. How are you?";
const PIECES = ["first ", "second"] as const;

const media: Options["providers"] = {
  media: { origin: ORIGIN, speaks: [], serves: { speech: "speechstyle" }, key: "provider-key" },
};

const start = (more: Options = {}) => {
  const stage = startClient();
  const events: unknown[] = [];
  const options: Options = {
    onAttempt: ({ target, status, fault }) => void events.push([target, status ?? fault]),
    ...more,
    providers: { ...media, ...more.providers },
  };
  const fetch = stage.client(options);
  return {
    ...stage,
    events,
    fetch,
    speech: new OpenAI({ apiKey: "unused", fetch, maxRetries: 0 }).audio.speech,
  };
};

/** A client whose providers answer by hand. */
const by = (answer: (request: Request) => Response | Promise<Response>, more: Options = {}) =>
  start({ fetch: answer, ...more });

const audio = (body: BodyInit | null = PIECES.join(""), type = "audio/mpeg"): Response =>
  new Response(body, { headers: { "content-type": type } });

/** A body in pieces, the last of which breaks it off. */
const broken = (...pieces: string[]): ReadableStream<Uint8Array> => {
  const rest = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.error(new TypeError("terminated"));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
};

const spoken = (data: string) =>
  Response.json({
    candidates: [
      {
        content: { parts: [{ inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data } }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 50, totalTokenCount: 54 },
  });

describe.each(speakers)("a text spoken by %s", (model, voice) => {
  it("is a file for the vendor's client, with the provider's own key", async () => {
    const { speech, sent } = start();
    const response = await speech.create({ model, voice, input, response_format: "mp3" });
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500);
    expect([...sent[0]!.headers.values()].join()).toContain("provider-key");
  });

  it("comes as events", async () => {
    const { speech } = start();
    const response = await speech.create({ model, voice, input, stream_format: "sse" });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = (await response.text()).split("\n\n").filter(Boolean);
    const types = events.map((frame) => JSON.parse(frame.slice("data: ".length)).type);
    expect(types.pop()).toBe("speech.audio.done");
    expect([...new Set(types)]).toEqual(["speech.audio.delta"]);
  });

  it("has the provider's refusal as the vendor's own error", async () => {
    const { speech, simulator, events } = start();
    simulator.script("[[fault:status=400]]", { times: 1 });
    await expect(speech.create({ model, voice, input })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect(events).toEqual([[model, 400]]);
  });
});

describe("audio", () => {
  it("goes on byte for byte, each piece as it arrives", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { speech } = by(() =>
      audio(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode(PIECES[0]));
            await promise;
            controller.enqueue(new TextEncoder().encode(PIECES[1]));
            controller.close();
          },
        }),
        "audio/ogg",
      ),
    );
    const response = await speech.create({ model: "chatstyle/a", voice: "alloy", input });
    expect(response.headers.get("content-type")).toBe("audio/ogg");
    const reader = response.body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await read()).toBe(PIECES[0]);
    resolve();
    expect([await read(), await read()]).toEqual([PIECES[1], ""]);
  });

  it.each([
    ["wav", "audio/wav", 44],
    ["pcm", "audio/pcm", 0],
    [undefined, "audio/wav", 44],
  ] as const)("of a model of generate-content comes as %s", async (response_format, type, head) => {
    const lost: string[] = [];
    const { speech } = by(() => spoken(btoa(PIECES[0])), {
      onLoss: ({ path, detail }) => void lost.push(`${path}: ${detail}`),
    });
    const format = response_format && { response_format };
    const response = await speech.create({ model: "genstyle/a", voice: "Kore", input, ...format });
    expect(response.headers.get("content-type")).toBe(type);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.length, bytes.subarray(head).toString()]).toEqual([head + PIECES[0].length, PIECES[0]]);
    expect(lost).toEqual(response_format ? [] : ["/response_format: the model makes wav"]);
  });

  it("in a format that no target makes is refused with the field, and nothing is sent", async () => {
    const { speech, sent } = start();
    const made = speech.create({ model: "genstyle/a", voice: "Kore", input, response_format: "flac" });
    await expect(made).rejects.toThrow(/response_format.*wav, not flac/);
    expect(sent).toEqual([]);
  });

  it("at an address is read there without any key", async () => {
    const [, , [model, voice]] = speakers;
    const url = "https://files.test/a.mp3";
    const requests: Request[] = [];
    const { speech } = by((request) => {
      requests.push(request);
      return request.method === "GET" ? audio() : Response.json({ code: 0, url, duration: 2 });
    });
    const response = await speech.create({ model, voice, input });
    expect(await response.text()).toBe(PIECES.join(""));
    const [asked, read] = requests;
    expect(asked!.headers.get("x-api-key")).toBe("provider-key");
    expect(read!.url).toBe(url);
    expect([...read!.headers.values()].join()).not.toContain("key");
  });

  it.each<[string, string, () => Response | Promise<Response>]>([
    ["answers status 403", "https://files.test/a.mp3", () => new Response("no", { status: 403 })],
    ["cannot be reached", "https://files.test/a.mp3", () => Promise.reject(new TypeError("fetch failed"))],
    ["is empty", "https://files.test/a.mp3", () => audio(null)],
    ["has no TLS", "http://10.0.0.1/a.mp3", () => audio()],
  ])("whose address %s is status 502, and no other target is called", async (_, url, answer) => {
    const [, , [model, voice]] = speakers;
    const { speech, events } = by(
      (request) => (request.method === "GET" ? answer() : Response.json({ code: 0, url, duration: 2 })),
      { models: { aloud: [model, "chatstyle/a"] as never }, retry: { ambiguous: true } },
    );
    await expect(speech.create({ model: "aloud", voice, input })).rejects.toMatchObject({ status: 502 });
    expect(events).toEqual([[model, 200]]);
  });
});

describe("an answer without audio", () => {
  it.each([
    [
      "an error in its place",
      () => Response.json({ error: { message: "no voice", code: "bad_voice" } }),
      /no voice/,
    ],
    ["nothing", () => audio(null), /no audio/],
    ["a page", () => audio("<html>busy</html>", "text/html"), /no audio/],
    [
      "events without any",
      () => audio('data: {"type":"speech.audio.done"}\n\n', "text/event-stream"),
      /no audio/,
    ],
  ])("%s is status 502 and the next target's turn only where that is wanted", async (_, answer, words) => {
    const models: Options["models"] = { aloud: ["chatstyle/a", "chatstyle/b"] };
    const ask = (ambiguous: boolean) => {
      let calls = 0;
      const stage = by(() => (calls++ === 0 ? answer() : audio()), { models, retry: { ambiguous } });
      return { ...stage, response: stage.speech.create({ model: "aloud", voice: "alloy", input }) };
    };
    await expect(ask(false).response).rejects.toMatchObject({
      status: 502,
      message: expect.stringMatching(words),
    });
    const { response, events } = ask(true);
    expect(await (await response).text()).toBe(PIECES.join(""));
    expect(events).toEqual([
      ["chatstyle/a", 502],
      ["chatstyle/b", 200],
    ]);
  });

  it("is the next target's turn where its provider refuses or cannot be reached", async () => {
    const { speech, events } = by(
      ({ url }) => {
        if (url.includes("gone")) return Promise.reject(new TypeError("fetch failed"));
        return url.includes("busy") ? new Response("busy", { status: 503 }) : audio();
      },
      {
        providers: {
          gone: { origin: "http://gone.test", speaks: ["chatstyle"] },
          busy: { origin: "http://busy.test", speaks: ["chatstyle"] },
        },
        models: { aloud: ["busy/a", "chatstyle/a", "gone/a"] },
      },
    );
    const response = await speech.create({ model: "aloud", voice: "alloy", input });
    expect(await response.text()).toBe(PIECES.join(""));
    expect(events).toEqual([
      ["busy/a", 503],
      ["chatstyle/a", 200],
    ]);
  });

  it("hides the provider's key in the words of its error", async () => {
    const { speech } = by(() => Response.json({ error: { message: "provider-key is blocked" } }));
    const error = await speech.create({ model: "chatstyle/a", voice: "alloy", input }).catch(String);
    expect(error).toContain("is blocked");
    expect(error).not.toContain("provider-key");
  });
});

it("audio that breaks off breaks the answer off: it never just ends", async () => {
  const used: unknown[] = [];
  const { speech } = by(() => audio(broken(PIECES[0])), {
    onUsage: ({ usage }) => void used.push(usage),
  });
  const response = await speech.create({ model: "chatstyle/a", voice: "alloy", input });
  await expect(response.text()).rejects.toThrow();
  expect(used).toEqual([{ input: 0, output: 0, characters: input.length, estimated: true }]);
});

it("a reader that leaves, or an abort, ends the call to the provider", async () => {
  for (const leave of ["cancel", "abort"] as const) {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { speech } = by((request) => {
      request.signal.addEventListener("abort", () => resolve());
      return audio(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(PIECES[0])),
          cancel: () => resolve(),
        }),
      );
    });
    const abort = new AbortController();
    const response = await speech.create(
      { model: "chatstyle/a", voice: "alloy", input },
      { signal: abort.signal },
    );
    if (leave === "abort") abort.abort();
    else await response.body!.cancel();
    await left;
  }
});

describe("what speech used", () => {
  const use = async (
    answer: () => Response,
    price: object | undefined,
    model: string,
    body: { response_format?: "pcm"; stream_format?: "sse" } = {},
  ) => {
    const used: unknown[] = [];
    const { speech } = by(answer, {
      models: { aloud: { target: model as never, ...(price && { price }) } },
      onUsage: ({ usage, cost }) => void used.push({ usage, cost }),
    });
    await (await speech.create({ model: "aloud", voice: "alloy", input, ...body })).arrayBuffer();
    return used;
  };
  const { length: characters } = input;

  it("is counted in characters, which the text has", async () => {
    expect(await use(audio, { characters: 15 }, "chatstyle/a")).toEqual([
      { usage: { input: 0, output: 0, characters }, cost: characters * 15 },
    ]);
    expect(await use(audio, undefined, "chatstyle/a")).toEqual([
      { usage: { input: 0, output: 0, characters }, cost: undefined },
    ]);
  });

  it("has the provider's tokens, and estimates where it reports none", async () => {
    const price = { input: 1, output: 10 };
    expect(await use(() => spoken(btoa("audio")), price, "genstyle/a")).toMatchObject([
      { usage: { input: 4, output: 50 }, cost: 504 },
    ]);
    const [event] = await use(audio, price, "chatstyle/a");
    expect(event).toMatchObject({ usage: { characters, estimated: true } });
    expect(event).not.toHaveProperty("usage.seconds");
  });

  it("has seconds, as the provider reports or the format shows them", async () => {
    const [, , [model]] = speakers;
    const answer = () => Response.json({ code: 0, audio: btoa("audio"), duration: 2 });
    expect(await use(answer, { seconds: 0.05 }, model)).toMatchObject([
      { usage: { seconds: 2 }, cost: 100_000 },
    ]);
    expect(
      await use(() => audio("a".repeat(48_000), "audio/pcm"), { seconds: 0.05 }, "chatstyle/a", {
        response_format: "pcm",
      }),
    ).toMatchObject([{ usage: { seconds: 1 }, cost: 50_000 }]);
  });
});

it("a loss is in the SDK's own words, and refused where it has to be", async () => {
  const lost: unknown[] = [];
  const { speech } = start({ onLoss: ({ of, path, why }) => void lost.push([of, path, why]) });
  const body = { model: "genstyle/sim-speech", voice: "Kore", input, instructions: "Calm.", speed: 2 };
  await speech.create({ ...body, response_format: "wav" }).catch(() => {});
  expect(lost).toEqual([
    ["request", "/speed", "unsupported"],
    ["request", "/instructions", "approximated"],
  ]);
  const strict = start({ losses: "refuse" });
  await expect(strict.speech.create({ ...body, response_format: "wav" })).rejects.toThrow(/speed/);
  expect(strict.sent).toEqual([]);
});

it("a target's capabilities are kept, and a provider without speech is status 404", async () => {
  const { capabilities } = speechModels["tts-1"]!;
  const { speech, sent } = start({
    models: { plain: { target: "chatstyle/tts-1", capabilities: capabilities! } },
  });
  await expect(speech.create({ model: "plain", voice: "alloy", input, speed: 9 })).rejects.toThrow(/speed/);
  await expect(
    speech.create({ model: "plain", voice: "alloy", input, stream_format: "sse" }),
  ).rejects.toThrow(/stream_format/);
  await expect(speech.create({ model: "msgstyle/a", voice: "alloy", input })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("serves no speech"),
  });
  expect(sent).toEqual([]);
});
