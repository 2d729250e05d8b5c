import type { ProviderCodec } from "../../codec/provider-codec.ts";
import { type JsonObject, numberOf, pick } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import type { Wire } from "./schema.ts";

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 64 },
  freeform: true,
  endpoint: () => "/responses",
  count: {
    endpoint: () => "/responses/input_tokens",
    ask: (wire) =>
      pick(wire as JsonObject, [
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "text",
        "reasoning",
      ]),
    read: ({ input_tokens }) => numberOf(input_tokens),
  },
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    burst,
    marks: ["response.completed", "response.incomplete", "response.failed", "response.cancelled", '"error"'],
    model: [["model"], ["response", "model"]],
    content: ["delta"],
    repeats: true,
  },
  failure: { decode: decodeFailure },
};
