import { collectLosses } from "@manifold-gateway/core";
import { type JsonObject, run } from "@manifold-gateway/core/codec";
import {
  chatstyleTranscription as chat,
  FILE,
  foldTranscript,
  nativeTranscription as native,
  type TranscriptionReply,
  transcriptionOperation,
  unfoldTranscript,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { segmentsOf, toSrt, toVtt } from "../../../../packages/core/src/operations/transcription/cues.ts";
import { anyPlain, anyRequest, anySpoken, anyTimed, anyWords, recording } from "./arbitraries.ts";

const genstyle = transcriptionOperation.protocols.genstyle!;
const ask = { model: "m", file: recording };

/** The reply without figures that a wire fills in for its clients. */
const plain = ({ extra: _, segments, ...reply }: TranscriptionReply): TranscriptionReply => ({
  ...reply,
  ...(segments && { segments: segments.map(({ extra: _, ...segment }) => segment) }),
});

it("speakers are read by either of two names", () => {
  const segment = { start: 0, end: 1, text: "a" };
  const { segments } = chat.reply.decode({
    text: "a",
    segments: [
      { ...segment, speaker: "A" },
      { ...segment, speaker_id: "speaker_1" },
      { ...segment, speaker_id: null },
    ],
  });
  expect(segments?.map(({ speaker }) => speaker)).toEqual(["A", "speaker_1", undefined]);
});

describe("requests for a transcription", () => {
  it("a request survives the chat-style wire, whose schema takes it", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const wire = chat.request.encode(request, lose);
        expect(wire.file).toBe(FILE);
        const { task } = request;
        const received: JsonObject = { ...wire, file: { ...recording }, ...(task && { task }) };
        expect(chat.request.schema.safeParse(received).error?.issues).toBeUndefined();
        expect(chat.request.decode(received)).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });

  it.each<[field: string, wire: JsonObject]>([
    ["model", { model: "" }],
    ["file", { file: "text" }],
    ["temperature", { temperature: "warm" }],
    ["response_format", { response_format: "docx" }],
    ["timestamp_granularities", { timestamp_granularities: ["letter"] }],
    ["chunking_strategy", { chunking_strategy: "some" }],
    ["file_url", { file_url: "https://a.test/a.mp3" }],
    ["url", { url: "https://a.test/a.mp3" }],
    ["stream", { stream: "yes" }],
  ])("the chat-style schema names a faulty %s", (field, wire) => {
    const { error } = chat.request.schema.safeParse({ model: "m", file: { ...recording }, ...wire });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it("speakers are requested with a way to cut the recording, which vendors demand", () => {
    const wire = { model: "m", file: { ...recording, at: "/content/0" }, diarize: true };
    const decoded = native.request.decode(wire);
    expect(decoded).toMatchObject({ responseFormat: "diarized_json", chunkingStrategy: "auto" });
    const chunkingStrategy = { type: "server_vad" };
    expect(native.request.decode({ ...wire, chunkingStrategy })).toMatchObject({ chunkingStrategy });
  });

  it("the native interface names the same request in its own words", () => {
    const wire = {
      model: "m",
      file: { ...recording, at: "/content/0" },
      task: "translate",
      timestampGranularities: ["word"],
      keywords: ["Manifold"],
    };
    expect(native.request.schema.safeParse(wire).success).toBe(true);
    expect(native.request.decode(wire)).toEqual({
      ...ask,
      task: "translate",
      responseFormat: "verbose_json",
      timestampGranularities: ["word"],
      keywords: ["Manifold"],
    });
    expect(native.request.decode({ model: "m", file: { ...recording }, diarize: true })).toMatchObject({
      responseFormat: "diarized_json",
    });
    const both = { ...wire, diarize: true };
    expect(native.request.schema.safeParse(both).error?.issues[0]?.path).toEqual(["timestampGranularities"]);
    expect(native.request.schema.safeParse({ model: "m" }).error?.issues[0]?.path).toEqual(["content"]);
  });

  it("a model of text is prompted with the recording once, and everything else is said or lost", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const wire = JSON.stringify(genstyle.request.encode(request, lose));
        expect(wire.split(JSON.stringify(FILE))).toHaveLength(2);
        expect(wire).toContain(recording.mediaType);
        for (const said of [request.language, request.prompt, ...(request.keywords ?? [])])
          if (said !== undefined) expect(wire).toContain(JSON.stringify(JSON.stringify(said)).slice(1, -1));
        const lost = losses.map(({ path }) => path);
        expect(lost).toContain("/file");
        for (const name of ["include", "chunkingStrategy", "knownSpeakerNames"] as const)
          expect(lost.includes(`/${name}`)).toBe(request[name] !== undefined);
        expect(lost.includes("/responseFormat")).toBe(
          !/^(json|text)$/.test(request.responseFormat ?? "json"),
        );
      }),
    );
  });
});

describe("replies with a transcript", () => {
  const back = (reply: TranscriptionReply, responseFormat: "json" | "verbose_json" | "diarized_json") =>
    plain(
      chat.reply.decode(
        chat.reply.encode(reply, {
          ...ask,
          responseFormat,
          timestampGranularities: ["word", "segment"],
        }),
      ),
    );

  it("a reply survives the form that holds all of it", () => {
    const law = (replies: fc.Arbitrary<TranscriptionReply>, form: Parameters<typeof back>[1]): void =>
      fc.assert(fc.property(replies, (reply) => void expect(back(reply, form)).toEqual(reply)));
    law(anyPlain, "json");
    law(anyTimed, "verbose_json");
    law(anySpoken, "diarized_json");
  });

  it.each([
    ["prompt_tokens", { prompt_tokens: 9, completion_tokens: 2 }, { input: 9, output: 2 }],
    ["seconds as text", { type: "duration", seconds: "12.5" }, { seconds: 12.5 }],
    ["audio seconds", { prompt_audio_seconds: 4, prompt_tokens: 8 }, { seconds: 4, input: 8 }],
    ["a malformed figure", { input_tokens: -1, output_tokens: 2 }, undefined],
    ["a malformed figure beside seconds", { input_tokens: "9", seconds: 3 }, { seconds: 3 }],
    ["a length of years", { seconds: 1e9 }, undefined],
  ])("usage is read with %s", (_, usage, read) => {
    expect(chat.reply.decode({ text: "a", usage }).usage).toEqual(read);
  });

  it("a stream adds up to the reply, and one that broke off to nothing", () => {
    const law = (reply: TranscriptionReply): void => {
      const chunks = run(chat.stream!.encode(ask), unfoldTranscript(reply));
      expect(plain(foldTranscript(run(chat.stream!.decode(), chunks))!)).toEqual(reply);
      expect(foldTranscript(run(chat.stream!.decode(), chunks.slice(0, -1)))).toBeUndefined();
    };
    fc.assert(fc.property(anyPlain, law));
    fc.assert(fc.property(anySpoken, ({ seconds: _, ...reply }) => law(reply)));
  });

  it("the native interface tells times in milliseconds, of what was asked for", () => {
    fc.assert(
      fc.property(anyTimed, anyRequest, (reply, request) => {
        const { timestampGranularities: times = [], responseFormat } = request;
        const answer = native.reply.encode(reply, request) as Record<string, unknown>;
        expect("words" in answer).toBe(times.includes("word"));
        expect("segments" in answer).toBe(times.includes("segment") || responseFormat === "diarized_json");
        for (const { startTime, endTime } of (answer.words ?? []) as { startTime: number; endTime: number }[])
          expect([startTime, endTime].every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it("what a model of text writes is the transcript; its refusal is a failure", () => {
    const body = (finishReason: string) => ({
      candidates: [{ content: { parts: [{ text: " Hello.\n" }] }, finishReason }],
      usageMetadata: { promptTokenCount: 96, candidatesTokenCount: 2, totalTokenCount: 98 },
    });
    expect(genstyle.reply.decode(body("STOP"))).toMatchObject({
      text: "Hello.",
      usage: { input: 96, output: 2 },
    });
    expect(genstyle.reply.decode(body("MAX_TOKENS")).truncated).toBe(true);
    expect(genstyle.reply.decode(body("SAFETY")).failure).toMatchObject({ status: 422 });
    const events = run(genstyle.stream!.decode(), [body("STOP")]);
    expect(foldTranscript(events)).toMatchObject({ text: "Hello.", usage: { output: 2 } });
  });
});

describe("subtitles", () => {
  const times = (text: string) => text.match(/\d\d:\d\d:\d\d[.,]\d{3} --> \d\d:\d\d:\d\d[.,]\d{3}/g) ?? [];

  it("a cue stands for each passage, and no text ends one", () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const texts = words.map((one) => ({ ...one, text: `a ${one.text}\n\n --> b` }));
        for (const text of [toSrt(texts), toVtt(texts)]) {
          expect(times(text)).toHaveLength(words.length);
          expect(text.trimEnd().split("\n\n")).toHaveLength(
            words.length + (text.startsWith("WEBVTT") ? 1 : 0),
          );
        }
        expect(toVtt(texts).match(/-->/g)).toHaveLength(words.length);
      }),
    );
  });

  it("a text of WebVTT is what a player shows, and no line break ends its cue", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "<", ">", "&", "-") }), (mess) => {
        const [, , , shown = ""] = toVtt([{ text: `x${mess}`, start: 0, end: 1 }]).split("\n");
        expect(shown).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
        const plain = { "&amp;": "&", "&lt;": "<", "&gt;": ">" } as Record<string, string>;
        expect(shown.replace(/&\w+;/g, (entity) => plain[entity]!)).toBe(`x${mess}`);
      }),
    );
    expect(toVtt([{ text: "a\r\n\r\nb\r\rc", start: 0, end: 1 }])).toMatch(/\na\nb\nc\n\n$/);
  });

  it("passages of words hold all words in their order, and few of them each", () => {
    const spoken = fc.array(fc.stringMatching(/^[a-z]{1,12}[.?,]?$/), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(spoken, (texts) => {
        const words = texts.map((text, at) => ({ text, start: at / 2, end: at / 2 + 0.4 }));
        const passages = segmentsOf(words);
        expect(passages.map(({ text }) => text).join(" ")).toBe(texts.join(" "));
        for (const { text, start, end } of passages) {
          expect(text.length).toBeLessThanOrEqual(84);
          expect(end - start).toBeLessThanOrEqual(6);
        }
      }),
    );
  });

  it("a reply with words alone is subtitled by the passages that they make", () => {
    const words = [
      { text: "Hello.", start: 0, end: 0.5 },
      { text: "Good", start: 0.6, end: 0.8 },
      { text: "day.", start: 0.8, end: 3661.25 },
    ];
    const write = (responseFormat: "srt" | "vtt") =>
      chat.reply.encode({ text: "Hello. Good day.", words }, { ...ask, responseFormat });
    expect(write("srt")).toContain("3\n00:00:00,800 --> 01:01:01,250\nday.\n");
    expect(write("vtt")).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.500\nHello\.\n/);
    expect(chat.reply.encode({ text: "Hello." }, { ...ask, responseFormat: "text" })).toBe("Hello.\n");
  });
});
