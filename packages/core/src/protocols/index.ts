import { completions, fillInTheMiddle } from "./chatstyle/completions.ts";
import { chatExtensions, chatstyle } from "./chatstyle/index.ts";
import { genstyle } from "./genstyle/index.ts";
import { msgstyle } from "./msgstyle/index.ts";
import { native } from "./native/index.ts";
import { responses } from "./responses/index.ts";

/** The codecs by the names of their protocols. A new protocol is a folder beside these and a line here. */
export const codecs = /* @__PURE__ */ Object.freeze({ chatstyle, responses, msgstyle, genstyle, native });

/** The members beyond its standard that servers of the chat wire may take. */
/** Related protocols that are only passed through to providers that have them. */
export { chatExtensions, chatstyle, completions, fillInTheMiddle, genstyle, msgstyle, native, responses };
