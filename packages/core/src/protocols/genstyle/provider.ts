import type { ProviderCodec } from "../../codec/provider-codec.ts";
import { type JsonObject, numberOf } from "../../json/json.ts";
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
  names: { pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, max: 128 },
  ids: { pattern: /^[!-~]+$/, max: 256 },
  freeform: false,
  endpoint: (model, stream) =>
    `/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  count: {
    endpoint: (model) => `/models/${model}:countTokens`,
    ask: (wire, model) => ({
      generateContentRequest: { ...(wire as JsonObject), model: `models/${model}` },
    }),
    read: ({ totalTokens }) => numberOf(totalTokens),
  },
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    burst,
    // Calls decide what the end means, so chunks with calls are parsed too.
    marks: ['"usageMetadata"', '"finishReason"', '"promptFeedback"', '"functionCall"', '"error"'],
    model: [["modelVersion"]],
    content: ["text"],
  },
  failure: { decode: decodeFailure },
};
