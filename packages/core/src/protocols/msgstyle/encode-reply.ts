import type { Head, ReplyWriter } from "../../codec/caller-codec.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Citation, Event, Finish, Opening, Seal, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { WORDS, wordsWriter } from "../../stream/chunk-templates.ts";
import { sealedId, sealFor } from "../seal.ts";
import { toWireCitation } from "./citations.ts";
import { failureChunk } from "./encode-failure.ts";
import { writeFinish } from "./encode-finish.ts";
import { writeUsage } from "./encode-usage.ts";
import { protocol } from "./parts.ts";
import type { Chunk, Delta, ReplyBlock, WireCitation } from "./schema.ts";

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
 * The wire has one block open at a time and never opens one again. So the part that was opened first is written
 * as it arrives, and the events of the others wait for their turn.
 */
export function encodeReply(head: Head, lose: Lose): ReplyWriter<Chunk> {
  const slots = new Map<number, Slot>();
  const queue: Slot[] = [];
  let blocks = 0;
  /** The type of the block before. */
  let before: Opening["type"] | undefined;
  let opened = 0;
  let started = false;
  let refused = false;
  let failed = false;
  let usage: Usage | undefined;
  let finish: Finish | undefined;
  const lost = new Set<string>();
  const loseOnce = (path: string): void => {
    if (!lost.has(path)) lose(path, "unsupported");
    lost.add(path);
  };

  function start(): Chunk[] {
    if (started) return [];
    started = true;
    const { inputTokens = 0 } = head;
    const counts = {
      ...writeUsage(undefined, lose),
      input_tokens: inputTokens,
      inference_geo: null,
      service_tier: null,
    };
    return [
      {
        type: "message_start",
        message: {
          id: `msg_${head.id}`,
          type: "message",
          role: "assistant",
          model: head.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          container: null,
          diagnostics: null,
          // The true counts come at the end; some clients add the output counts of both the start and the end.
          usage: { ...counts, speed: null },
        },
      },
    ];
  }

  function open(event: Event & { type: "open" }): void {
    const { part, choice = 0 } = event;
    if (choice > 0) {
      loseOnce(`/choices/${choice}`);
      return;
    }
    const path = `/choices/0/parts/${opened++}`;
    if (part.type === "media" || (part.type === "opaque" && part.protocol !== protocol)) {
      loseOnce(path);
      return;
    }
    if (part.type === "text" && part.refusal) {
      refused = true;
      lose(`${path}/refusal`, "approximated", "became plain text");
    }
    if (part.type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    const slot: Slot = {
      part,
      path,
      text: "",
      citations: [],
      closed: false,
      begun: false,
      sealed: false,
      hasText: false,
    };
    slots.set(event.index, slot);
    queue.push(slot);
  }

  const begin = (slot: Slot, out: Chunk[], block: ReplyBlock): void => {
    slot.begun = true;
    const extra = slot.part.type === "opaque" ? {} : extraFor(protocol, slot.part.extra, lose, slot.path);
    out.push({ type: "content_block_start", index: blocks, content_block: { ...block, ...extra } });
  };

  const growth = (delta: Delta): Chunk => ({ type: "content_block_delta", index: blocks, delta });
  const add = (out: Chunk[], delta: Delta): void => void out.push(growth(delta));

  /** Writes what has arrived of the part at the head of the queue. */
  function pour(slot: Slot, out: Chunk[]): void {
    const { part, text, citations } = slot;
    slot.text = "";
    switch (part.type) {
      case "text":
        if (!slot.begun && (text !== "" || citations.length > 0))
          begin(slot, out, { type: "text", text: "", citations: null });
        if (text !== "") add(out, { type: "text_delta", text });
        slot.citations = [];
        for (const citation of citations)
          add(out, {
            type: "citations_delta",
            citation: toWireCitation(citation, `${slot.path}/citations`, lose) as WireCitation,
          });
        break;
      case "reasoning":
        if (part.redacted || text === "") break;
        if (!slot.begun) begin(slot, out, { type: "thinking", thinking: "", signature: "" });
        add(out, { type: "thinking_delta", thinking: text });
        break;
      case "call": {
        const seal = part.seal ?? slot.seal;
        const id = sealedId(protocol, part.id, seal);
        if (!slot.begun) {
          slot.sealed = id !== part.id;
          begin(slot, out, { type: "tool_use", id, name: part.name, input: {}, caller: { type: "direct" } });
        }
        if (text !== "") add(out, { type: "input_json_delta", partial_json: text });
        slot.hasText ||= text.trim() !== "";
        break;
      }
    }
  }

  function close(slot: Slot, out: Chunk[]): void {
    const { part } = slot;
    if (part.type === "reasoning") {
      const seal = slot.seal ?? part.seal;
      const signature = seal ? sealFor(protocol, seal) : "";
      if (part.redacted) begin(slot, out, { type: "redacted_thinking", data: signature });
      else if (!slot.begun && before === "text" && seal?.protocol === "genstyle")
        lose(`${slot.path}/seal`, "unsupported", "a signature of text, which the wire has no field for");
      else if (signature !== "") {
        if (!slot.begun) begin(slot, out, { type: "thinking", thinking: "", signature: "" });
        add(out, { type: "signature_delta", signature });
      }
    } else if (part.type === "call") {
      // Some clients parse what they collected: no arguments are an empty object.
      if (!slot.hasText) add(out, { type: "input_json_delta", partial_json: "{}" });
      if ((part.seal ?? slot.seal) && !slot.sealed) lose(`${slot.path}/seal`, "unsupported");
    } else if (part.type === "opaque") begin(slot, out, part.value as ReplyBlock);
    if (!slot.begun) return;
    out.push({ type: "content_block_stop", index: blocks });
    blocks += 1;
    before = part.type;
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
    const delta = writeFinish(end, refused, lose);
    out.push({ type: "message_delta", delta, usage: writeUsage(usage, lose) }, { type: "message_stop" });
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
        if (event.protocol === protocol) return [...start(), event.value as JsonObject as Chunk];
        return [];
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
      slot.writeWords ??= wordsWriter(growth({ type: "text_delta", text: WORDS }));
      return { json: slot.writeWords(text), event: "content_block_delta" };
    },
    step: (event) => (failed ? [] : step(event)),
    // Usage may follow the finish, so the last chunks wait for the end of the stream.
    end: () => (failed || !finish ? [] : ending(finish)),
  };
}
