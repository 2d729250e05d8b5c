import type { Head, ReplyWriter } from "../../codec/caller-codec.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Citation, Event, Finish, Opening, Seal, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, toObject } from "../../json/json.ts";
import { WORDS, wordsWriter } from "../../stream/chunk-templates.ts";
import { sealedId, sealFor } from "../seal.ts";
import { toWireCitation } from "./citations.ts";
import { failureChunk } from "./encode-failure.ts";
import { writeUsage } from "./encode-usage.ts";
import { writeFinish } from "./finish.ts";
import { documentNamer, writeMedia } from "./media.ts";
import { blockOf, protocol } from "./parts.ts";
import type { Chunk } from "./schema.ts";

/** A part that waits for its turn, or whose block is open. */
interface Slot {
  part: Opening;
  path: string;
  /** The text that has arrived and is not written yet. */
  text: string;
  citations: Citation[];
  closed: boolean;
  seal?: Seal;
  /** Its block has been started, and with it the seal of a call has been written. */
  begun: boolean;
  sealed: boolean;
  /** Something but white space has been written. */
  hasText: boolean;
  /** The writer of the chunks of its text, once its block has been started. */
  writeWords?: (words: string) => string;
}

/**
 * The wire has one block open at a time. So the part that was opened first is written as it arrives, and the events of
 * the others wait for their turn. Blocks of text and of thoughts begin with their first delta.
 */
export function encodeReply(_head: Head, lose: Lose): ReplyWriter<Chunk> {
  const slots = new Map<number, Slot>();
  const queue: Slot[] = [];
  let blocks = 0;
  let opened = 0;
  let started = false;
  let refused = false;
  let calls = false;
  let failed = false;
  let usage: Usage | undefined;
  let finish: Finish | undefined;
  const nameDocument = documentNamer();
  const lost = new Set<string>();
  const loseOnce = (path: string): void => {
    if (!lost.has(path)) lose(path, "unsupported");
    lost.add(path);
  };

  function start(): Chunk[] {
    if (started) return [];
    started = true;
    return [{ messageStart: { role: "assistant" } }];
  }

  function open(event: Event & { type: "open" }): void {
    const { part, choice = 0 } = event;
    if (choice > 0) {
      loseOnce(`/choices/${choice}`);
      return;
    }
    const path = `/choices/0/parts/${opened++}`;
    if (part.type === "opaque" && part.protocol !== protocol) {
      loseOnce(path);
      return;
    }
    if (part.type === "text" && part.refusal) {
      refused = true;
      lose(`${path}/refusal`, "approximated", "became plain text");
    }
    if (part.type === "call") calls = true;
    if (part.type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    const waiting = { text: "", citations: [], closed: false, begun: false, sealed: false, hasText: false };
    const slot: Slot = { part, path, ...waiting };
    slots.set(event.index, slot);
    queue.push(slot);
  }

  const begin = (slot: Slot, out: Chunk[], block: JsonObject): void => {
    slot.begun = true;
    out.push({ contentBlockStart: { start: block, contentBlockIndex: blocks } });
  };
  const growth = (delta: JsonObject): Chunk => ({ contentBlockDelta: { delta, contentBlockIndex: blocks } });
  const add = (slot: Slot, out: Chunk[], delta: JsonObject): void => {
    slot.begun = true;
    out.push(growth(delta));
  };
  /** The fields of this wire of a part; the others are losses. */
  const fieldsOf = ({ part, path }: Slot): JsonObject =>
    part.type === "opaque" ? {} : extraFor(protocol, part.extra, lose, path);
  /** Begins a block that needs no start, for the fields that only a start has room for. */
  const beginWith = (slot: Slot, out: Chunk[], kind: string, value: Json): void => {
    const fields = fieldsOf(slot);
    if (Object.keys(fields).length > 0) begin(slot, out, blockOf(kind, value, fields));
  };

  /** Writes what has arrived of the part at the head of the queue. */
  function pour(slot: Slot, out: Chunk[]): void {
    const { part, text, citations } = slot;
    slot.text = "";
    slot.citations = [];
    if (part.type === "text") {
      if (!slot.begun && (text !== "" || citations.length > 0)) beginWith(slot, out, "text", "");
      if (text !== "") add(slot, out, { text });
      for (const citation of citations)
        add(slot, out, { citation: toWireCitation(citation, `${slot.path}/citations`, lose) });
    } else if (part.type === "reasoning" && !part.redacted && text !== "") {
      if (!slot.begun) beginWith(slot, out, "reasoningContent", {});
      add(slot, out, { reasoningContent: { text } });
    } else if (part.type === "call") {
      if (!slot.begun) {
        const toolUseId = sealedId(protocol, part.id, part.seal ?? slot.seal);
        slot.sealed = toolUseId !== part.id;
        begin(slot, out, blockOf("toolUse", { toolUseId, name: part.name }, fieldsOf(slot)));
      }
      if (text !== "") add(slot, out, { toolUse: { input: text } });
      slot.hasText ||= text.trim() !== "";
    }
  }

  function close(slot: Slot, out: Chunk[]): void {
    const { part, path } = slot;
    switch (part.type) {
      case "reasoning":
        closeThought(slot, part, out);
        break;
      case "call":
        // Some clients parse what they collected: no arguments are an empty object.
        if (!slot.hasText) add(slot, out, { toolUse: { input: "{}" } });
        if ((part.seal ?? slot.seal) && !slot.sealed) lose(`${path}/seal`, "unsupported");
        break;
      case "media": {
        const media = writeMedia(part, path, { lose, nameDocument });
        if (media) begin(slot, out, blockOf(part.kind, media, fieldsOf(slot)));
        break;
      }
      case "opaque":
        begin(slot, out, toObject(part.value));
        break;
    }
    if (!slot.begun) return;
    out.push({ contentBlockStop: { contentBlockIndex: blocks } });
    blocks += 1;
  }

  function closeThought(slot: Slot, part: Opening & { type: "reasoning" }, out: Chunk[]): void {
    const seal = slot.seal ?? part.seal;
    if (!seal) return;
    if (!slot.begun) beginWith(slot, out, "reasoningContent", {});
    // The wire's field for what is withheld holds bytes.
    const sealed: JsonObject = part.redacted
      ? { redactedContent: sealFor(protocol, seal, true) }
      : { signature: sealFor(protocol, seal) };
    add(slot, out, { reasoningContent: sealed });
  }

  function flow(out: Chunk[] = []): Chunk[] {
    for (let slot = queue[0]; slot; slot = queue[0]) {
      pour(slot, out);
      if (!slot.closed) break;
      close(slot, out);
      queue.shift();
    }
    return out;
  }

  function ending(end: Finish): Chunk[] {
    for (const slot of queue) slot.closed = true;
    const out = flow(start());
    const metadata = { usage: { ...writeUsage(usage, lose) }, metrics: { latencyMs: 0 } };
    out.push({ messageStop: writeFinish(end, { refused, calls }, lose) }, { metadata } as unknown as Chunk);
    return out;
  }

  function step(event: Event): Chunk[] {
    switch (event.type) {
      case "start":
        return start();
      case "usage":
        usage = event.usage;
        return [];
      case "finish":
        if (event.choice) loseOnce(`/choices/${event.choice}`);
        else finish ??= event;
        return [];
      case "failure":
        failed = true;
        if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
        return [...start(), failureChunk(event.failure)];
      case "opaque":
        return event.protocol === protocol ? [...start(), toObject(event.value)] : [];
      case "open":
        open(event);
        return flow(start());
    }
    const slot = slots.get(event.index);
    if (!slot) return [];
    if (event.type === "delta") slot.text += event.text;
    else if (event.type === "cite") slot.citations.push(event.citation);
    else if (event.type === "close") {
      slot.closed = true;
      if (event.seal) slot.seal = event.seal;
      slots.delete(event.index);
    } else {
      loseOnce(`${slot.path}/logprobs`);
      return [];
    }
    return slot === queue[0] ? flow() : [];
  }

  return {
    words({ index, text }) {
      const slot = failed || text === "" ? undefined : slots.get(index);
      // A slot whose block has been started is the first of the queue.
      if (!slot?.begun || slot.part.type !== "text") return undefined;
      slot.writeWords ??= wordsWriter(growth({ text: WORDS }));
      return { json: slot.writeWords(text) };
    },
    step: (event) => (failed ? [] : step(event)),
    // Usage may follow the finish, so the last chunks wait for the end of the stream.
    end: () => (failed || !finish ? [] : ending(finish)),
  };
}
