import { chatstyle } from "./chatstyle/index.ts";
import { genstyle } from "./genstyle/index.ts";
import { msgstyle } from "./msgstyle/index.ts";
import { native } from "./native/index.ts";
import { responses } from "./responses/index.ts";

/** The codecs by the names of their protocols. A new protocol is a folder beside these and a line here. */
export const codecs = { chatstyle, responses, msgstyle, genstyle, native };
export { chatstyle, genstyle, msgstyle, native, responses };
