import { type JsonObject, textOf, toObject } from "@manifold-gateway/core/codec";
import { nullish, number, object, oneOf, string, validator } from "@manifold-gateway/core/schema";
import { chatstyleSpeak, type SpeakCodec, speechFormats } from "@manifold-gateway/core/speech";
import { NAMESPACE, protocol } from "./wire.ts";

const schema = validator(
  object({
    text: string({ min: 1, message: "is required: the text to be spoken" }),
    voice: string({ min: 1, message: "is required: the name of a voice of the model" }),
    outputFormat: nullish(oneOf(...speechFormats)),
    speed: nullish(number({ min: 0.25, max: 4 })),
  }),
);

/** The AI SDK's interface of speech models as the wire of a caller. */
export const modelSpeak: SpeakCodec = {
  ...chatstyleSpeak,
  protocol,
  facts: {
    params: {
      voiceType: ["/voice"],
      format: ["/outputFormat"],
      speed: ["/speed"],
      instructions: ["/instructions"],
    },
    others: ["text", "language", "providerOptions"],
  },
  request: {
    schema,
    decode({ model, text, voice, outputFormat, speed, instructions, providerOptions }) {
      const user = textOf(toObject(toObject(providerOptions)[NAMESPACE]).user);
      const request = chatstyleSpeak.request.decode({
        ...({ model, input: text, voice, speed, instructions } as JsonObject),
        ...(outputFormat !== undefined && { response_format: outputFormat }),
      });
      return { ...request, ...(user !== undefined && { user }) };
    },
    encode: () => ({}),
  },
};
