import type { ProviderCodec } from "../../codec/provider-codec.ts";
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
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  freeform: false,
  modelPictures: () => false,
  // Most models behind the wire refuse what a few take, which have rows of their own.
  defaults: {
    midSystem: false,
    format: false,
    forcedChoice: false,
    choiceOfNone: false,
    resultMedia: ["image"],
    cacheMarks: false,
  },
  endpoint: (model, stream) => `/model/${model}/${stream ? "converse-stream" : "converse"}`,
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    burst,
    // Blocks begin and end seldom, and calls decide what the end means.
    marks: [
      '"messageStart"',
      '"contentBlockStart"',
      '"contentBlockStop"',
      '"messageStop"',
      '"metadata"',
      'Exception"',
      '"__type"',
    ],
    content: ["text", "input"],
  },
  failure: {
    header: { name: "x-amzn-errortype", member: "__type" },
    decode: decodeFailure,
  },
};
