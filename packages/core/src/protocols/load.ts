import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Protocol } from "../ir/part.ts";

/**
 * Loads the half of a codec that serves callers, when it is first needed: `const caller = await loadCaller.chatstyle()`.
 * A bundler puts each half into a file of its own.
 */
export const loadCaller: Readonly<Record<Protocol, () => Promise<AnyCaller>>> = {
  chatstyle: async () => (await import("./chatstyle/caller.ts")).caller,
  responses: async () => (await import("./responses/caller.ts")).caller,
  msgstyle: async () => (await import("./msgstyle/caller.ts")).caller,
  genstyle: async () => (await import("./genstyle/caller.ts")).caller,
  conversestyle: async () => (await import("./conversestyle/caller.ts")).caller,
  native: async () => (await import("./native/caller.ts")).caller,
};

/** Loads the half of a codec that calls providers, when it is first needed: `await loadProvider.msgstyle()`. */
export const loadProvider: Readonly<Record<Protocol, () => Promise<AnyProvider>>> = {
  chatstyle: async () => (await import("./chatstyle/provider.ts")).provider,
  responses: async () => (await import("./responses/provider.ts")).provider,
  msgstyle: async () => (await import("./msgstyle/provider.ts")).provider,
  genstyle: async () => (await import("./genstyle/provider.ts")).provider,
  conversestyle: async () => (await import("./conversestyle/provider.ts")).provider,
  native: async () => (await import("./native/provider.ts")).provider,
};
