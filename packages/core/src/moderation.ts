// Moderation by the protocols that have it, without the media of /operations, whose schemas load zod.

export {
  chatstyleModeration,
  estimateModeration,
  type ModerationCodec,
  type ModerationInput,
  type ModerationPart,
  type ModerationReply,
  type ModerationRequest,
  type ModerationResult,
  type ModerationTarget,
  moderationOperation,
  moderationShortfall,
  planModeration,
} from "./operations/moderation/index.ts";
