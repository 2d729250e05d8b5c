import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { truncated } from "../../ir/failure.ts";
import type { Event, Opening, Seal } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { fromArguments } from "../arguments.ts";
import { sealFrom } from "../seal.ts";
import { usageEvents } from "../usage-events.ts";
import { readCitation } from "./citations.ts";
import { decodeFailure } from "./decode-failure.ts";
import { readFinish } from "./decode-finish.ts";
import { countUsage } from "./decode-usage.ts";
import { type Growing, grow, wholeOf } from "./delta.ts";
import { blockFields, callOf, extrasOf, protocol } from "./parts.ts";

/** A block between its start and its stop. */
interface Open extends Growing {
  kind: "text" | "reasoning" | "call" | "opaque";
  index: number;
  signature: string;
}

export function decodeReply(): ReplyDecoder {
  const open = new Map<number, Open>();
  const count = countUsage();
  const report = usageEvents();
  /** The block of the last delta. */
  let current: Open | undefined;
  let parts = 0;
  let started = false;
  let calls = false;
  /** The last record that said why the reply ends. Some servers say it before the last blocks. */
  let ending: JsonObject | undefined;
  // After the end, counts may still be corrected; after a failure nothing counts.
  let state: "running" | "finished" | "failed" = "running";

  const begin = (at: number, kind: Open["kind"], block: JsonObject, part?: Opening): Event[] => {
    const opened: Open = { kind, index: part ? parts++ : -1, signature: "", block, fragments: "" };
    open.set(at, opened);
    return part ? [{ type: "open", index: opened.index, part }] : [];
  };

  const text = (index: number, value: Json | undefined): Event[] =>
    typeof value === "string" && value !== "" ? [{ type: "delta", index, text: value }] : [];

  function start(at: number, block: JsonObject): Event[] {
    const before = open.has(at) ? stop(at) : [];
    const events = begun(at, block);
    return before.length > 0 ? [...before, ...events] : events;
  }

  function begun(at: number, block: JsonObject): Event[] {
    const next = parts;
    switch (block.type) {
      case "text":
        return [
          ...begin(at, "text", {}, { type: "text", ...extrasOf(block, blockFields.text) }),
          ...text(next, block.text),
          ...toArray(block.citations).map(
            (citation): Event => ({ type: "cite", index: next, citation: readCitation(citation) }),
          ),
        ];
      case "thinking": {
        const events = begin(at, "reasoning", {}, { type: "reasoning" });
        (open.get(at) as Open).signature = toText(block.signature);
        return [...events, ...text(next, block.thinking)];
      }
      case "redacted_thinking": {
        const events = begin(at, "reasoning", {}, { type: "reasoning", redacted: true });
        (open.get(at) as Open).signature = toText(block.data);
        return events;
      }
      case "tool_use": {
        calls = true;
        const { cache: _, ...part } = callOf(block);
        return begin(at, "call", block, { ...part, id: part.id || `toolu_${next}` });
      }
      default:
        // Kept until it is complete, because some of these blocks grow as well.
        return begin(at, "opaque", { ...block });
    }
  }

  function delta(at: number, change: JsonObject): Event[] {
    const block = open.get(at);
    if (!block) return implied(at, change);
    current = block;
    if (block.kind === "opaque") {
      grow(block, change);
      return [];
    }
    const { kind, index } = block;
    if (kind === "text" && change.type === "text_delta") return text(index, change.text);
    if (kind === "text" && change.type === "citations_delta")
      return [{ type: "cite", index, citation: readCitation(change.citation as Json) }];
    if (kind === "reasoning" && change.type === "thinking_delta") return text(index, change.thinking);
    if (kind === "reasoning" && change.type === "signature_delta") block.signature = toText(change.signature);
    if (kind === "call" && change.type === "input_json_delta") {
      block.fragments += toText(change.partial_json);
      return text(index, change.partial_json);
    }
    return [];
  }

  /** Text whose block was never started is still text. */
  function implied(at: number, change: JsonObject): Event[] {
    if (change.type === "text_delta") return start(at, { type: "text", text: toText(change.text) });
    if (change.type === "thinking_delta")
      return start(at, { type: "thinking", thinking: toText(change.thinking) });
    return [];
  }

  function stop(at: number): Event[] {
    const block = open.get(at);
    if (!block) return [];
    open.delete(at);
    const { kind, index, signature, fragments } = block;
    if (kind === "opaque") {
      const whole = parts++;
      return [
        { type: "open", index: whole, part: { type: "opaque", protocol, value: wholeOf(block) } },
        { type: "close", index: whole },
      ];
    }
    const close: Event = { type: "close", index };
    if (kind === "reasoning" && signature !== "") {
      const seal: Seal = sealFrom(protocol, signature);
      return [{ ...close, seal }];
    }
    // The whole input may stand in the start, and a call without arguments need not say so.
    if (kind === "call" && fragments.trim() === "")
      return [{ type: "delta", index, text: fromArguments(block.block.input) }, close];
    return [close];
  }

  const stopAll = (): Event[] => [...open.keys()].flatMap(stop);

  const counted = (wire: Json = null): Event[] => (wire === null ? [] : report(count(wire)));

  function message(wire: JsonObject): Event[] {
    const [id, model] = [textOf(wire.id), textOf(wire.model)];
    const events: Event[] = started
      ? []
      : [{ type: "start", ...(id !== undefined && { id }), ...(model !== undefined && { model }) }];
    started = true;
    return [...events, ...counted(wire.usage)];
  }

  function finish(record: JsonObject | undefined): Event[] {
    const reason = state === "running" && record ? readFinish(record, calls) : undefined;
    if (!reason) return [];
    state = "finished";
    return [...stopAll(), { type: "finish", ...reason }];
  }

  /** The delta of a chunk that differs from the last one by its words alone. */
  function words(text: string): (Event & { type: "delta" }) | undefined {
    if (!current) return undefined;
    if (current.kind === "call") current.fragments += text;
    return { type: "delta", index: current.index, text };
  }

  function step(chunk: Json): Event[] {
    current = undefined;
    if (state === "failed" || !isObject(chunk)) return [];
    const at = numberOf(chunk.index) ?? 0;
    switch (chunk.type) {
      case "message_start":
        return message(toObject(chunk.message));
      case "content_block_start":
        return state === "running" ? start(at, toObject(chunk.content_block)) : [];
      case "content_block_delta":
        return state === "running" ? delta(at, toObject(chunk.delta)) : [];
      case "content_block_stop":
        return stop(at);
      case "message_delta":
        if (textOf(toObject(chunk.delta).stop_reason)) ending = toObject(chunk.delta);
        return counted(chunk.usage);
      case "message_stop":
        return finish(ending ?? { stop_reason: "end_turn" });
      case "ping":
        return [];
    }
    if (chunk.type === "error" || chunk.error) {
      state = "failed";
      return [{ type: "failure", failure: decodeFailure(0, chunk) }];
    }
    return [{ type: "opaque", protocol, value: chunk }];
  }

  return {
    step,
    words,
    end() {
      const events = finish(ending);
      return state === "running" ? [{ type: "failure", failure: truncated }] : events;
    },
  };
}
