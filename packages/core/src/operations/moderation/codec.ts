import type { OperationCodec } from "../codec.ts";
import type { ModerationReply, ModerationRequest } from "./ir.ts";

/** Both directions between one wire's moderation and the IR, with the laws of all operations. */
export type ModerationCodec = OperationCodec<ModerationRequest, ModerationReply>;
