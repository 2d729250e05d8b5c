import { foreignIdTest } from "../../codec/call-ids.ts";
import type { ProviderCodec, Spelling } from "../../codec/provider-codec.ts";
import { isFlat } from "../../family/flat-tools.ts";
import { type JsonObject, toArray, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import { addThoughts } from "./required-thoughts.ts";
import { respellThinking } from "./respell-thinking.ts";
import type { Wire } from "./schema.ts";
import { summarize } from "./summary.ts";
import { plainReasoning } from "./thoughts.ts";

const ids: Spelling = { pattern: /^[!-~]+$/, max: 40 };

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids,
  freeform: true,
  schemaFormat: { objects: true, prompted: "json" },
  modelPictures: ({ extensions = [] }) => extensions.includes("images"),
  refuses(body, traits) {
    const { messages, tools, tool_choice: choice } = body as JsonObject;
    if (toArray(tools).some(isFlat) || (choice !== undefined && isFlat(choice))) return true;
    const isForeign = foreignIdTest(ids, traits);
    if (!isForeign) return false;
    return toArray(messages).some((message) =>
      toArray(toObject(message).tool_calls).some((call) => isForeign(toObject(call).id)),
    );
  },
  respell: (body, traits, lose) => ({ ...respellThinking(body, traits, lose), ...addThoughts(body, traits) }),
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
    marks: ['_tokens"', '"finish_reason":"', '"finish_reason": "', '"error"', '"base_resp"'],
    model: [["model"]],
    content: ["content", "refusal", ...plainReasoning, "arguments", "input"],
  },
  failure: { decode: decodeFailure },
};
