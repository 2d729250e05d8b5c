import { loadCaller, loadProvider } from "@manifold-gateway/core/load";
import type { Codecs } from "./codecs.ts";

/** All protocols, each half loaded when it is first used. */
export const loadedCodecs: Codecs = {
  caller: (protocol) => loadCaller[protocol](),
  provider: (protocol, options) => loadProvider[protocol](options),
  any: () => loadCaller.chatstyle(),
};
