import type { Head, ReplyWriter } from "../../codec/caller-codec.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Opening } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, toObject } from "../../json/json.ts";
import { type Block, writeBlocks } from "../block-writer.ts";
import { sealedId, sealFor } from "../seal.ts";
import { toWireCitation } from "./citations.ts";
import { failureChunk } from "./encode-failure.ts";
import { writeUsage } from "./encode-usage.ts";
import { writeFinish } from "./finish.ts";
import { documentNamer, writeMedia } from "./media.ts";
import { blockOf, protocol } from "./parts.ts";
import type { Chunk } from "./schema.ts";

/** Blocks of text and of thoughts begin with their first delta. */
export function encodeReply(_head: Head, lose: Lose): ReplyWriter<Chunk> {
  const nameDocument = documentNamer();

  const begin = (block: Block, out: Chunk[], start: JsonObject): void => {
    block.begun = true;
    out.push({ contentBlockStart: { start, contentBlockIndex: block.index } });
  };
  const add = (block: Block, out: Chunk[], delta: JsonObject): void => {
    block.begun = true;
    out.push({ contentBlockDelta: { delta, contentBlockIndex: block.index } });
  };
  /** The fields of this wire of a part; the others are losses. */
  const fieldsOf = ({ part, path }: Block): JsonObject =>
    part.type === "opaque" ? {} : extraFor(protocol, part.extra, lose, path);
  /** Begins a block that needs no start, for the fields that only a start has room for. */
  const beginWith = (block: Block, out: Chunk[], kind: string, value: Json): void => {
    const fields = fieldsOf(block);
    if (Object.keys(fields).length > 0) begin(block, out, blockOf(kind, value, fields));
  };

  function closeThought(block: Block, part: Opening & { type: "reasoning" }, out: Chunk[]): void {
    const seal = block.seal ?? part.seal;
    if (!seal) return;
    if (!block.begun) beginWith(block, out, "reasoningContent", {});
    // The wire's field for what is withheld holds bytes.
    const sealed: JsonObject = part.redacted
      ? { redactedContent: sealFor(protocol, seal, true) }
      : { signature: sealFor(protocol, seal) };
    add(block, out, { reasoningContent: sealed });
  }

  return writeBlocks<Chunk>(
    {
      protocol,
      lacks: [],
      start: () => ({ messageStart: { role: "assistant" } }),
      grow(block, { text, citations }, out) {
        const { part, path } = block;
        if (part.type === "text") {
          if (!block.begun && (text !== "" || citations.length > 0)) beginWith(block, out, "text", "");
          if (text !== "") add(block, out, { text });
          for (const citation of citations)
            add(block, out, { citation: toWireCitation(citation, `${path}/citations`, lose) });
        } else if (part.type === "reasoning" && !part.redacted && text !== "") {
          if (!block.begun) beginWith(block, out, "reasoningContent", {});
          add(block, out, { reasoningContent: { text } });
        } else if (part.type === "call") {
          if (!block.begun) {
            const toolUseId = sealedId(protocol, part.id, part.seal ?? block.seal);
            block.sealed = toolUseId !== part.id;
            begin(block, out, blockOf("toolUse", { toolUseId, name: part.name }, fieldsOf(block)));
          }
          if (text !== "") add(block, out, { toolUse: { input: text } });
        }
      },
      close(block, out) {
        const { part, path } = block;
        if (part.type === "reasoning") closeThought(block, part, out);
        // Some clients parse what they collected: no arguments are an empty object.
        else if (part.type === "call" && !block.hasText) add(block, out, { toolUse: { input: "{}" } });
        else if (part.type === "media") {
          const media = writeMedia(part, path, { lose, nameDocument });
          if (media) begin(block, out, blockOf(part.kind, media, fieldsOf(block)));
        } else if (part.type === "opaque") begin(block, out, toObject(part.value));
      },
      stop: (contentBlockIndex) => ({ contentBlockStop: { contentBlockIndex } }),
      end(finish, { usage, ...written }) {
        const metadata = { usage: { ...writeUsage(usage, lose) }, metrics: { latencyMs: 0 } };
        return [{ messageStop: writeFinish(finish, written, lose) }, { metadata } as unknown as Chunk];
      },
      failure: failureChunk,
      opaque: toObject,
    },
    lose,
  );
}
