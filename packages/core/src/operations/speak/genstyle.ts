import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { run } from "../../codec/machine.ts";
import { fold } from "../../ir/fold.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, parseJson } from "../../json/json.ts";
import { provider } from "../../protocols/genstyle/provider.ts";
import { fromBase64 } from "./bytes.ts";
import { noCaller, type SpeakCodec } from "./codec.ts";
import type { SpeakEvent, SpeakRequest } from "./ir.ts";

function encode({ text, voiceType, speed, instructions, extra }: SpeakRequest, lose: Lose): JsonObject {
  if (speed !== undefined) lose("/speed", "unsupported", "the model has no such setting");
  for (const name of Object.keys(extra?.fields ?? {})) lose(`/extra/${name}`, "unsupported");
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
    return [
      {
        type: "failure",
        failure: failure ?? {
          kind: "server",
          status: 502,
          message: choices[0]?.finish?.note ?? "The provider generated no audio.",
        },
      },
    ];
  return [
    ...audio.map((data): SpeakEvent => ({ type: "audio", bytes: fromBase64(data) })),
    { type: "done", ...(usage && { usage }) },
  ];
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
  reply: noCaller.answer,
  reader() {
    const decoder = new TextDecoder();
    let text = "";
    return {
      step(bytes) {
        text += decoder.decode(bytes, { stream: true });
        return [];
      },
      end: () => eventsOf(text + decoder.decode()),
    };
  },
};
