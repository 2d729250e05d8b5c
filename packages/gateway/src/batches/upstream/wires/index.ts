import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { filesWire } from "./files.ts";
import { messagesWire } from "./messages.ts";
import type { UpstreamWire } from "./wire.ts";

export type { RemoteBatch, RemoteFile, RemoteResult, UpstreamWire, WireCall } from "./wire.ts";

/** The wires of batches, by the protocols of their requests. */
export const upstreamWires: Readonly<Partial<Record<UpstreamProtocol, UpstreamWire>>> = {
  chatstyle: filesWire,
  responses: filesWire,
  msgstyle: messagesWire,
};
