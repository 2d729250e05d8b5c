/** The wires as tests know them, by protocol. A new protocol is a file beside these and a line here. */
import type { Protocol } from "@manifold-gateway/core";
import { protocolNames } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { chatstyle } from "./chatstyle.ts";
import { genstyle } from "./genstyle.ts";
import { msgstyle } from "./msgstyle.ts";
import { native } from "./native.ts";
import { responses } from "./responses.ts";
import type { UpstreamWire, Wire } from "./wire.ts";

export const upstreamWires: Readonly<Record<UpstreamProtocol, UpstreamWire>> = {
  chatstyle,
  responses,
  msgstyle,
  genstyle,
};
export const wires: Readonly<Record<Protocol, Wire>> = { ...upstreamWires, native };

/** The protocols that providers speak. */
export const upstreams: readonly UpstreamProtocol[] = protocolNames.filter((name) => name !== "native");
