import { chatstyleTranscription, fromForm, listFieldsOf } from "@manifold-gateway/core/operations";
import { z } from "zod";
import { operationServices } from "../generation/services.ts";
import { toJsonBody } from "../http/json-body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import { defineRoute, type Route } from "../route.ts";
import { transcribe } from "../transcription/transcribe.ts";
import { uploadLimits } from "../uploads/limits.ts";
import { operationHead } from "./heads.ts";
import { eventStream, transcript } from "./shapes/replies.ts";

const { request } = chatstyleTranscription;
const wire = documented(request.schema, "TranscriptionWire");

const route = (path: string, summary: string, about: string, task?: "translate"): Route =>
  defineRoute({
    method: "POST",
    path,
    access: "key",
    summary,
    about,
    body: operationHead,
    wire,
    upload: "only",
    lists: listFieldsOf(request.schema),
    limits: uploadLimits,
    generates: true,
    explains: true,
    answer: transcript,
    also: {
      "text/plain": z.string().describe("The transcript as text, or as subtitles."),
      ...eventStream("an event, as its `type` names it: the last is `transcript.text.done`"),
    },
    uses: operationServices,
    handler(context, { body: { model }, json, upload }) {
      const body = toJsonBody(fromForm(json.value, request.schema), json.protocols);
      const stream = body.value.stream === true;
      return serveOperation(context, transcribe, {
        codec: chatstyleTranscription,
        body,
        model,
        upload,
        stream,
        ...(task && { task }),
      });
    },
  });

/** Routes for transcripts on the chat-style surface. */
export const chatTranscriptionRoutes: readonly Route[] = [
  route(
    "/v1/audio/transcriptions",
    "Transcribe a recording",
    "A multipart form with the recording as `file`. Its length is measured before anything is held or sent.",
  ),
  route(
    "/v1/audio/translations",
    "Translate a recording into English",
    "The form of a transcription. Models that only transcribe are refused.",
    "translate",
  ),
];
