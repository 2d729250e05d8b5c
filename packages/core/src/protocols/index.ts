import { completions, fillInTheMiddle } from "./chatstyle/completions.ts";
import { chatstyle } from "./chatstyle/index.ts";
import { genstyle } from "./genstyle/index.ts";
import { msgstyle } from "./msgstyle/index.ts";
import { native } from "./native/index.ts";
import { responses } from "./responses/index.ts";

/** The codecs by the names of their protocols. A new protocol is a folder beside these and a line here. */
export const codecs = /* @__PURE__ */ Object.freeze({ chatstyle, responses, msgstyle, genstyle, native });

export type { ChatBody, ChatChunk, ChatWire } from "./chatstyle/index.ts";
export type { GenBody, GenChunk, GenWire } from "./genstyle/index.ts";
export type { MessagesBody, MessagesChunk } from "./msgstyle/index.ts";
export type { NativeChunk } from "./native/index.ts";
export type { ResponsesBody, ResponsesChunk, ResponsesWire } from "./responses/index.ts";
/** Related protocols that are only passed through to providers that have them. */
export { chatstyle, completions, fillInTheMiddle, genstyle, msgstyle, native, responses };
