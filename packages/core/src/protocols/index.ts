import { completions, fillInTheMiddle } from "./chatstyle/completions.ts";
import { chatstyle } from "./chatstyle/index.ts";
import { conversestyle } from "./conversestyle/index.ts";
import { genstyle } from "./genstyle/index.ts";
import { msgstyle } from "./msgstyle/index.ts";
import { native } from "./native/index.ts";
import { responses } from "./responses/index.ts";

/** The codecs by the names of their protocols. A new protocol is a folder beside these and a line here. */
export const codecs = /* @__PURE__ */ Object.freeze({
  chatstyle,
  responses,
  msgstyle,
  genstyle,
  conversestyle,
  native,
});

/** `completions` and `fillInTheMiddle` are not translated: they pass to providers that have them. */
export { chatstyle, completions, conversestyle, fillInTheMiddle, genstyle, msgstyle, native, responses };
