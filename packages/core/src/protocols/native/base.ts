import { type CodecBase, DONE } from "../../codec/codec-base.ts";
import { isObject } from "../../json/json.ts";
import { facts } from "./facts.ts";
import { params } from "./params.ts";

/** What both halves of the codec have. */
export const base = {
  protocol: "native",
  params,
  facts,
  frame: {
    last: (chunk) => chunk === DONE || (isObject(chunk) && Boolean(chunk.error)),
  },
} satisfies CodecBase;
