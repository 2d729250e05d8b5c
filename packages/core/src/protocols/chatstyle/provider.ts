import type { ProviderCodec } from "../../codec/provider-codec.ts";
import { type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import { respellThinking } from "./respell-thinking.ts";
import type { Wire } from "./schema.ts";
import { summarize } from "./summary.ts";

/** Whether a turn of the model has a call with an id of another model. */
const hasForeignIds = ({ messages }: JsonObject, length: number): boolean =>
  toArray(messages).some((message) =>
    toArray(toObject(message).tool_calls).some((call) => {
      const id = toText(toObject(call).id);
      return id.length !== length || /[^a-zA-Z0-9]/.test(id);
    }),
  );

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 40 },
  freeform: true,
  modelPictures: ({ extensions = [] }) => extensions.includes("images"),
  refuses: (body, { callIdLength: length }) =>
    length !== undefined && hasForeignIds(body as JsonObject, length),
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
    marks: ['_tokens"', '"finish_reason":"', '"finish_reason": "', '"error"', '"base_resp"'],
    model: [["model"]],
    content: ["content", "refusal", "reasoning_content", "reasoning", "arguments", "input"],
  },
  failure: { decode: decodeFailure },
};
