import type { Head } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import type { Machine } from "../../codec/machine.ts";
import { codeOf } from "../../family/encode-failure.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Event, Finish, FinishReason, Opening, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { writeUsage } from "./encode-usage.ts";
import {
  type MessageWriter,
  type Sink,
  type Writer,
  writeCall,
  writeMedia,
  writeMessage,
  writeOpaque,
  writeReasoning,
} from "./item-writers.ts";
import { unwrapContent } from "./items.ts";
import { wireFieldsOf } from "./parts.ts";
import type { Body, Chunk, Item, ReplyChunk } from "./schema.ts";
import { openSnapshot } from "./snapshot.ts";
import { namespaceOf } from "./tools.ts";

/** Writes the chunks of a reply. Its end is held back until the reply can no longer fail. */
export function encodeReply(head: Head, lose: Lose): Machine<Event, Chunk> {
  const output: Item[] = [];
  const writers = new Map<number, Writer>();
  /** Parts of the other choices, which the wire has no place for. */
  const ignored = new Set<number>();
  let chunks: ReplyChunk[] = [];
  let sequence = 0;
  let snapshot: Body | undefined;
  let message: MessageWriter | undefined;
  let spoken = 0;
  let called = false;
  let refused = false;
  let usage: Usage | undefined;
  let finish: Finish | undefined;
  let failed = false;

  const sink: Sink = {
    id: head.id,
    lose,
    emit(chunk) {
      chunks.push({ ...chunk, sequence_number: sequence++ } as ReplyChunk);
    },
    next: () => output.length,
    add(item) {
      // A message ends where another item begins, once its parts are complete.
      if (message?.open() === 0) endMessage();
      const place = output.push(item) - 1;
      sink.emit({ type: "response.output_item.added", output_index: place, item });
      return place;
    },
    done(place, item) {
      output[place] = item;
      sink.emit({ type: "response.output_item.done", output_index: place, item });
    },
    namespace(name) {
      const tool = head.request?.tools?.find((one) => one.type === "function" && one.name === name);
      return tool?.type === "function" ? namespaceOf(tool) : undefined;
    },
  };
  const endMessage = (status: "completed" | "incomplete" = "completed"): void => {
    const ending = message;
    message = undefined;
    ending?.end(status);
  };
  const begin = (): Body => {
    if (snapshot) return snapshot;
    snapshot = openSnapshot(head);
    sink.emit({ type: "response.created", response: snapshot });
    sink.emit({ type: "response.in_progress", response: snapshot });
    return snapshot;
  };
  /** The message that a text goes into: the last item, where that is one and the text does not bring its own. */
  const messageFor = (fields: JsonObject | undefined): MessageWriter => {
    if (message && !fields && message.place === output.length - 1) return message;
    if (message?.open() === 0) endMessage();
    const fresh: MessageWriter = writeMessage(sink, fields ?? {}, () => {
      if (message !== fresh) fresh.end("completed");
    });
    message = fresh;
    return fresh;
  };
  const open = (part: Opening, path: string): Writer | undefined => {
    if (part.type !== "opaque") extraFor("responses", part.extra, lose, path);
    switch (part.type) {
      case "text": {
        if (part.refusal) refused = true;
        const { item } = wireFieldsOf(part);
        return messageFor(item === undefined ? undefined : toObject(item)).part(part, path);
      }
      case "reasoning":
        return writeReasoning(part, path, sink);
      case "call":
        called = true;
        return writeCall(part, path, sink);
      case "media":
        writeMedia(part, path, sink);
        return undefined;
      case "opaque": {
        const inner = unwrapContent(part);
        if (inner) messageFor(undefined).raw(inner);
        else if (part.protocol === "responses") writeOpaque(toObject(part.value), sink);
        else {
          // A part between two texts keeps them separate, even when it is not written.
          if (message?.open() === 0) endMessage();
          lose(path, "unsupported", `something that only ${part.protocol} knows`);
        }
        return undefined;
      }
    }
  };
  const closeAll = (status: "completed" | "incomplete"): void => {
    for (const [index, writer] of writers) writer.close({ type: "close", index });
    writers.clear();
    endMessage(status);
  };

  const step = (event: Event): void => {
    switch (event.type) {
      case "start":
        begin();
        return;
      case "open": {
        begin();
        if ((event.choice ?? 0) > 0) {
          ignored.add(event.index);
          lose(`/choices/${event.choice}`, "unsupported", "the wire has one alternative");
          return;
        }
        const writer = open(event.part, `/choices/0/parts/${spoken++}`);
        if (writer) writers.set(event.index, writer);
        return;
      }
      case "delta":
        if (event.text !== "") writers.get(event.index)?.text(event.text);
        return;
      case "cite":
        writers.get(event.index)?.cite?.(event.citation);
        return;
      case "logprobs":
        writers.get(event.index)?.tokens?.(event.tokens);
        return;
      case "close": {
        const writer = writers.get(event.index);
        writers.delete(event.index);
        writer?.close(event);
        return;
      }
      case "usage":
        usage = event.usage;
        return;
      case "finish": {
        const { type: _, choice, ...reason } = event;
        begin();
        if ((choice ?? 0) > 0) return;
        finish = reason;
        closeAll(cutBy(reason, refused) ? "incomplete" : "completed");
        return;
      }
      case "failure": {
        failed = true;
        if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
        const { message: text, param = null } = event.failure;
        const code = codeOf(event.failure);
        sink.emit({ type: "error", code, message: text, param });
        // Some clients look at the response only, and others at the error.
        const response = snapshot ?? openSnapshot(head);
        const whole = output.filter(({ status }) => status !== "in_progress");
        sink.emit({
          type: "response.failed",
          response: { ...response, status: "failed", error: { code, message: text }, output: whole },
        });
        return;
      }
      default:
    }
  };
  const flush = (): ReplyChunk[] => {
    const out = chunks;
    chunks = [];
    return out;
  };
  return {
    step(event) {
      if (failed) return [];
      step(event);
      return flush();
    },
    end() {
      if (failed || !finish) return [];
      const cut = cutBy(finish, refused);
      closeAll(cut ? "incomplete" : "completed");
      loseFinish(finish, readBack(cut, called, refused), lose);
      const response: Body = {
        ...begin(),
        status: cut ? "incomplete" : "completed",
        incomplete_details: cut ? { reason: cut } : null,
        output,
        usage: usage ? writeUsage(usage, lose) : null,
      };
      sink.emit({ type: cut ? "response.incomplete" : "response.completed", response });
      return [...flush(), DONE];
    },
  };
}

/** The reason why the reply was cut short, in the wire's words. */
function cutBy({ reason }: Finish, refused: boolean): "max_output_tokens" | "content_filter" | undefined {
  switch (reason) {
    case "length":
    case "context_overflow":
      return "max_output_tokens";
    case "content_filter":
      return "content_filter";
    case "refusal":
      // A refusal with a part of its own ends like any answer on this wire.
      return refused ? undefined : "content_filter";
    default:
      return undefined;
  }
}

/** The end that is read from what is written. */
function readBack(cut: ReturnType<typeof cutBy>, called: boolean, refused: boolean): FinishReason {
  if (cut) return cut === "content_filter" ? cut : "length";
  return called ? "tool_calls" : refused ? "refusal" : "stop";
}

function loseFinish({ reason, sequence, note }: Finish, decoded: FinishReason, lose: Lose): void {
  if (decoded !== reason) lose("/choices/0/finish/reason", "approximated", `became ${decoded}`);
  if (sequence !== undefined) lose("/choices/0/finish/sequence", "unsupported");
  if (note !== undefined) lose("/choices/0/finish/note", "unsupported");
}
