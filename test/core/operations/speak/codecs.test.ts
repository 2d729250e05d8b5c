import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import { type JsonObject, run } from "@manifold-gateway/core/codec";
import {
  chatstyleSpeak as chat,
  estimateSpeak,
  knownVoices,
  planSpeak,
  type SpeakCodec,
  type SpeakEvent,
  type SpeakPlan,
  type SpeakRequest,
  speakAnswer,
  speakOperation,
  speechFormats,
  usageOfSpeak,
  wavHeader,
} from "@manifold-gateway/core/operations";
import { Rejection } from "@manifold-gateway/core/plan";
import { speechModels } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const genstyle = speakOperation.protocols.genstyle!;
const speechstyle = speakOperation.services.speechstyle!;
const REFERENCE = "seed-audio-1.0-multilingual";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const anyRequest: fc.Arbitrary<SpeakRequest> = fc
  .record(
    {
      text,
      format: fc.constantFrom(...speechFormats),
      speed: fc.double({ min: 0.25, max: 4, noNaN: true }),
      instructions: text,
      streamFormat: fc.constantFrom("audio" as const, "sse" as const),
    },
    { requiredKeys: ["text"] },
  )
  .map((request) => ({ ...request, model: "m", voiceType: "alloy" }));
const anyAudio = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 4 });
const bytesOf = (events: readonly SpeakEvent[]): Buffer =>
  Buffer.concat(events.flatMap((event) => (event.type === "audio" ? [event.bytes] : [])));

/** Bytes in pieces of every size. */
const cut = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, at * size + size),
  );

describe("requests for speech", () => {
  it("a request survives the chat-style wire, whose schema takes it", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const wire = chat.request.encode(request, lose);
        expect(chat.request.schema.safeParse(wire).error?.issues).toBeUndefined();
        expect(chat.request.decode(wire)).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });

  it("a custom voice goes on as it came", () => {
    const wire = { model: "m", input: "a", voice: { id: "voice_1" }, lang: "en" };
    expect(chat.request.schema.safeParse(wire).success).toBe(true);
    expect(chat.request.encode(chat.request.decode(wire), ignoreLosses)).toEqual(wire);
  });

  it.each<[field: string, wire: JsonObject]>([
    ["input", { input: "" }],
    ["input", { input: "🎵".repeat(4097) }],
    ["voice", { voice: "" }],
    ["speed", { speed: 5 }],
    ["response_format", { response_format: "midi" }],
    ["stream_format", { stream_format: "ws" }],
  ])("the schema names a faulty %s", (field, wire) => {
    const { error } = chat.request.schema.safeParse({ model: "m", input: "a", voice: "alloy", ...wire });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it.each<[name: string, codec: SpeakCodec, model: string, said: Record<string, string>, lost: string[]]>([
    ["generate-content", genstyle, "m", { "/instructions": "Softly" }, ["/instructions", "/speed"]],
    [
      "a reading",
      speechstyle,
      "seed-tts-2.0",
      { "/instructions": "Softly", "/speed": '"speech_rate":50' },
      [],
    ],
    ["the reference model", speechstyle, REFERENCE, { "/speed": '"speech_rate":50' }, ["/instructions"]],
  ])("%s says a parameter or loses it", (_, codec, model, said, lost) => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const wire = codec.request.encode({ ...request, model, speed: 1.5, instructions: "Softly" }, lose);
        const body = JSON.stringify(wire);
        expect(body).toContain("alloy");
        for (const words of Object.values(said)) expect(body).toContain(words);
        expect(losses.map(({ path }) => path).sort()).toEqual(lost);
      }),
    );
  });

  it.each([
    ["generate-content", genstyle],
    ["readings", speechstyle],
  ])("%s gets a custom voice by its id and loses other members", (_, codec) => {
    const { losses, lose } = collectLosses();
    const wire = { model: "m", input: "a", voice: { id: "voice_1" }, lang: "en" };
    expect(JSON.stringify(codec.request.encode(chat.request.decode(wire), lose))).toContain("voice_1");
    expect(losses.map(({ path }) => path)).toEqual(["/extra/lang"]);
  });
});

describe("answers with speech", () => {
  it("audio comes through both forms of the chat-style wire, however it is cut", () => {
    const streams = fc.constantFrom("audio" as const, "sse" as const);
    fc.assert(
      fc.property(anyAudio, streams, fc.integer({ min: 1, max: 50 }), (pieces, streamFormat, size) => {
        const usage = { input: 3, output: 7 };
        const events: SpeakEvent[] = [
          ...pieces.map((bytes): SpeakEvent => ({ type: "audio", bytes })),
          { type: "done", usage },
        ];
        const { contentType, write } = speakAnswer({ model: "m", text: "a", voiceType: "v", streamFormat });
        const written = Buffer.concat(events.map((event) => Buffer.from(write(event) as string)));
        const read = run(chat.reader(contentType), cut(written, size));
        expect(bytesOf(read)).toEqual(Buffer.concat(pieces));
        expect(read.at(-1)).toEqual({ type: "done", ...(streamFormat === "sse" && { usage }) });
      }),
    );
  });

  const frame = (event: JsonObject): string => `data: ${JSON.stringify(event)}\n\n`;
  const done = frame({ type: "speech.audio.done", usage: { input_tokens: 3, output_tokens: 7 } });
  const generated = (data: string): string =>
    JSON.stringify({
      candidates: [{ content: { parts: [{ inlineData: { mimeType: "audio/L16", data } }] } }],
    });
  it.each<[name: string, type: string, body: string, codec?: SpeakCodec]>([
    ["nothing", "audio/mpeg", ""],
    ["an error with status 200", "application/json", '{"error":{"message":"busy"}}'],
    ["an error in a stream", "text/event-stream", frame({ error: { message: "busy" } })],
    ["an end alone", "text/event-stream", done],
    ["empty audio", "text/event-stream", frame({ type: "speech.audio.delta", audio: "" }) + done],
    ["unreadable audio", "text/event-stream", frame({ type: "speech.audio.delta", audio: "#" }) + done],
    ["unreadable raw audio", "application/json", generated("#"), genstyle],
    ["unreadable audio of a reading", "application/json", '{"code":0,"data":"#"}', speechstyle],
    ["a reading of nothing", "application/json", '{"code":20000000}', speechstyle],
    [
      "unreadable audio of the reference model",
      "application/json",
      '{"audio":"#","duration":3}',
      speechstyle,
    ],
  ])("%s is a failure", (_, type, body, codec = chat) => {
    const read = run(codec.reader(type), [Buffer.from(body)]);
    expect(read.at(-1)).toMatchObject({ type: "failure", failure: { status: 502 } });
  });

  it.each<[type: string, body: string, words: string]>([
    ["text/event-stream", frame({ type: "speech.audio.error", error: { message: "no voice" } }), "no voice"],
    ["text/event-stream", frame({ type: "speech.audio.error", message: "no voice" }), "no voice"],
    ["text/event-stream", frame({ error: "no voice" }), "no voice"],
    ["application/json", '{"detail":"no voice"}', "no voice"],
    ["application/json", "not JSON", "The provider generated no audio."],
  ])("an error of the type %s keeps its words, wherever they are: %j", (type, body, message) => {
    const read = run(chat.reader(type), [Buffer.from(body)]);
    expect(read).toMatchObject([{ type: "failure", failure: { message } }]);
  });

  it("events that break off have no end", () => {
    const read = run(chat.reader("text/event-stream"), [
      Buffer.from('data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n'),
    ]);
    expect(read.map(({ type }) => type)).toEqual(["audio"]);
  });

  it("generate-content answers with raw audio and tokens", () => {
    const inlineData = { mimeType: "audio/L16;codec=pcm;rate=24000", data: "AAEC" };
    const body = {
      candidates: [{ content: { parts: [{ inlineData }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 50, totalTokenCount: 54 },
    };
    const read = run(genstyle.reader("application/json"), cut(Buffer.from(JSON.stringify(body)), 7));
    expect(bytesOf(read)).toEqual(Buffer.from([0, 1, 2]));
    expect(read.at(-1)).toMatchObject({ type: "done", usage: { input: 4, output: 50 } });
    const none = run(genstyle.reader("application/json"), [Buffer.from('{"candidates":[]}')]);
    expect(none).toMatchObject([{ type: "failure" }]);
  });
});

describe("plans of speech", () => {
  function plan(codec: SpeakCodec, model: string, value: JsonObject): SpeakPlan | Rejection {
    const wire = { input: "Hello.", voice: "alloy", ...value };
    const { capabilities } = speechModels[model] ?? {};
    return planSpeak(
      { codec: chat, model, value: wire },
      { codec, model, capabilities, voices: knownVoices },
    );
  }
  const planned = (...of: Parameters<typeof plan>): SpeakPlan => {
    const result = plan(...of);
    if (result instanceof Rejection) throw result;
    return result;
  };

  it.each([
    ["chat", chat, undefined, { format: "mp3", wraps: false }],
    ["generate-content", genstyle, undefined, { format: "wav", wraps: true }],
    ["generate-content", genstyle, "wav", { format: "wav", wraps: true }],
    ["generate-content", genstyle, "pcm", { format: "pcm", wraps: false }],
    ["readings", speechstyle, "wav", { format: "wav", wraps: true }],
    ["readings", speechstyle, "opus", { format: "opus", wraps: false }],
  ])("%s makes %s of what was asked for", (_, codec, format, made) => {
    const result = planned(codec, "m", { ...(format && { response_format: format }) });
    expect(result).toMatchObject(made);
    const isReported = result.lost.losses.some(({ path }) => path === "/response_format");
    expect(isReported).toBe(format === undefined && made.format !== "mp3");
  });

  it("formats that are made of nothing, and voices of other models, are refused", () => {
    expect(plan(genstyle, "m", { response_format: "mp3" })).toMatchObject({ param: "response_format" });
    expect(plan(speechstyle, "seed-tts-2.0", { voice: "nobody" })).toMatchObject({ param: "voice" });
    expect(plan(chat, "tts-1", { stream_format: "sse" })).toMatchObject({ param: "stream_format" });
    expect(planned(chat, "tts-1", { instructions: "Softly" }).calls[0]?.value).not.toHaveProperty(
      "instructions",
    );
  });
});

describe("what speech costs", () => {
  it("characters are never more than the caller sent, and tokens are estimated only where sold", () => {
    fc.assert(
      fc.property(anyRequest, fc.nat(9999), (request, reported) => {
        const { characters, output } = estimateSpeak(request, chat);
        const terms = { tokensPerSecond: chat.tokensPerSecond };
        const used = usageOfSpeak({ characters: reported }, request, { ...terms, sells: "characters" });
        expect(used.characters).toBe(Math.min(characters, reported));
        expect([used.input, used.output, used.estimated]).toEqual([0, 0, undefined]);
        const guessed = usageOfSpeak(undefined, request, { ...terms, sells: "tokens" });
        expect([guessed.output, guessed.estimated]).toEqual([output, true]);
      }),
    );
  });

  it("no seconds are charged above the hold, whatever the provider reports", () => {
    const longest = fc.option(fc.constant(120), { nil: undefined });
    const figure = fc.oneof(fc.double({ min: 0, noNaN: true }), fc.constant(1e300));
    fc.assert(
      fc.property(anyRequest, longest, figure, (request, longest, seconds) => {
        const terms = { tokensPerSecond: 0, longest };
        const held = estimateSpeak(request, terms);
        expect(held.seconds).toBe(longest ?? held.seconds);
        const used = usageOfSpeak({ seconds }, request, { ...terms, sells: "seconds" });
        expect(used.seconds).toBe(Math.min(seconds, held.seconds));
        const unknown = usageOfSpeak(undefined, request, { ...terms, sells: "seconds" });
        expect(unknown).toMatchObject({ estimated: true });
        expect(unknown.seconds).toBeLessThanOrEqual(held.seconds);
      }),
    );
    expect([REFERENCE, "seed-tts-2.0"].map((model) => speechstyle.longestFor?.(model))).toEqual([
      120,
      undefined,
    ]);
  });

  it("a WAV header of unknown length is one that players read", () => {
    const header = Buffer.from(wavHeader());
    expect(header.toString("latin1", 0, 4) + header.toString("latin1", 8, 16)).toBe("RIFFWAVEfmt ");
    expect([header.readUInt32LE(24), header.readUInt16LE(34), header.length]).toEqual([24_000, 16, 44]);
  });
});
