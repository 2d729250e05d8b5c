import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Recording, TranscriptionCodec } from "@manifold-gateway/core/operations";
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
  /** The facts of the recording, and the caller's field that it stood in. */
  recording?: Recording & { at?: string };
  /** What would be done with a recording first, in words: it is only explained. */
  pending?: string;
}

/** The request that is planned: the facts of its recording instead of its bytes. */
export function plannedValue(
  value: JsonObject,
  { recording, task }: Pick<TranscriptionAsk, "recording" | "task">,
): JsonObject {
  const { content: _, ...rest } = value;
  return {
    ...rest,
    ...(task && { task }),
    ...(recording && { file: { ...recording } as unknown as Json }),
  };
}
