export { type ByteTools, byteTools, portableBytes, type ReplyEncoding, replyBytes } from "./bytes.ts";
export { hideTraces } from "./credential-traces.ts";
export { type Hide, hideIn, hideSecrets } from "./hide-secrets.ts";
export { jsonEvents } from "./json-events.ts";
export { noReply } from "./no-reply.ts";
export { openHeldReply, openReply, type PlannedReply } from "./open-reply.ts";
export {
  convertRefusal,
  hideCredentials,
  NoReason,
  pauseHeaders,
  type RefusedReply,
} from "./refused-reply.ts";
export { relayBody } from "./relay-body.ts";
export type { HeldReply, RefusalOptions, Reply, ReplyHeaders, ReplyOptions, WholeReply } from "./reply.ts";
export { type FoldedReply, type FoldOptions, ReplyFold } from "./reply-fold.ts";
