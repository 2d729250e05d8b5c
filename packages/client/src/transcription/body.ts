import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  formSurroundings,
  jsonSurroundings,
  type Recording,
  type TranscriptionCodec,
} from "@manifold-gateway/core/transcription";
import { toBase64 } from "../base64.ts";
import type { CallPlan } from "../calls/call-candidates.ts";

/** The body of a call with its recording, in the form of the provider's wire. */
export function bodyWith(
  recording: Uint8Array,
  value: JsonObject,
  { content, file }: Pick<TranscriptionCodec, "content"> & { file: Recording },
): Pick<CallPlan, "body" | "headers"> {
  const accept = value.stream === true ? "text/event-stream" : "application/json, text/plain, */*";
  if (content === "json") {
    const [before, after] = jsonSurroundings(JSON.stringify(value));
    return { body: before + toBase64(recording) + after, headers: { accept } };
  }
  const boundary = `manifold-${crypto.randomUUID()}`;
  const texts = formSurroundings(value, { boundary, name: file.name, mediaType: file.mediaType });
  const [before, after] = texts.map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  const body = new Uint8Array(before.length + recording.length + after.length);
  body.set(before);
  body.set(recording, before.length);
  body.set(after, before.length + recording.length);
  return { body, headers: { accept, "content-type": `multipart/form-data; boundary=${boundary}` } };
}
