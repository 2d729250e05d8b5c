import type { Head, ReplyWriter } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { writeLogprob } from "../../family/logprobs.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CallPart, Citation, Event, Finish, Opening, ReasoningPart, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { WORDS, wordsWriter } from "../../stream/chunk-templates.ts";
import { sealedId } from "../seal.ts";
import { toAnnotation } from "./encode-citations.ts";
import { failureChunk } from "./encode-failure.ts";
import { writeUsage } from "./encode-usage.ts";
import { finishWord } from "./finish.ts";
import { mediaDelta } from "./generated-media.ts";
import type { Chunk, Delta, Logprobs, ReplyChunk } from "./schema.ts";
import { writeDetail } from "./thoughts.ts";

interface Choice {
  index: number;
  /** UTF-16 units of content written: where the next part's citations count from. */
  length: number;
  calls: number;
  details: number;
  parts: number;
  refused: boolean;
  finish?: Finish;
}

interface Part {
  choice: Choice;
  path: string;
  kind: "text" | "refusal" | "reasoning" | "call" | "custom" | "whole";
  /** The place in the content at which its text begins. */
  start: number;
  /** The position of a call among the calls. */
  position: number;
  blank: boolean;
  reasoning?: ReasoningPart;
  citations: Citation[];
  /** The writer of the chunks of its text. */
  writeWords?: (words: string) => string;
}

/** Writes the chunks of a reply. Its end is held back until the reply can no longer fail. */
export function encodeReply(head: Head, lose: Lose): ReplyWriter<Chunk> {
  const id = `chatcmpl-${head.id}`;
  const choices = new Map<number, Choice>();
  const parts = new Map<number, Part>();
  let usage: Usage | undefined;
  let failed = false;

  const chunk = (list: ReplyChunk["choices"]): ReplyChunk => ({
    id,
    object: "chat.completion.chunk",
    created: head.created,
    model: head.model,
    choices: list,
  });
  const say = (choice: Choice, delta: Delta, logprobs?: Logprobs): ReplyChunk =>
    chunk([{ index: choice.index, delta, finish_reason: null, ...(logprobs && { logprobs }) }]);

  /** The choice and, the first time, the chunk that opens it: clients want the role once, before anything. */
  const enter = (index: number, spoken: boolean): { choice: Choice; opening: ReplyChunk[] } => {
    const known = choices.get(index);
    if (known) return { choice: known, opening: [] };
    const choice: Choice = { index, length: 0, calls: 0, details: 0, parts: 0, refused: false };
    choices.set(index, choice);
    const delta: Delta = { role: "assistant", content: spoken ? "" : null, refusal: null };
    return { choice, opening: [say(choice, delta)] };
  };

  const open = ({ part, index, choice: which = 0 }: Extract<Event, { type: "open" }>): ReplyChunk[] => {
    const { choice, opening } = enter(which, part.type === "text" && !part.refusal);
    const path = `/choices/${which}/parts/${choice.parts++}`;
    const extra = part.type === "opaque" ? {} : extraFor("chatstyle", part.extra, lose, path);
    const state: Part = {
      choice,
      path,
      kind: kindOf(part),
      start: choice.length,
      position: 0,
      blank: true,
      citations: [],
    };
    parts.set(index, state);
    if (part.type === "reasoning") state.reasoning = { ...part, text: "" };
    if (part.type === "text" && part.refusal) choice.refused = true;
    if (part.type === "call") {
      state.position = choice.calls++;
      // An id only carries what another wire has sealed.
      if (part.seal?.protocol === "chatstyle") lose(`${path}/seal`, "unsupported");
      opening.push(say(choice, { tool_calls: [openCall(part, state.position, extra)] }));
    }
    if (part.type === "media") {
      const delta = mediaDelta(part, head.id, extra);
      if (delta && part.name !== undefined) lose(`${path}/name`, "unsupported");
      if (delta && part.detail !== undefined) lose(`${path}/detail`, "unsupported");
      if (delta) opening.push(say(choice, delta));
      else lose(path, "unsupported");
    }
    if (part.type === "opaque") lose(path, "unsupported");
    return opening;
  };

  const write = (part: Part, text: string): ReplyChunk[] => {
    if (text === "") return [];
    if (part.blank && text.trim() !== "") part.blank = false;
    switch (part.kind) {
      case "text":
        part.choice.length += text.length;
        return [say(part.choice, { content: text })];
      case "refusal":
        return [say(part.choice, { refusal: text })];
      case "reasoning":
        if (part.reasoning) part.reasoning.text += text;
        return [say(part.choice, { reasoning_content: text })];
      case "call":
        return [say(part.choice, { tool_calls: [{ index: part.position, function: { arguments: text } }] })];
      case "custom":
        return [say(part.choice, { tool_calls: [{ index: part.position, custom: { input: text } }] })];
      case "whole":
        return [];
    }
  };

  const close = (part: Part, { seal }: Extract<Event, { type: "close" }>): ReplyChunk[] => {
    // The id that carries a call's seal is already out.
    if (seal && !part.reasoning) lose(`${part.path}/seal`, "unsupported");
    // Clients parse the arguments: none of them is an empty object.
    if (part.kind === "call" && part.blank) return write(part, "{}");
    if (part.reasoning) {
      const whole = seal ? { ...part.reasoning, seal } : part.reasoning;
      // A thought behind an entry of the list is in the list too, so that the order is kept.
      if (!whole.seal && part.choice.details === 0) return [];
      return [say(part.choice, { reasoning_details: [writeDetail(whole, part.choice.details++)] })];
    }
    const annotations = part.citations.flatMap((citation, i) => {
      const written = toAnnotation(citation, part.start, part.choice.length);
      if (!written) lose(`${part.path}/citations/${i}`, "unsupported");
      return written ?? [];
    });
    return annotations.length > 0 ? [say(part.choice, { annotations })] : [];
  };

  const finishing = (choice: Choice): ReplyChunk | undefined => {
    const { finish, index, refused } = choice;
    if (!finish) return undefined;
    const facts = { called: choice.calls > 0, refused, empty: choice.parts === 0 };
    const word = finishWord(finish, facts, `/choices/${index}/finish`, lose);
    return chunk([{ index, delta: {}, finish_reason: word }]);
  };

  return {
    words({ index, text }) {
      const part = failed || text === "" ? undefined : parts.get(index);
      if (part?.kind !== "text") return undefined;
      part.choice.length += text.length;
      part.writeWords ??= wordsWriter(say(part.choice, { content: WORDS }));
      return { json: part.writeWords(text) };
    },
    step(event) {
      if (failed) return [];
      switch (event.type) {
        case "open":
          return open(event);
        case "delta": {
          const part = parts.get(event.index);
          return part ? write(part, event.text) : [];
        }
        case "cite":
          parts.get(event.index)?.citations.push(event.citation);
          return [];
        case "logprobs": {
          const part = parts.get(event.index);
          if (!part) return [];
          const tokens = event.tokens.map((token) => writeLogprob(token, null));
          const refusal = part.kind === "refusal";
          return [
            say(part.choice, {}, { content: refusal ? null : tokens, refusal: refusal ? tokens : null }),
          ];
        }
        case "close": {
          const part = parts.get(event.index);
          parts.delete(event.index);
          return part ? close(part, event) : [];
        }
        case "usage":
          usage = event.usage;
          return [];
        case "finish": {
          const { type: _, choice: which = 0, ...finish } = event;
          const { choice, opening } = enter(which, true);
          choice.finish = finish;
          return opening;
        }
        case "failure":
          failed = true;
          if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
          return [head.serviceForm ? { error: event.failure.message } : failureChunk(event.failure)];
        default:
          return [];
      }
    },
    end() {
      if (failed) return [];
      const last = [...choices.values()]
        .sort((a, b) => a.index - b.index)
        .flatMap((one) => finishing(one) ?? []);
      if (last.length === 0) return [];
      const counted = usage ? [{ ...chunk([]), usage: writeUsage(usage, lose) }] : [];
      return [...last, ...counted, DONE];
    },
  };
}

function kindOf(part: Opening): Part["kind"] {
  switch (part.type) {
    case "text":
      return part.refusal ? "refusal" : "text";
    case "call":
      return part.freeform ? "custom" : "call";
    case "reasoning":
      return "reasoning";
    default:
      return "whole";
  }
}

function openCall(part: Omit<CallPart, "arguments" | "cache">, index: number, extra: JsonObject) {
  const { name, seal } = part;
  const call = { ...extra, index, id: sealedId("chatstyle", part.id, seal) };
  return part.freeform
    ? { ...call, type: "custom" as const, custom: { name, input: "" } }
    : { ...call, type: "function" as const, function: { name, arguments: "" } };
}
