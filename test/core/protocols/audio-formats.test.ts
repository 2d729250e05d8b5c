import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

type Protocol = keyof typeof codecs;

/** A caller's request as a provider of a protocol gets it. */
function send(from: Protocol, to: Protocol, value: JsonObject) {
  const request = (codecs[from] as AnyCodec).request.decode({ model: "m", ...value });
  const { wire, losses } = encodeRequest(request, codecs[to] as AnyCodec);
  return { turns: (wire.messages ?? wire.contents ?? wire.input) as JsonObject[], losses };
}

const DATA = "AAAA";
const input = (format: string): JsonObject => ({
  type: "input_audio",
  input_audio: { data: DATA, format },
});
const inline = (mimeType: string): JsonObject => ({ inlineData: { mimeType, data: DATA } });

/** The first part of the only turn, and the paths of what is lost in it. */
function partOf({ turns, losses }: ReturnType<typeof send>): { part: Json | undefined; lost: string[] } {
  const [turn] = turns;
  const [part] = (turn?.parts ?? turn?.content ?? []) as Json[];
  return { part, lost: losses.map(({ path }) => path).filter((path) => path.startsWith("/messages")) };
}

const asked: Partial<Record<Protocol, (part: JsonObject) => JsonObject>> = {
  chatstyle: (part) => ({ messages: [{ role: "user", content: [part] }] }),
  responses: (part) => ({ input: [{ type: "message", role: "user", content: [part] }] }),
  genstyle: (part) => ({ contents: [{ role: "user", parts: [part] }] }),
};
const ask = (from: Protocol, part: JsonObject): JsonObject => asked[from]!(part);

describe.each(["chatstyle", "responses"] as const)("audio of %s callers", (from) => {
  test.each([
    ["wav", "audio/wav"],
    ["mp3", "audio/mpeg"],
    ["m4a", "audio/m4a"],
    ["ogg", "audio/ogg"],
    ["audio/flac", "audio/flac"],
  ])("in the format %s reaches generate content as %s", (format, mediaType) => {
    expect(partOf(send(from, "genstyle", ask(from, input(format))))).toEqual({
      part: inline(mediaType),
      lost: [],
    });
  });

  test.each(["chatstyle", "responses"] as const)("in the format ogg reaches %s", (to) => {
    expect(partOf(send(from, to, ask(from, input("ogg"))))).toEqual({ part: input("ogg"), lost: [] });
  });
});

describe.each(["chatstyle", "responses"] as const)("audio of generate content reaches %s", (to) => {
  test.each([
    ["audio/mp3", "mp3"],
    ["audio/x-wav", "wav"],
    ["audio/vnd.wave", "wav"],
    ["audio/mp4", "m4a"],
    ["audio/x-m4a", "m4a"],
    ["audio/ogg; codecs=opus", "ogg"],
  ])("of the type %s as %s, told as approximated", (mediaType, format) => {
    expect(partOf(send("genstyle", to, ask("genstyle", inline(mediaType))))).toEqual({
      part: input(format),
      lost: ["/messages/0/parts/0/source/mediaType"],
    });
  });
});

describe("what a model said earlier", () => {
  const spoken = (audio: JsonObject, content: Json = null): JsonObject => ({
    messages: [
      { role: "user", content: "Hi." },
      { role: "assistant", content, audio },
      { role: "user", content: "Go on." },
    ],
  });
  const audio = { id: "audio_1", data: DATA, transcript: "Hello there.", expires_at: 9 };

  test("reaches models that cannot look its sound up as its transcript", () => {
    const { turns } = send("chatstyle", "genstyle", spoken(audio));
    expect(turns[1]).toEqual({ role: "model", parts: [{ text: "Hello there." }] });
  });
  test("is no text twice where the message has its text", () => {
    const { turns } = send("chatstyle", "genstyle", spoken(audio, "Hello."));
    expect(turns[1]).toEqual({ role: "model", parts: [{ text: "Hello." }] });
  });
  test("keeps its id on its own wire", () => {
    expect(send("chatstyle", "chatstyle", spoken(audio)).turns[1]).toMatchObject({ audio });
  });
});
