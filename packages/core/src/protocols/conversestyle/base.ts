import type { CodecBase } from "../../codec/codec-base.ts";
import { isObject } from "../../json/json.ts";
import { facts } from "./facts.ts";
import { isFailure } from "./failure.ts";
import { params } from "./params.ts";

/** What both halves of the codec have. */
export const base = {
  protocol: "conversestyle",
  params,
  facts,
  frame: {
    last: (chunk) => isObject(chunk) && (isObject(chunk.metadata) || isFailure(chunk)),
  },
} satisfies CodecBase;
