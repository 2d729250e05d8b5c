import type { CodecBase } from "../../codec/codec-base.ts";
import { isObject, toArray, toObject } from "../../json/json.ts";
import { facts } from "./facts.ts";
import { findError } from "./failure.ts";
import { params } from "./params.ts";

/** What both halves of the codec have. */
export const base = {
  protocol: "genstyle",
  params,
  facts,
  frame: {
    last: (chunk) =>
      findError(chunk) !== undefined ||
      (isObject(chunk) &&
        (Boolean(toObject(chunk.promptFeedback).blockReason) ||
          toArray(chunk.candidates).some((candidate) => Boolean(toObject(candidate).finishReason)))),
    // Candidates end one by one, and some servers send the finish reason with every chunk.
    more: true,
  },
} satisfies CodecBase;
