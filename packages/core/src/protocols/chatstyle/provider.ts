import type { ProviderCodec } from "../../codec/provider-codec.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import { respellThinking } from "./respell-thinking.ts";
import type { Wire } from "./schema.ts";
import { summarize } from "./summary.ts";

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 40 },
  freeform: true,
  modelPictures: ({ extensions = [] }) => extensions.includes("images"),
  respell: respellThinking,
  // The older spellings: each server of this wire takes them, the newer ones only a few.
  defaults: {
    developer: false,
    freeform: false,
    toolSets: false,
    resultTexts: false,
    maxTokensField: "max_tokens",
  },
  endpoint: () => "/chat/completions",
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    summary: summarize,
    burst,
    // Most chunks say that they hold no usage and no end: only a count or a word in those members is one.
    marks: ['_tokens"', '"finish_reason":"', '"finish_reason": "', '"error"'],
    model: [["model"]],
    content: ["content", "refusal", "reasoning_content", "reasoning", "arguments", "input"],
  },
  failure: { decode: decodeFailure },
};
