import type { CodecBase } from "../../codec/codec-base.ts";
import { isObject } from "../../json/json.ts";
import { facts } from "./facts.ts";
import { params } from "./params.ts";

/** What both halves of the codec have. */
export const base = {
  protocol: "msgstyle",
  params,
  facts,
  frame: {
    last: (chunk) => isObject(chunk) && (chunk.type === "message_stop" || chunk.type === "error"),
  },
} satisfies CodecBase;
