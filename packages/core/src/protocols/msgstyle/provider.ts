import { foreignIdTest } from "../../codec/call-ids.ts";
import type { ProviderCodec, Spelling } from "../../codec/provider-codec.ts";
import type { Traits } from "../../codec/traits.ts";
import { type JsonObject, numberOf, pick, toArray, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import type { Wire } from "./schema.ts";
import { withoutMembers } from "./without-members.ts";

const ids: Spelling = { pattern: /^[a-zA-Z0-9_-]+$/, max: 512 };

/** Whether a body has blocks that only servers of other models give: thoughts without a signature, calls of other ids. */
function hasForeign({ messages }: JsonObject, traits: Traits): boolean {
  const { thoughtSignatures = false } = traits;
  const isForeignId = foreignIdTest(ids, traits);
  if (!thoughtSignatures && !isForeignId) return false;
  return toArray(messages).some((message) =>
    toArray(toObject(message).content).some((block) => {
      const { type, signature, id } = toObject(block);
      if (type === "thinking") return thoughtSignatures && !signature;
      return type === "tool_use" && isForeignId?.(id) === true;
    }),
  );
}

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 128 },
  keys: { pattern: /^[a-zA-Z0-9_.-]+$/, max: 64 },
  ids,
  freeform: false,
  schemaFormat: { closed: true, prompted: "nothing" },
  modelPictures: () => false,
  refuses: (body, traits) => hasForeign(body as JsonObject, traits),
  respell: withoutMembers,
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
