import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { run } from "../../codec/machine.ts";
import { loseExtra } from "../../ir/extra.ts";
import { fold } from "../../ir/fold.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, parseJson } from "../../json/json.ts";
import { provider } from "../../protocols/genstyle/provider.ts";
import { noCaller } from "../no-caller.ts";
import { noAudio, pieceOf, requireAudio } from "./audio.ts";
import { noBody, type SpeakCodec } from "./codec.ts";
import type { SpeakEvent, SpeakRequest } from "./ir.ts";

function encode({ text, voiceType, speed, instructions, extra }: SpeakRequest, lose: Lose): JsonObject {
  if (speed !== undefined) lose("/speed", "unsupported", "the model has no such setting");
  loseExtra(extra, lose, "");
  if (instructions !== undefined)
    lose("/instructions", "approximated", "the model follows them as the beginning of its prompt");
  return {
    contents: [
      { role: "user", parts: [{ text: instructions === undefined ? text : `${instructions}\n\n${text}` }] },
    ],
    generationConfig: {
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voiceType } } },
    },
  };
}

function eventsOf(text: string): SpeakEvent[] {
  const body = parseJson(text);
  const { choices, usage, failure } = fold(run(provider.reply.decode(), provider.reply.burst(body ?? null)));
  const audio = (choices[0]?.parts ?? []).flatMap((part) =>
    part.type === "media" && part.source.type === "base64" ? [part.source.data] : [],
  );
  if (failure || audio.length === 0)
    return [{ type: "failure", failure: failure ?? noAudio(choices[0]?.finish?.note) }];
  return [...audio.map(pieceOf), { type: "done", ...(usage && { usage }) }];
}

/** Speech by models of generate-content that speak: raw audio, in one answer. */
export const genstyleSpeak: SpeakCodec = {
  protocol: "genstyle",
  endpoint: ({ model }) => provider.endpoint(encodeURIComponent(model), false),
  formats: ["pcm"],
  tokensPerSecond: 25,
  unfetched: defineUnfetched([], []),
  facts: { params: {}, others: [] },
  request: { schema: noCaller.schema, decode: noCaller.decode, encode },
  reply: noBody,
  reader() {
    const decoder = new TextDecoder();
    let text = "";
    return requireAudio({
      step(bytes) {
        text += decoder.decode(bytes, { stream: true });
        return [];
      },
      end: () => eventsOf(text + decoder.decode()),
    });
  },
};
