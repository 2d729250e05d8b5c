import type { Head, ReplyWriter } from "../../codec/caller-codec.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Opening } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { type Block, writeBlocks } from "../block-writer.ts";
import { sealedId, sealFor } from "../seal.ts";
import { toWireCitation } from "./citations.ts";
import { failureChunk } from "./encode-failure.ts";
import { writeFinish } from "./encode-finish.ts";
import { writeUsage } from "./encode-usage.ts";
import { protocol } from "./parts.ts";
import type { Chunk, Delta, ReplyBlock, WireCitation } from "./schema.ts";

const growth = (index: number, delta: Delta): Chunk => ({ type: "content_block_delta", index, delta });

export function encodeReply(head: Head, lose: Lose): ReplyWriter<Chunk> {
  /** The type of the block before. */
  let before: Opening["type"] | undefined;

  const begin = (block: Block, out: Chunk[], start: ReplyBlock): void => {
    const { part, path, index } = block;
    block.begun = true;
    const extra = part.type === "opaque" ? {} : extraFor(protocol, part.extra, lose, path);
    out.push({ type: "content_block_start", index, content_block: { ...start, ...extra } });
  };
  const beginThought = (block: Block, out: Chunk[]): void =>
    begin(block, out, { type: "thinking", thinking: "", signature: "" });

  function closeThought(block: Block, part: Opening & { type: "reasoning" }, out: Chunk[]): void {
    const seal = block.seal ?? part.seal;
    const signature = seal ? sealFor(protocol, seal) : "";
    if (part.redacted) begin(block, out, { type: "redacted_thinking", data: signature });
    else if (!block.begun && before === "text" && seal?.protocol === "genstyle")
      lose(`${block.path}/seal`, "unsupported", "a signature of text, which the wire has no field for");
    else if (signature !== "") {
      if (!block.begun) beginThought(block, out);
      out.push(growth(block.index, { type: "signature_delta", signature }));
    }
  }

  return writeBlocks<Chunk>(
    {
      protocol,
      lacks: ["media"],
      start: () => startChunk(head, lose),
      grow(block, { text, citations }, out) {
        const { part, path, index } = block;
        switch (part.type) {
          case "text":
            if (!block.begun && (text !== "" || citations.length > 0))
              begin(block, out, { type: "text", text: "", citations: null });
            if (text !== "") out.push(growth(index, { type: "text_delta", text }));
            for (const one of citations) {
              const citation = toWireCitation(one, `${path}/citations`, lose) as WireCitation;
              out.push(growth(index, { type: "citations_delta", citation }));
            }
            break;
          case "reasoning":
            if (part.redacted || text === "") break;
            if (!block.begun) beginThought(block, out);
            out.push(growth(index, { type: "thinking_delta", thinking: text }));
            break;
          case "call":
            if (!block.begun) {
              const id = sealedId(protocol, part.id, part.seal ?? block.seal);
              block.sealed = id !== part.id;
              begin(block, out, {
                type: "tool_use",
                id,
                name: part.name,
                input: {},
                caller: { type: "direct" },
              });
            }
            if (text !== "") out.push(growth(index, { type: "input_json_delta", partial_json: text }));
            break;
        }
      },
      close(block, out) {
        const { part, index } = block;
        if (part.type === "reasoning") closeThought(block, part, out);
        // Some clients parse what they collected: no arguments are an empty object.
        else if (part.type === "call" && !block.hasText)
          out.push(growth(index, { type: "input_json_delta", partial_json: "{}" }));
        else if (part.type === "opaque") begin(block, out, part.value as ReplyBlock);
        if (block.begun) before = part.type;
      },
      stop: (index) => ({ type: "content_block_stop", index }),
      end: (finish, { usage, refused }) => [
        {
          type: "message_delta",
          delta: writeFinish(finish, refused, lose),
          usage: writeUsage(usage, lose),
        },
        { type: "message_stop" },
      ],
      failure: failureChunk,
      opaque: (value) => value as JsonObject as Chunk,
      textEvent: "content_block_delta",
    },
    lose,
  );
}

function startChunk({ id, model, inputTokens = 0 }: Head, lose: Lose): Chunk {
  const counts = {
    ...writeUsage(undefined, lose),
    input_tokens: inputTokens,
    inference_geo: null,
    service_tier: null,
  };
  return {
    type: "message_start",
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      // The true counts come at the end; some clients add the output counts of both the start and the end.
      usage: { ...counts, speed: null },
    },
  };
}
