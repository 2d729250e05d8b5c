import type { ProviderCodec, Spelling } from "../../codec/provider-codec.ts";
import { type JsonObject, numberOf, pick, toArray, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import type { Wire } from "./schema.ts";

const ids: Spelling = { pattern: /^[a-zA-Z0-9_-]+$/, max: 512 };

/** Whether a block is one that only servers of other models give: a thought without a signature, a call of another id. */
function isForeign({ type, signature, id }: JsonObject): boolean {
  if (type === "thinking") return !signature;
  return type === "tool_use" && typeof id === "string" && !ids.pattern.test(id);
}

const hasForeign = ({ messages }: JsonObject): boolean =>
  toArray(messages).some((message) =>
    toArray(toObject(message).content).some((block) => isForeign(toObject(block))),
  );

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 128 },
  ids,
  freeform: false,
  modelPictures: () => false,
  refuses: (body, { thoughtSignatures = false }) => thoughtSignatures && hasForeign(body as JsonObject),
  defaults: { midSystem: "afterUser" },
  needsLimit: true,
  endpoint: () => "/messages",
  count: {
    endpoint: () => "/messages/count_tokens",
    // The endpoint refuses what only an answer needs.
    ask: (wire) =>
      pick(wire as JsonObject, [
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "thinking",
        "output_config",
        "mcp_servers",
      ]),
    read: ({ input_tokens }) => numberOf(input_tokens),
  },
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    burst,
    // Blocks begin and end seldom, and a call may come whole in its start.
    marks: [
      '"message_start"',
      '"content_block_start"',
      '"content_block_stop"',
      '"message_delta"',
      '"message_stop"',
      '"error"',
    ],
    model: [["model"], ["message", "model"]],
    content: ["text", "thinking", "partial_json"],
  },
  failure: { decode: decodeFailure },
};
