import type { JsonObject } from "@manifold-gateway/core/codec";
import { recordingName, recordingType } from "@manifold-gateway/core/transcription";

/** A recording with the facts that the request has of it. Its length is not measured. */
export function recordingOf(
  bytes: Uint8Array,
  { name, type }: { name: string; type: string },
): { recording: Uint8Array; facts: JsonObject } {
  const mediaType = recordingType(bytes, type);
  const named = mediaType === undefined ? name : recordingName(name, mediaType);
  return {
    recording: bytes,
    facts: { name: named, bytes: bytes.length, ...(mediaType !== undefined && { mediaType }) },
  };
}
