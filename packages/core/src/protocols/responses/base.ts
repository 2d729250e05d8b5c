import { type CodecBase, DONE } from "../../codec/codec-base.ts";
import { isObject, toText } from "../../json/json.ts";
import { facts } from "./facts.ts";
import { params } from "./params.ts";

/** Chunks that end a reply. */
const last = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "error",
]);

/** What both halves of the codec have. */
export const base = {
  protocol: "responses",
  params,
  facts,
  frame: {
    last: (chunk) =>
      chunk === DONE || (isObject(chunk) && (last.has(toText(chunk.type)) || Boolean(chunk.error))),
  },
} satisfies CodecBase;
