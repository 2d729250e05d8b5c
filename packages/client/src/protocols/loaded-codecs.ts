import { lookup } from "@manifold-gateway/core/codec";
import { loadCaller, loadProvider } from "@manifold-gateway/core/load";
import type { Codecs } from "./codecs.ts";

const upstreams = Object.keys(loadProvider).filter((protocol) => protocol !== "native");

/** All protocols, each half loaded when it is first used. */
export const loadedCodecs: Codecs = {
  caller: (protocol) => loadCaller[protocol](),
  provider: async (protocol, options) => lookup(loadProvider, protocol)?.(options),
  any: () => loadCaller.chatstyle(),
  whyMissing: (protocols) =>
    `its protocol ${protocols} is not known; those that are: ${upstreams.join(", ")}`,
};
