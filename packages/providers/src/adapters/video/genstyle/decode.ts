import { type Json, lookup, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import { errorOf, type WireError } from "../../job-error.ts";

/** The status of an operation. Its addresses need the provider's key. */
export type OperationStatus =
  | { state: "running" }
  | { state: "succeeded"; urls: string[] }
  | { state: "failed"; error: WireError };

/** Reads the status of an operation. If it is done without a video, the video was withheld. */
export function decode(body: Json): OperationStatus {
  const { done, error, response } = toObject(body);
  if (done !== true) return { state: "running" };
  if (error !== undefined && error !== null) return { state: "failed", error: codeless(errorOf({ error })) };
  const { generatedSamples, raiMediaFilteredReasons } = toObject(toObject(response).generateVideoResponse);
  const urls = toArray(generatedSamples).flatMap(
    (sample) => textOf(toObject(toObject(sample).video).uri) ?? [],
  );
  if (urls.length > 0) return { state: "succeeded", urls };
  const reason =
    textOf(toArray(raiMediaFilteredReasons)[0]) ?? "The video was withheld by the provider's filters.";
  return { state: "failed", error: { code: "rai_filtered", message: reason } };
}

/** The names of this wire's numeric codes. */
const codes: Readonly<Record<string, string>> = {
  1: "CANCELLED",
  3: "INVALID_ARGUMENT",
  4: "DEADLINE_EXCEEDED",
  7: "PERMISSION_DENIED",
  8: "RESOURCE_EXHAUSTED",
  13: "INTERNAL",
  14: "UNAVAILABLE",
  16: "UNAUTHENTICATED",
};

const codeless = ({ code, ...rest }: WireError): WireError => ({
  ...rest,
  code: lookup(codes, code ?? "") ?? code,
});
