import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Recording, TranscriptionCodec, TranscriptionPlan } from "@manifold-gateway/core/operations";
import type { OperationAsk } from "../operations/operation.ts";
import type { Upload } from "../uploads/upload.ts";

/** A recording that does not come as a file of a form. */
export type RecordingPart = { at: string } & (
  | { url: string }
  | {
      /** The bytes in base64. */
      data: string;
    }
);

/** A request for a transcript. */
export interface TranscriptionAsk extends OperationAsk<TranscriptionCodec> {
  /** The recording, as a file of the request or as a part of its body. */
  upload?: Upload | undefined;
  part?: RecordingPart | undefined;
  /** Into English, by the route. */
  task?: "translate";
  /** The caller wants a stream. */
  stream: boolean;
  /** Guards check the transcript: it is not streamed before that. */
  isGuarded?: boolean;
  /** The facts of the recording, and the caller's field that it stood in. */
  recording?: Recording & { at?: string };
  /** What would be done with a recording first, in words: it is only explained. */
  pending?: string;
}

/**
 * The request that is planned: the facts of its recording instead of its bytes, and without a stream if the whole is
 * checked first.
 */
export function plannedValue(
  value: JsonObject,
  { recording, task, isGuarded }: Pick<TranscriptionAsk, "recording" | "task" | "isGuarded">,
): JsonObject {
  const { content: _, stream, ...rest } = value;
  return {
    ...rest,
    ...(stream !== undefined && !isGuarded && { stream }),
    ...(task && { task }),
    ...(recording && { file: { ...recording } as unknown as Json }),
  };
}

/** Whether a request goes to its provider in the form in which it came, and the answer comes back so. */
export const isForwarded = (
  { codec, upload }: Pick<TranscriptionAsk, "codec" | "upload">,
  { request, requested }: Pick<TranscriptionPlan, "request" | "requested">,
  target: { codec: TranscriptionCodec },
): boolean =>
  codec === target.codec && upload?.isForm === true && (request.responseFormat ?? "json") === requested;
