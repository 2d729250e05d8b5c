import {
  chatstyleModeration,
  estimateModeration,
  type ModerationCodec,
  type ModerationReply,
  type ModerationRequest,
  moderationOperation,
  moderationShortfall,
  planModeration,
} from "@manifold-gateway/core/moderation";
import { serveOperation } from "./serve.ts";

/** Judges texts and images by the categories of a model. */
export const moderateContents = serveOperation<ModerationRequest, ModerationReply, ModerationCodec>({
  noun: "moderation",
  wires: moderationOperation,
  callerCodec: () => chatstyleModeration,
  // Which models judge images is not known here: their providers refuse them.
  plan: (source, target) => planModeration(source, { ...target, images: true }),
  shortfall: moderationShortfall,
  usage: ({ usage }, request) => ({ ...(usage ?? estimateModeration(request)), output: 0 }),
});
