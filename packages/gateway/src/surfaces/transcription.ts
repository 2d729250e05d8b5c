import { type Json, toObject, toText } from "@manifold-gateway/core/codec";
import {
  base64Bytes,
  fromForm,
  listFieldsOf,
  mediaUrl,
  nativeTranscription,
  toInline,
} from "@manifold-gateway/core/operations";
import { z } from "zod";
import { operationServices } from "../generation/services.ts";
import { toJsonBody } from "../http/json-body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import { defineRoute, type Route } from "../route.ts";
import type { RecordingPart } from "../transcription/ask.ts";
import { transcribe } from "../transcription/transcribe.ts";
import { uploadLimits } from "../uploads/limits.ts";
import { operationHead } from "./heads.ts";
import { eventStream } from "./shapes/replies.ts";

const audioPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("audioUrl"), url: mediaUrl }),
  z.object({
    type: z.literal("audioBase64"),
    data: base64Bytes("must be base64, or a data URL").or(z.string().startsWith("data:")),
    mediaType: z.string().optional().describe("Not needed: the type is found by the contents."),
  }),
]);

const body = operationHead.extend({
  content: z
    .tuple([audioPart], "must hold one audio part: audioUrl or audioBase64")
    .optional()
    .describe("The recording, if the body is no form."),
});

const passage = z.object({
  text: z.string(),
  startTime: z.number().describe("Milliseconds from the start."),
  endTime: z.number(),
  speaker: z.string().optional(),
});

const transcript = z
  .object({
    text: z.string(),
    language: z.string().optional(),
    languages: z.array(z.string()).optional(),
    durationSeconds: z.number().optional(),
    segments: z.array(passage).optional(),
    words: z.array(passage).optional(),
    usage: z.looseObject({}).optional(),
  })
  .meta({ id: "TranscriptionResult" });

const { request } = nativeTranscription;

/** The recording among the parts of a JSON body. */
function partOf(content: Json | undefined): RecordingPart | undefined {
  const [part] = Array.isArray(content) ? content : [];
  const { type, url, data } = toObject(part);
  const at = "/content/0";
  if (type === "audioUrl") return { at, url: toText(url) };
  return type === "audioBase64" ? { at, data: toInline({ data: toText(data) }).data } : undefined;
}

/** The route for transcripts on the native interface. */
export const transcriptionRoute: Route = defineRoute({
  method: "POST",
  path: "/audio/transcriptions",
  access: "caller",
  summary: "Transcribe a recording",
  about:
    "The recording is one part of `content`, or the file of a multipart form. Its length is measured before anything is held or sent. `task` may be `translate`: into English.",
  body,
  wire: documented(request.schema, "NativeTranscription"),
  upload: "also",
  lists: listFieldsOf(request.schema),
  limits: uploadLimits,
  generates: true,
  explains: true,
  answer: transcript,
  also: eventStream("`delta`, `segment` or `done`, by its `type`"),
  examples: {
    "from an address": {
      body: {
        model: "sim-transcription",
        content: [{ type: "audioUrl", url: "https://example.com/speech.mp3" }],
        timestampGranularities: ["segment"],
      },
    },
  },
  uses: operationServices,
  handler(context, { body: { model }, json, upload }) {
    const typedBody = upload ? toJsonBody(fromForm(json.value, request.schema), json.protocols) : json;
    const part = upload ? undefined : partOf(json.value.content);
    return serveOperation(context, transcribe, {
      codec: nativeTranscription,
      body: typedBody,
      model,
      upload,
      part,
      stream: typedBody.value.stream === true,
    });
  },
});
