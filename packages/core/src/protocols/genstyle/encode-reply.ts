import type { Head } from "../../codec/caller-codec.ts";
import { chain, type Machine } from "../../codec/machine.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Citation, Event, Finish, Opening, Seal, TokenLogprob, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject } from "../../json/json.ts";
import { toArguments } from "../arguments.ts";
import { sealFor } from "../seal.ts";
import { type Cited, writeGrounding, writeLogprobs } from "./encode-citations.ts";
import { writeFailure } from "./encode-failure.ts";
import { writeUsage } from "./encode-usage.ts";
import { finishWord } from "./finish.ts";
import { writeMedia } from "./media.ts";
import { inOrder } from "./part-order.ts";
import { fill, protocol } from "./parts.ts";
import type { Chunk, ReplyCandidate, ReplyPart, Response } from "./schema.ts";

/** Texts that follow each other are one text on this wire; evidence counts from its start. */
interface Run {
  text: string;
  cited: Cited[];
}

interface Choice {
  index: number;
  parts: number;
  called: boolean;
  run: Run;
  tokens: TokenLogprob[];
  finish?: Finish;
}

interface Part {
  choice: Choice;
  path: string;
  opening: Opening;
  /** Arguments of a call, which are whole on this wire. */
  args: string;
  /** The place in the run at which it begins. */
  start: number;
  length: number;
  citations: Citation[];
}

/** Writes the chunks of a reply. The last one has the finish and the usage. */
export const encodeReply = (head: Head, lose: Lose): Machine<Event, Chunk> =>
  chain(inOrder(), writeReply(head, lose));

/** Writes parts that come one after another. */
function writeReply(head: Head, lose: Lose): Machine<Event, Chunk> {
  const choices = new Map<number, Choice>();
  const parts = new Map<number, Part>();
  let usage: Usage | undefined;
  let failed = false;

  const chunk = (candidates: ReplyCandidate[]): Response => ({
    candidates,
    modelVersion: head.model,
    responseId: head.id,
  });

  /** A candidate with what is due beside its parts. Chats keep only replies whose every chunk has a part. */
  const candidate = (choice: Choice, replyParts: ReplyPart[], evidence = false): ReplyCandidate => {
    const { index, tokens, run } = choice;
    choice.tokens = [];
    const grounding = evidence ? writeGrounding(run.text, run.cited, lose) : undefined;
    return {
      content: { role: "model", parts: replyParts.length > 0 ? replyParts : [{ text: "" }] },
      index,
      ...(grounding && { groundingMetadata: grounding }),
      ...(tokens.length > 0 && { logprobsResult: writeLogprobs(tokens) }),
    };
  };

  const say = (choice: Choice, part: ReplyPart): Chunk[] => [chunk([candidate(choice, [part])])];

  /** Ends the run because something other than text follows; writes first what belongs to the run. */
  const turn = (choice: Choice): Chunk[] => {
    const due = choice.run.cited.length > 0 || choice.tokens.length > 0;
    const out = due ? [chunk([candidate(choice, [], true)])] : [];
    choice.run = { text: "", cited: [] };
    return out;
  };

  const enter = (index: number): Choice => {
    const known = choices.get(index);
    if (known) return known;
    const run = { text: "", cited: [] };
    const choice: Choice = { index, parts: 0, called: false, run, tokens: [] };
    choices.set(index, choice);
    return choice;
  };

  const open = ({ index, part, choice: which = 0 }: Extract<Event, { type: "open" }>): Chunk[] => {
    const choice = enter(which);
    const path = `/choices/${which}/parts/${choice.parts++}`;
    parts.set(index, {
      choice,
      path,
      opening: part,
      args: "",
      start: choice.run.text.length,
      length: 0,
      citations: [],
    });
    if (part.type === "text" && part.refusal) lose(`${path}/refusal`, "approximated", "became plain text");
    if (part.type === "call") choice.called = true;
    if (part.type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    if (part.type === "media") {
      const written = writeMedia(part, path, { lose, traits: {} });
      return written ? [...turn(choice), ...say(choice, written)] : [];
    }
    if (part.type !== "opaque") return [];
    if (part.protocol === protocol && isObject(part.value))
      return [...turn(choice), ...say(choice, part.value)];
    lose(path, "unsupported", "a part that only another protocol knows");
    return [];
  };

  const extraOf = (part: Part): JsonObject => {
    const { opening, path } = part;
    return opening.type === "opaque" ? {} : extraFor(protocol, opening.extra, lose, path);
  };

  const delta = (part: Part, text: string): Chunk[] => {
    if (text === "") return [];
    const { choice, opening } = part;
    const extra = part.length === 0 && opening.type !== "call" ? extraOf(part) : {};
    part.length += text.length;
    if (opening.type === "text") {
      choice.run.text += text;
      return say(choice, { text, ...extra });
    }
    if (opening.type === "reasoning")
      return [...turn(choice), ...say(choice, { text, thought: true, ...extra })];
    if (opening.type === "call") part.args += text;
    return [];
  };

  const close = (part: Part, closing: Seal | undefined): Chunk[] => {
    const { choice, opening, start, length, path } = part;
    if (opening.type === "text") {
      part.citations.forEach((citation, i) => {
        const [from, to] = [citation.start ?? 0, citation.end ?? length];
        choice.run.cited.push({
          citation,
          start: start + from,
          end: start + to,
          path: `${path}/citations/${i}`,
        });
      });
      return [];
    }
    if (opening.type !== "reasoning" && opening.type !== "call") return [];
    const seal = closing ?? opening.seal;
    const signature: JsonObject = seal ? { thoughtSignature: sealFor(protocol, seal) } : {};
    if (opening.type === "call") {
      const { id, name } = opening;
      const call: JsonObject = {
        functionCall: { id, name, args: toArguments(part.args, path, lose) },
        ...signature,
      };
      return [...turn(choice), ...say(choice, fill(call, extraOf(part)))];
    }
    if (!seal) return [];
    // Own signatures of texts stand alone; others travel as thoughts, which every client keeps.
    if (length === 0 && seal.protocol === protocol)
      return [...turn(choice), ...say(choice, { text: "", ...signature })];
    const text = opening.redacted ? {} : { text: "" };
    return [...turn(choice), ...say(choice, { ...text, thought: true, ...signature })];
  };

  return {
    step(event) {
      if (failed) return [];
      switch (event.type) {
        case "open":
          return open(event);
        case "delta": {
          const part = parts.get(event.index);
          return part ? delta(part, event.text) : [];
        }
        case "cite":
          parts.get(event.index)?.citations.push(event.citation);
          return [];
        case "logprobs":
          // Pushed one by one: a whole reply may have more tokens than a function call takes arguments.
          for (const token of event.tokens) parts.get(event.index)?.choice.tokens.push(token);
          return [];
        case "close": {
          const part = parts.get(event.index);
          parts.delete(event.index);
          return part ? close(part, event.seal) : [];
        }
        case "usage":
          usage = event.usage;
          return [];
        case "finish": {
          const { type: _, choice: which = 0, ...finish } = event;
          enter(which).finish = finish;
          return [];
        }
        case "failure":
          failed = true;
          if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
          return [writeFailure(event.failure)];
        default:
          return [];
      }
    },
    end() {
      if (failed) return [];
      const last = [...choices.values()]
        .sort((a, b) => a.index - b.index)
        .flatMap((choice): ReplyCandidate[] => {
          const { finish, index, called } = choice;
          if (!finish) return [];
          const finishReason = finishWord(finish, called, `/choices/${index}/finish`, lose);
          const { note } = finish;
          return [{ ...candidate(choice, [], true), finishReason, ...(note && { finishMessage: note }) }];
        });
      if (last.length === 0) return [];
      return [{ ...chunk(last), ...(usage && { usageMetadata: writeUsage(usage, lose) }) }];
    },
  };
}
