import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import type { OperationWires } from "../endpoint.ts";
import type { ModerationCodec } from "./codec.ts";
import * as reply from "./reply.ts";
import * as request from "./request.ts";

/** Moderation beside chat completions: `POST /moderations`. */
export const chatstyleModeration: ModerationCodec = {
  protocol: request.protocol,
  endpoint: () => "/moderations",
  unfetched: defineUnfetched(["input"], ["metadata"]),
  facts: request.facts,
  request: { schema: request.schema, decode: request.decode, encode: request.encode },
  reply: { decode: reply.decode, encode: reply.encode },
};

/** All wires of moderation. */
export const moderationOperation: OperationWires<ModerationCodec> = {
  service: "moderation",
  protocols: { chatstyle: chatstyleModeration },
  services: { chatstyle: chatstyleModeration },
};
