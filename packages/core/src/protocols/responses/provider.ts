import { foreignIdTest } from "../../codec/call-ids.ts";
import type { ProviderCodec, Spelling } from "../../codec/provider-codec.ts";
import { isNested } from "../../family/flat-tools.ts";
import { type JsonObject, numberOf, pick, toArray, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import type { Wire } from "./schema.ts";

const ids: Spelling = { pattern: /^[!-~]+$/, max: 64 };

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids,
  freeform: true,
  schemaFormat: { objects: true },
  refuses(body, traits) {
    const { input, tools, tool_choice: choice } = body as JsonObject;
    if (toArray(tools).some(isNested) || isNested(choice)) return true;
    const isForeign = foreignIdTest(ids, traits);
    return isForeign !== undefined && toArray(input).some((item) => isForeign(toObject(item).call_id));
  },
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
