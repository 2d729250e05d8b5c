import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { truncated } from "../../ir/failure.ts";
import type { Event, Opening, TextPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, numberOf, toObject } from "../../json/json.ts";
import { fromArguments } from "../arguments.ts";
import { sealFrom } from "../seal.ts";
import { usageEvents } from "../usage-events.ts";
import { readCitation } from "./citations.ts";
import { decodeFailure } from "./decode-failure.ts";
import { toUsage } from "./decode-usage.ts";
import { type Growing, grow, impliedBlock, wholeOf } from "./delta.ts";
import { isFailure } from "./failure.ts";
import { readFinish } from "./finish.ts";
import { mediaKindOf, readMedia } from "./media.ts";
import { callOf, isPlainCall, protocol, readCited, textExtras } from "./parts.ts";

/** A block between its start and its stop. One of a kind that is kept whole has no part yet. */
interface Open extends Growing {
  kind: "text" | "reasoning" | "call" | "whole";
  index: number;
}

export function decodeReply(): ReplyDecoder {
  const open = new Map<number, Open>();
  const report = usageEvents();
  let parts = 0;
  let started = false;
  let calls = false;
  let failed = false;
  /** Why the reply ends; counts follow. */
  let ending: JsonObject | undefined;

  const begin = (at: number, kind: Open["kind"], block: JsonObject, part?: Opening): Event[] => {
    const index = part ? parts++ : -1;
    open.set(at, { kind, index, block, fragments: "" });
    return part ? [{ type: "open", index, part }] : [];
  };

  function start(at: number, block: JsonObject): Event[] {
    const before = open.has(at) ? stop(at) : [];
    return [...before, ...begun(at, block)];
  }

  function begun(at: number, block: JsonObject): Event[] {
    const { text, toolUse, reasoningContent } = block;
    if (typeof text === "string")
      return [...begin(at, "text", {}, { type: "text", ...textExtras(block) }), ...grown(at, { text })];
    if (isObject(toolUse) && isPlainCall(toolUse)) {
      calls = true;
      const part = callOf(block, toolUse);
      return begin(at, "call", block, { ...part, id: part.id || `tooluse_${parts}` });
    }
    if (isObject(reasoningContent)) {
      const { reasoningText, redactedContent } = reasoningContent;
      const part: Opening = { type: "reasoning", ...(redactedContent !== undefined && { redacted: true }) };
      const events = begin(at, "reasoning", {}, part);
      return [...events, ...grown(at, { reasoningContent: toObject(reasoningText) }), ...grown(at, block)];
    }
    const cited = readCited(block);
    return cited ? citedText(at, cited) : begin(at, "whole", { ...block });
  }

  function citedText(at: number, { text, citations = [], ...part }: TextPart): Event[] {
    const index = parts;
    return [
      ...begin(at, "text", {}, part),
      ...grown(at, { text }),
      ...citations.map((citation): Event => ({ type: "cite", index, citation })),
    ];
  }

  /** Adds to a block what a delta says, and returns the events of it. */
  function grown(at: number, delta: JsonObject): Event[] {
    const block = open.get(at);
    if (!block) {
      const implied = impliedBlock(delta);
      return Object.keys(implied).length > 0 ? [...start(at, implied), ...grown(at, delta)] : [];
    }
    const { kind, index } = block;
    const words = (value: Json | undefined): Event[] =>
      typeof value === "string" && value !== "" ? [{ type: "delta", index, text: value }] : [];
    if (kind === "whole") grow(block, delta);
    if (kind === "text" && delta.citation !== undefined)
      return [{ type: "cite", index, citation: readCitation(delta.citation) }];
    if (kind === "text") return words(delta.text);
    if (kind === "call") {
      const { input } = toObject(delta.toolUse);
      if (typeof input === "string") block.fragments += input;
      return words(input);
    }
    if (kind !== "reasoning") return [];
    const { text, signature, redactedContent } = toObject(delta.reasoningContent);
    if (typeof signature === "string") block.block.signature = signature;
    if (typeof redactedContent === "string") block.block.redactedContent = redactedContent;
    return words(text);
  }

  function stop(at: number): Event[] {
    const block = open.get(at);
    if (!block) return [];
    open.delete(at);
    const { kind, index, fragments } = block;
    if (kind === "whole") return whole(wholeOf(block));
    const close: Event = { type: "close", index };
    // The whole input may stand in the start, and a call without arguments need not say so.
    if (kind === "call" && fragments.trim() === "")
      return [{ type: "delta", index, text: fromArguments(toObject(block.block.toolUse).input) }, close];
    const { signature, redactedContent } = block.block;
    const sealed = [redactedContent, signature].find((value) => typeof value === "string" && value !== "");
    return [sealed === undefined ? close : { ...close, seal: sealFrom(protocol, sealed as string) }];
  }

  /** A block that is one event: a medium, or what only this wire knows. */
  function whole(block: JsonObject): Event[] {
    const kind = mediaKindOf(block);
    const media = kind && readMedia(kind, toObject(block[kind]));
    const index = parts++;
    return [
      { type: "open", index, part: media ?? { type: "opaque", protocol, value: block } },
      { type: "close", index },
    ];
  }

  const counted = (json: Json = null): Event[] => (json === null ? [] : report(toUsage(json)));

  function begins(): Event[] {
    if (started) return [];
    started = true;
    return [{ type: "start" }];
  }

  function finish(record: JsonObject): Event[] {
    const closing = [...open.keys()].flatMap(stop);
    return [...begins(), ...closing, { type: "finish", ...readFinish(record, calls) }];
  }

  const placeOf = (record: JsonObject): number => numberOf(record.contentBlockIndex) ?? 0;

  function step(chunk: Json): Event[] {
    if (failed || !isObject(chunk)) return [];
    if (isFailure(chunk)) {
      failed = true;
      return [{ type: "failure", failure: decodeFailure(0, chunk) }];
    }
    const { contentBlockStart, contentBlockDelta, contentBlockStop, messageStop, metadata } = chunk;
    if (isObject(metadata)) return counted(metadata.usage);
    if (isObject(chunk.messageStart)) return begins();
    if (isObject(contentBlockStart))
      return [...begins(), ...start(placeOf(contentBlockStart), toObject(contentBlockStart.start))];
    if (isObject(contentBlockDelta))
      return [...begins(), ...grown(placeOf(contentBlockDelta), toObject(contentBlockDelta.delta))];
    if (isObject(contentBlockStop)) return stop(placeOf(contentBlockStop));
    if (isObject(messageStop)) {
      ending = messageStop;
      return [];
    }
    return [{ type: "opaque", protocol, value: chunk }];
  }

  return {
    step,
    end() {
      if (failed) return [];
      return ending ? finish(ending) : [{ type: "failure", failure: truncated }];
    },
  };
}
