import type { ReplyWriter } from "../codec/caller-codec.ts";
import type { Failure } from "../ir/failure.ts";
import type { Citation, Event, Finish, Opening, Seal, Usage } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { Protocol } from "../ir/part.ts";
import type { Json } from "../json/json.ts";
import { WORDS, wordsWriter } from "../stream/chunk-templates.ts";

/** A part of a reply that waits for its turn, or whose block is open. */
export interface Block {
  readonly part: Opening;
  readonly path: string;
  /** Its number among the blocks of the reply, once it is its turn. */
  index: number;
  /** What has arrived and is not written yet. */
  text: string;
  citations: Citation[];
  closed?: boolean;
  seal?: Seal;
  /** Its block has been started, and with it the seal of a call has been written. */
  begun?: boolean;
  sealed?: boolean;
  /** Something but white space has been written. */
  hasText?: boolean;
  /** The writer of the chunks of its text, once its block has been started. */
  writeWords?: (words: string) => string;
}

/** What a reply has been, for its last chunks. */
export interface Written {
  usage?: Usage;
  refused: boolean;
  /** It has called a function. */
  calls: boolean;
}

/** How a wire that has one block open at a time writes a reply. */
export interface BlockWire<Chunk extends object> {
  protocol: Protocol;
  /** The kinds of parts for which the wire has no block. */
  lacks: readonly Opening["type"][];
  start(): Chunk;
  /** Writes what has arrived of the part whose turn it is. */
  grow(block: Block, arrived: Pick<Block, "text" | "citations">, out: Chunk[]): void;
  /** Writes what a part has at its end. */
  close(block: Block, out: Chunk[]): void;
  stop(index: number): Chunk;
  end(finish: Finish, written: Written): Chunk[];
  failure(failure: Failure): Chunk;
  /** An event of the wire that the IR has no other name for. */
  opaque(value: Json): Chunk;
  /** The event name of the frames of text. */
  textEvent?: string;
}

/**
 * Writes a reply on a wire that has one block open at a time, and never opens one again. So the part that was opened
 * first is written as it arrives, and the events of the others wait for their turn.
 */
export function writeBlocks<Chunk extends object>(wire: BlockWire<Chunk>, lose: Lose): ReplyWriter<Chunk> {
  const open = new Map<number, Block>();
  const queue: Block[] = [];
  const written: Written = { refused: false, calls: false };
  let index = 0;
  let opened = 0;
  let started = false;
  let failed = false;
  let finish: Finish | undefined;
  const lost = new Set<string>();
  const loseOnce = (path: string): void => {
    if (!lost.has(path)) lose(path, "unsupported");
    lost.add(path);
  };

  function start(): Chunk[] {
    if (started) return [];
    started = true;
    return [wire.start()];
  }

  function openPart({ part, choice = 0, index: at }: Event & { type: "open" }): void {
    if (choice > 0) {
      loseOnce(`/choices/${choice}`);
      return;
    }
    const path = `/choices/0/parts/${opened++}`;
    if (wire.lacks.includes(part.type) || (part.type === "opaque" && part.protocol !== wire.protocol)) {
      loseOnce(path);
      return;
    }
    if (part.type === "text" && part.refusal) {
      written.refused = true;
      lose(`${path}/refusal`, "approximated", "became plain text");
    }
    if (part.type === "call") written.calls = true;
    if (part.type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    const block: Block = { part, path, index, text: "", citations: [] };
    open.set(at, block);
    queue.push(block);
  }

  function grow(block: Block, out: Chunk[]): void {
    const { text, citations } = block;
    block.index = index;
    block.text = "";
    block.citations = [];
    wire.grow(block, { text, citations }, out);
    if (block.part.type === "call") block.hasText ||= text.trim() !== "";
  }

  function close(block: Block, out: Chunk[]): void {
    const { part, path } = block;
    wire.close(block, out);
    if (part.type === "call" && (part.seal ?? block.seal) && !block.sealed)
      lose(`${path}/seal`, "unsupported");
    if (!block.begun) return;
    out.push(wire.stop(index));
    index += 1;
  }

  function flow(out: Chunk[] = []): Chunk[] {
    for (let block = queue[0]; block; block = queue[0]) {
      grow(block, out);
      if (!block.closed) break;
      close(block, out);
      queue.shift();
    }
    return out;
  }

  function step(event: Event): Chunk[] {
    switch (event.type) {
      case "start":
        return start();
      case "usage":
        written.usage = event.usage;
        return [];
      case "finish":
        if (event.choice) loseOnce(`/choices/${event.choice}`);
        else finish ??= event;
        return [];
      case "failure":
        failed = true;
        if (written.usage) lose("/usage", "unsupported", "a failed reply has no usage");
        return [...start(), wire.failure(event.failure)];
      case "opaque":
        return event.protocol === wire.protocol ? [...start(), wire.opaque(event.value)] : [];
      case "open":
        openPart(event);
        return flow(start());
    }
    const block = open.get(event.index);
    if (!block) return [];
    if (event.type === "delta") block.text += event.text;
    else if (event.type === "cite") block.citations.push(event.citation);
    else if (event.type === "close") {
      block.closed = true;
      if (event.seal) block.seal = event.seal;
      open.delete(event.index);
    } else {
      loseOnce(`${block.path}/logprobs`);
      return [];
    }
    return block === queue[0] ? flow() : [];
  }

  /** The chunk of more text of a block that has been started. */
  function sampleOf(block: Block): Chunk {
    const out: Chunk[] = [];
    wire.grow(block, { text: WORDS, citations: [] }, out);
    return out[0]!;
  }

  function end(last: Finish): Chunk[] {
    for (const block of queue) block.closed = true;
    return [...flow(start()), ...wire.end(last, written)];
  }

  return {
    words({ index: at, text }) {
      const block = failed || text === "" ? undefined : open.get(at);
      // A block that has been started is the first of the queue.
      if (!block?.begun || block.part.type !== "text") return undefined;
      block.writeWords ??= wordsWriter(sampleOf(block));
      const json = block.writeWords(text);
      return wire.textEvent === undefined ? { json } : { json, event: wire.textEvent };
    },
    step: (event) => (failed ? [] : step(event)),
    // Usage may follow the finish, so the last chunks wait for the end of the stream.
    end: () => (failed || !finish ? [] : end(finish)),
  };
}
