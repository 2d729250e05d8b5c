import { isObject } from "@manifold-gateway/core/codec";
import type { ImageResult } from "@manifold-gateway/core/operations";
import type { Line, Progress } from "../../adapter.ts";
import { type Reply, unreadable } from "../../call.ts";
import { troubles } from "../../chatstyle.ts";
import { troubleOf, troubleWithin } from "../../job-error.ts";
import { imageProgress } from "../picture-result.ts";
import { decode } from "./decode.ts";

/** The end of work that was answered with a whole body of this wire. */
export function readWhole(reply: Reply, line: Line): Progress<ImageResult> {
  if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
  if (!isObject(reply.body)) throw unreadable();
  return imageProgress(decode(reply.body, line.service.origin), troubleWithin(troubles, reply, line));
}
