import { validate } from "@manifold-gateway/core/codec";
import {
  chatstyleImageNames,
  chatstyleImageSchema,
  decodeChatstyleImage,
  encodeChatstyleImage,
} from "@manifold-gateway/core/operations";
import { describeIssues, Rejection } from "@manifold-gateway/core/plan";
import { plainWords } from "@manifold-gateway/core/schema";
import type { ImageCodec } from "./images.ts";

/** Pictures in the wire of chat completions: `/images/generations`. */
export const chatImages: ImageCodec = {
  decode({ body: { value }, model }) {
    const parsed = validate(chatstyleImageSchema, value, plainWords);
    if (!parsed.success)
      throw new Rejection("invalid_request", describeIssues(parsed.error, model), {
        param: String(parsed.error.issues[0]?.path[0] ?? "body"),
      });
    if (parsed.data.stream === true)
      throw new Rejection(
        "invalid_request",
        [`stream: partial images are not passed on; leave it out (model '${model}').`],
        { param: "stream" },
      );
    return decodeChatstyleImage(parsed.data);
  },
  // As the vendor's models do that have no `response_format`, which some SDKs then leave out.
  inline: ({ responseFormat }) => responseFormat !== "url",
  encode: (result, { responseFormat }) =>
    encodeChatstyleImage(result, { created: Math.floor(Date.now() / 1000), responseFormat }),
  at: (path) => (chatstyleImageNames as Record<string, string>)[path.slice(1)] ?? path,
};
