import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import { expect, test } from "vitest";

type Protocol = "chatstyle" | "responses" | "msgstyle" | "genstyle";

function send(from: Protocol, to: Protocol, value: JsonObject, traits: Traits = {}) {
  const request = (codecs[from] as AnyCodec).request.decode({ model: "m", ...value });
  const { wire, losses } = encodeRequest(request, codecs[to] as AnyCodec, traits);
  return { wire, lost: losses.map(({ path, why }) => [path, why]) };
}

const messages = [{ role: "user", content: "Draw a lake." }];
const contents = [{ role: "user", parts: [{ text: "Draw a lake." }] }];
const takes: Traits = { extensions: ["modalities"] };

test.each<[string[], string[], string[][]]>([
  [["image", "text"], ["IMAGE", "TEXT"], []],
  [["image"], ["IMAGE"], []],
  [["text"], ["TEXT"], []],
  // Models that speak refuse text beside the sound, which the other wire demands.
  [["text", "audio"], ["AUDIO"], [["/params/modalities", "approximated"]]],
])("answers of %j become %j", (modalities, responseModalities, lost) => {
  const sent = send("chatstyle", "genstyle", { messages, modalities });
  expect(sent).toMatchObject({ wire: { generationConfig: { responseModalities } }, lost });
});

test.each(["TEXT", "Text", "text"])("%s and IMAGE are understood in any case", (word) => {
  const generationConfig = { responseModalities: [word, "IMAGE"] };
  const sent = send("genstyle", "chatstyle", { contents, generationConfig }, takes);
  expect(sent).toMatchObject({ wire: { modalities: ["text", "image"] }, lost: [] });
});

test("servers of chats that refuse the member do not get it", () => {
  const { wire, lost } = send("genstyle", "chatstyle", {
    contents,
    generationConfig: { responseModalities: ["TEXT", "IMAGE"] },
  });
  expect(wire).not.toHaveProperty("modalities");
  expect(lost).toEqual([["/params/modalities", "unsupported"]]);
});

test.each(["responses", "msgstyle"] as const)("an answer of text is nothing to lose for %s", (to) => {
  const lost = [
    ...send("genstyle", to, { contents, generationConfig: { responseModalities: ["TEXT"] } }).lost,
    ...send("chatstyle", to, { messages, modalities: ["text"] }).lost,
  ];
  expect(lost.map(([path]) => path)).not.toContain("/params/modalities");
});

const audio = { voice: "Kore", format: "pcm16" };
const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } };

test("the voice of an answer is that of a model that speaks", () => {
  const { wire, lost } = send("chatstyle", "genstyle", { messages, modalities: ["audio"], audio });
  expect(wire).toMatchObject({ generationConfig: { responseModalities: ["AUDIO"], speechConfig } });
  expect(lost).toEqual([]);
});

test("models that speak have one format", () => {
  const { lost } = send("chatstyle", "genstyle", { messages, audio: { ...audio, format: "mp3" } });
  expect(lost).toEqual([["/extra/audio/format", "unsupported"]]);
});

test("a server of chats gets the whole member as its caller sent it", () => {
  const { wire, lost } = send("chatstyle", "chatstyle", { messages, audio });
  expect(wire).toMatchObject({ audio });
  expect(lost).toEqual([]);
  const config = { generationConfig: { speechConfig } };
  expect(send("genstyle", "chatstyle", { contents, ...config }).wire).not.toHaveProperty("audio");
  expect(send("genstyle", "genstyle", { contents, ...config }).wire).toMatchObject(config);
});
