import { foreignIdTest } from "../../codec/call-ids.ts";
import type { ProviderCodec, Spelling } from "../../codec/provider-codec.ts";
import { type JsonObject, toArray, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { billing } from "./billing.ts";
import { burst } from "./burst.ts";
import { decodeFailure } from "./decode-failure.ts";
import { decodeReply } from "./decode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import type { Wire } from "./schema.ts";

const ids: Spelling = { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 };

/** The half of the codec that calls providers. */
export const provider: ProviderCodec<Wire> = {
  ...base,
  billing,
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  keys: { pattern: /^[a-zA-Z0-9_.-]+$/, max: 64 },
  ids,
  freeform: false,
  schemaFormat: { closed: true },
  modelPictures: () => false,
  refuses(body, traits) {
    // The platform checks ids for all of its models.
    const isForeign = foreignIdTest(ids, { foreignCallIds: false, ...traits });
    if (!isForeign) return false;
    return toArray((body as JsonObject).messages).some((message) =>
      toArray(toObject(message).content).some((block) =>
        isForeign(toObject(toObject(block).toolUse).toolUseId),
      ),
    );
  },
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
