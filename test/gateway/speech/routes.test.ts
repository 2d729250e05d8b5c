import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { clientsOf } from "../../system/sdk/stage.ts";
import { useAllDatabases } from "../account/databases.ts";
import { PATH, RATES, type SpeechStage, startSpeech } from "./stage.ts";

const VOICE = "zh_female_vv_uranus_bigtts";
/** The models that speak, each on a wire of its own, with a voice. */
const SPEAKERS: [model: string, voice: string][] = [
  ["speech-chat", "alloy"],
  ["seed-tts-2.0", VOICE],
  ["seed-audio-1.0-multilingual", VOICE],
];
/** Micro-USD of a token of gpt-4o-mini-tts, and of a character and a second of the others. */
const KNOWN = { input: 0.6, output: 12, characters: 15, seconds: 50_000 };
const PIECES = [Buffer.from("first "), Buffer.from("second")] as const;

describe.each(useAllDatabases())("speech on the chat-style surface, on $name", ({ make }) => {
  let h: SpeechStage;
  beforeAll(async () => {
    h = await startSpeech({ ...(make && { make }) });
  });
  afterAll(async () => {
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
    await h.close();
  });
  const client = () => clientsOf(h.origin, KEY).chatstyle.audio.speech;
  const ask = (body: object, init: RequestInit = {}): Promise<Response> =>
    h.call(PATH, { input: "Hello.", voice: "alloy", ...body }, init);

  /** What a request gives, what it costs, and its record. */
  async function charged<T>(request: () => Promise<T>) {
    const { balance: before } = await h.balance();
    const got = await request();
    await h.settled();
    const { balance } = await h.balance();
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    return { got, cost: before - balance, record: results[0]! };
  }

  it.each(SPEAKERS)("a model of each wire speaks to the vendor's client: %s", async (model, voice) => {
    const input = `Good morning, ${model}.`;
    const { got, cost, record } = await charged(async () => {
      const response = await client().create({ model, voice, input, response_format: "mp3" });
      return { type: response.headers.get("content-type"), bytes: await response.arrayBuffer() };
    });
    expect(got.type).toBe("audio/mpeg");
    expect(got.bytes.byteLength).toBeGreaterThan(500);
    expect(record).toMatchObject({ status: "succeeded", modality: "audio", model, cost });
    const { seconds = 0 } = h.simulator.ledger.mediaJobs().at(-1)!.outputs[0]!;
    const exact: Record<string, number> = {
      "seed-tts-2.0": [...input].length * KNOWN.characters,
      "seed-audio-1.0-multilingual": Math.ceil(seconds * KNOWN.seconds),
    };
    // The provider counted tokens, but bytes of audio do not say them.
    if (model === "speech-chat") expect([cost > 0, record.usage]).toMatchObject([true, { estimated: true }]);
    else expect(cost).toBe(exact[model]);
  });

  it.each(SPEAKERS)("speech comes as events from a model of each wire: %s", async (model, voice) => {
    const { got, cost, record } = await charged(async () => {
      const response = await client().create({ model, voice, input: "One. Two.", stream_format: "sse" });
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      const frames = (await response.text()).split("\n\n").filter(Boolean);
      return frames.map((frame) => JSON.parse(frame.slice("data: ".length)));
    });
    const done = got.pop();
    expect(done.type).toBe("speech.audio.done");
    expect(got.length).toBeGreaterThan(0);
    for (const { type, audio } of got)
      expect([type, Buffer.from(audio, "base64").length > 0]).toEqual(["speech.audio.delta", true]);
    if (model !== "speech-chat") return;
    const { input, output } = h.simulator.ledger.last()!.usage;
    expect(done.usage).toMatchObject({ input_tokens: input, output_tokens: output });
    expect(cost).toBe(Math.ceil(input * KNOWN.input + output * KNOWN.output));
    expect(record.usage).not.toHaveProperty("estimated");
  });

  it("a provider's audio goes on byte for byte, each piece as it arrives", async () => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    h.answers((response) => {
      response.writeHead(200, { "content-type": "audio/ogg" }).write(PIECES[0]);
      void promise.then(() => response.end(PIECES[1]));
    });
    const response = await ask({ model: "live", response_format: "opus" });
    expect(response.headers.get("content-type")).toBe("audio/ogg");
    const reader = response.body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await read()).toBe("first ");
    goOn();
    expect([await read(), await read()]).toEqual(["second", ""]);
  });

  it("audio of no type of its own has that of its format, or browsers hold it back", async () => {
    h.answers((response) =>
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(PIECES[0]),
    );
    const response = await ask({ model: "live", response_format: "opus" });
    expect([response.headers.get("content-type"), await response.text()]).toEqual(["audio/ogg", "first "]);
  });

  it.each([
    ["wav", "audio/wav", 44],
    ["pcm", "audio/pcm", 0],
    [undefined, "audio/wav", 44],
  ])("a model of generate-content speaks as %s", async (response_format, type, head) => {
    const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 50, totalTokenCount: 54 };
    const inlineData = { mimeType: "audio/L16;codec=pcm;rate=24000", data: PIECES[0].toString("base64") };
    const candidates = [{ content: { parts: [{ inlineData }] }, finishReason: "STOP" }];
    h.answers((response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ candidates, usageMetadata }));
    });
    const { got, cost } = await charged(async () => {
      const response = await ask({ model: "aloud", response_format });
      expect(response.headers.get("content-type")).toBe(type);
      const isOther = response_format === undefined;
      expect((response.headers.get("x-losses") ?? "").includes("/response_format")).toBe(isOther);
      return Buffer.from(await response.arrayBuffer());
    });
    expect(got.subarray(head)).toEqual(PIECES[0]);
    expect(cost).toBe(4 * RATES.input + 50 * RATES.output);
  });

  it.each<[what: string, status: string, act: (reader: ReadableStreamDefaultReader) => Promise<unknown>]>([
    ["audio that breaks off", "failed", (reader) => expect(reader.read()).rejects.toThrow()],
    ["a caller who leaves", "aborted", (reader) => reader.cancel()],
  ])("%s is charged by an estimate", async (_, status, act) => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    h.answers((response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" }).write(PIECES[0]);
      void promise.then(() => response.destroy());
    });
    const { cost, record } = await charged(async () => {
      const reader = (await ask({ model: "live" })).body!.getReader();
      await reader.read();
      const isLeaving = status === "aborted";
      if (isLeaving) await act(reader);
      goOn();
      if (!isLeaving) await act(reader);
    });
    expect([cost > 0, record.status, record.usage]).toMatchObject([true, status, { estimated: true }]);
  });

  it.each([
    ["an error", 429, "application/json", '{"error":{"message":"busy"}}', 429],
    ["an error with status 200", 200, "application/json", '{"error":{"message":"busy"}}', 502],
    ["an error among events", 200, "text/event-stream", 'data: {"error":{"message":"busy"}}\n\n', 502],
    ["nothing", 200, "audio/mpeg", "", 502],
    ["the page of a proxy", 200, "text/html", "<html>Down for maintenance</html>", 502],
    ["an error as a text", 200, "text/plain; charset=utf-8", "overloaded", 502],
    ["an end without audio", 200, "text/event-stream", 'data: {"type":"speech.audio.done"}\n\n', 502],
    [
      "unreadable audio",
      200,
      "text/event-stream",
      'data: {"type":"speech.audio.delta","audio":"#"}\n\ndata: {"type":"speech.audio.done"}\n\n',
      502,
    ],
  ])("%s in place of audio is told, and costs nothing", async (_, status, type, body, answered) => {
    h.answers((response) => response.writeHead(status, { "content-type": type }).end(body));
    const { got, cost, record } = await charged(async () => {
      const response = await ask({ model: "live" });
      return [response.status, (await response.json()).error.message];
    });
    expect(got).toEqual([answered, expect.stringMatching(/busy/.test(body) ? /busy/ : /audio/)]);
    expect([cost, record.status]).toEqual([0, "failed"]);
  });

  it.each(["text/html; charset=utf-8", "text/plain"])(
    "audio to which its server gives the type %s is audio",
    async (type) => {
      const audio = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x41]);
      h.answers((response) => response.writeHead(200, { "content-type": type }).end(audio));
      const { got, record } = await charged(async () => (await ask({ model: "live" })).arrayBuffer());
      expect(Buffer.from(got as ArrayBuffer)).toEqual(audio);
      expect(record.status).toBe("succeeded");
    },
  );

  it("tokens that no text comes to are charged by an estimate", async () => {
    const usage = { input_tokens: 3, output_tokens: 99_999_999 };
    h.answers((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n');
      response.end(`data: ${JSON.stringify({ type: "speech.audio.done", usage })}\n\n`);
    });
    const { cost, record } = await charged(async () => (await ask({ model: "live" })).arrayBuffer());
    expect(record).toMatchObject({ status: "succeeded", usage: { estimated: true } });
    expect(cost).toBeLessThan(100 * RATES.output);
  });

  it.each<[what: string, body: object, param: string, words: RegExp]>([
    ["no text", { model: "speech-chat", input: "" }, "input", /is required/],
    ["a long text", { model: "speech-chat", input: "a".repeat(4097) }, "input", /4096 characters/],
    ["a fast voice", { model: "speech-chat", speed: 5 }, "speed", /4/],
    ["a format of none", { model: "speech-chat", response_format: "midi" }, "response_format", /mp3/],
    ["a format that it does not make", { model: "aloud", response_format: "mp3" }, "response_format", /wav/],
    ["a voice of none", { model: "seed-tts-2.0", voice: "nobody" }, "voice", /"nobody"/],
    ["a model of text", { model: "chatty" }, "model", /chatty/],
    ["a model of none", { model: "nothing" }, "model", /nothing/],
  ])("%s is refused before any provider is asked", async (_, body, param, words) => {
    h.answers(() => expect.unreachable());
    const before = { ...(await h.balance()), asked: h.simulator.ledger.entries.length };
    const response = await ask(body);
    const { error, errors } = await response.json();
    expect([response.status, error.param]).toEqual([400, param]);
    expect(errors[0]).toMatch(words);
    expect({ ...(await h.balance()), asked: h.simulator.ledger.entries.length }).toEqual(before);
  });
});
