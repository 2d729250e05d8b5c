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
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 64 },
  freeform: false,
  endpoint: () => "/text/completions",
  request: { encode: encodeRequest },
  reply: {
    decode: decodeReply,
    burst,
    marks: ['"finishReason"', '"usage"', '"error"'],
    content: ["delta"],
  },
  failure: { decode: decodeFailure },
};
