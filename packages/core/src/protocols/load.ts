import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Protocol } from "../ir/part.ts";

/**
 * Loads the half of a codec that serves callers, when it is first needed. A bundler puts each half into a file of its
 * own.
 *
 *     const caller = await loadCaller.chatstyle();
 */
export const loadCaller: Readonly<Record<Protocol, () => Promise<AnyCaller>>> = {
  chatstyle: async () => (await import("./chatstyle/caller.ts")).caller,
  responses: async () => (await import("./responses/caller.ts")).caller,
  msgstyle: async () => (await import("./msgstyle/caller.ts")).caller,
  genstyle: async () => (await import("./genstyle/caller.ts")).caller,
  conversestyle: async () => (await import("./conversestyle/caller.ts")).caller,
  native: async () => (await import("./native/caller.ts")).caller,
};

/** The requests that a half for providers is loaded for. */
export interface LoadOptions {
  /** False if they have no schemas (`request.hasSchemas()`): the dialects of schemas are not loaded then. */
  schemas?: boolean;
}

/**
 * Loads the half of a codec that calls providers, when it is first needed.
 *
 *     const upstream = await loadProvider.msgstyle({ schemas: request.hasSchemas() });
 */
export const loadProvider: Readonly<Record<Protocol, (options?: LoadOptions) => Promise<AnyProvider>>> = {
  chatstyle: async (options) => complete((await import("./chatstyle/provider.ts")).provider, options),
  responses: async (options) => complete((await import("./responses/provider.ts")).provider, options),
  msgstyle: async (options) => complete((await import("./msgstyle/provider.ts")).provider, options),
  genstyle: async (options) => complete((await import("./genstyle/provider.ts")).provider, options),
  conversestyle: async (options) => complete((await import("./conversestyle/provider.ts")).provider, options),
  native: async () => (await import("./native/provider.ts")).provider,
};

const complete = async (half: AnyProvider, { schemas = true }: LoadOptions = {}): Promise<AnyProvider> =>
  schemas ? (await import("../dialect/index.ts")).withDialect(half) : half;
