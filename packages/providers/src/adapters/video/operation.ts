import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "@manifold-gateway/core/codec";
import type { VideoResult } from "@manifold-gateway/core/operations";
import type { Line, Progress } from "../adapter.ts";
import { type Call, exchange } from "../call.ts";
import { troubles } from "../genstyle.ts";
import { errorOf, toTrouble, troubleOf, type WireError } from "../job-error.ts";
import { expired, lost, unanswered } from "./poll-results.ts";

/** The status of a long-running operation, with its videos in the form in which the wire hands them over. */
export type OperationStatus<Video> =
  | { state: "running" }
  | { state: "succeeded"; videos: Video[] }
  | { state: "failed"; error: WireError };

/** Reads the videos in the answer of a finished operation. */
type Finish<Video> = (response: JsonObject) => Video[];

/** Reads the status of an operation. */
export function decodeOperation<Video>(body: Json, finish: Finish<Video>): OperationStatus<Video> {
  const { done, error, response } = toObject(body);
  if (done !== true) return { state: "running" };
  if (error !== undefined && error !== null) return { state: "failed", error: codeless(errorOf({ error })) };
  const videos = finish(toObject(response));
  return videos.length > 0
    ? { state: "succeeded", videos }
    : { state: "failed", error: withheld(toObject(response)) };
}

/** Why an answer has no video. Some servers give the reasons of filters beside the answer's own member. */
function withheld(response: JsonObject): WireError {
  const places = [toObject(response.generateVideoResponse), response];
  const reasons = places.flatMap((place) => toArray(place.raiMediaFilteredReasons));
  const message = [...new Set(reasons.flatMap((reason) => textOf(reason) ?? []))].join(" ");
  const isFiltered = message !== "" || places.some((place) => numberOf(place.raiMediaFilteredCount));
  return isFiltered
    ? { code: "rai_filtered", message: message || "The video was withheld by the provider's filters." }
    : { message: "The provider ended its work without a video and without a reason." };
}

/** The names of these wires' numeric codes. */
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

/** Reads an operation by a call: its status, or the progress if it has none. */
export async function readOperation<Video>(
  line: Line,
  call: Call,
  finish: Finish<Video>,
): Promise<{ status: OperationStatus<Video> } | { progress: Progress<VideoResult> }> {
  const reply = await exchange(line, call);
  if (reply.status === 404) return { progress: lost() };
  if (reply.status === 410) return { progress: expired() };
  if (reply.status >= 400 || !isObject(reply.body))
    return { progress: unanswered(troubleOf(troubles, reply, line)) };
  return { status: decodeOperation(reply.body, finish) };
}

/** The progress of an operation; its videos are fetched one by one. */
export async function pollOperation(
  line: Line,
  call: Call,
  finish: Finish<unknown>,
): Promise<Progress<VideoResult>> {
  const read = await readOperation(line, call, finish);
  if ("progress" in read) return read.progress;
  const { status } = read;
  if (status.state === "running") return { state: "running" };
  if (status.state === "failed") return { state: "failed", trouble: toTrouble(troubles, status.error, line) };
  return { state: "succeeded", result: { urls: [] } };
}

/** The trouble of a video that an operation no longer has. */
export const expiredTrouble = { kind: "expired", message: "The provider no longer has this video." } as const;
