import {
  estimateModeration,
  type ModerationCodec,
  type ModerationReply,
  type ModerationRequest,
  moderationOperation,
  moderationShortfall,
  planModeration,
} from "@manifold-gateway/core/operations";
import type { Operation, OperationAsk } from "../operations/operation.ts";
import { answerWhole } from "../operations/whole-reply.ts";

/** Moderation, as an operation. Only models whose provider has it serve it: no conversation stands in for it. */
export const moderate: Operation<ModerationRequest, ModerationCodec, OperationAsk<ModerationCodec>, never> = {
  wires: moderationOperation,
  makes: "moderation",
  modality: "moderation",
  observed: "moderation",
  plan: (_, source, { candidate, ...target }, options) =>
    planModeration(source, { ...target, images: candidate.model.inputModalities.includes("image") }, options),
  estimate: ({ request }) => ({ ...estimateModeration(request), output: 0 }),
  reply: answerWhole<ModerationRequest, ModerationReply>({
    shortfall: moderationShortfall,
    usage: ({ usage }) => usage && { ...usage, output: 0 },
  }),
};
