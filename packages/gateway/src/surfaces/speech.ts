import { chatstyleSpeak } from "@manifold-gateway/core/operations";
import { z } from "zod";
import { operationServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import { defineRoute, type Route } from "../route.ts";
import { speak } from "../speech/speak.ts";
import { speechHead } from "./heads.ts";
import { eventStream } from "./shapes/replies.ts";

/** The route for speech on the chat-style surface. */
export const chatSpeechRoute: Route = defineRoute({
  method: "POST",
  path: "/v1/audio/speech",
  access: "key",
  summary: "Speak a text",
  about:
    "Answers with the audio as it is made, in `response_format`; with `stream_format` of `sse`, as events with pieces of it in base64.",
  body: speechHead,
  wire: documented(chatstyleSpeak.request.schema, "SpeechWire"),
  limits: bodyLimits,
  generates: true,
  explains: true,
  also: {
    "audio/mpeg": z.string().describe("The audio, in the content type of its format."),
    ...eventStream("`speech.audio.delta`, and at the end `speech.audio.done`"),
  },
  examples: {
    short: { body: { model: "sim-speech", input: "Hello.", voice: "alloy" } },
  },
  uses: operationServices,
  handler: (context, { body: { model }, json }) =>
    serveOperation(context, speak, { codec: chatstyleSpeak, body: json, model }),
});
