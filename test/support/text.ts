import type { Model } from "@manifold-gateway/gateway";
import { defineProvider, type Provider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { upstreams } from "./wires/index.ts";

/** The protocols that providers speak. */
export const PROTOCOLS = upstreams;

export const CHAT = "/api/chatstyle/v1/chat/completions";

/** The model of the simulator that is spoken to in a protocol. */
export const modelOf = (protocol: UpstreamProtocol): string => `sim-${protocol}`;

export const price = { input: 1_000_000, output: 2_000_000 };

export const model = (id: string, provider: string, more: Partial<Model> = {}): Model => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  entries: [{ provider, name: id, priority: 1, isActive: true, price }],
  ...more,
});

/** A model of every protocol, which the simulator serves. */
export const textModels: Model[] = PROTOCOLS.map((protocol) => model(modelOf(protocol), protocol));

/** What the simulator takes beyond the defaults of a protocol: models of its converse endpoint take formats. */
export const taken = { conversestyle: { format: true } } as const;

/** A provider of every protocol. */
export const textProviders = (origin: string): Map<string, Provider> =>
  new Map(
    PROTOCOLS.map((protocol) => [
      protocol,
      defineProvider(protocol, { origin, speaks: [protocol], key: "upstream-secret", protocolTraits: taken }),
    ]),
  );
