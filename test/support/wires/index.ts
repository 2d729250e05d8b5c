/** The wires as tests know them, by protocol. A new protocol is a file beside these and a line here. */
import type { Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { chatstyle } from "./chatstyle.ts";
import { conversestyle } from "./conversestyle.ts";
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
  conversestyle,
};
export const wires: Readonly<Record<Protocol, Wire>> = { ...upstreamWires, native };

/** The protocols that providers speak. */
export const upstreams: readonly UpstreamProtocol[] = protocolNames.filter((name) => name !== "native");

/** A protocol that callers and providers speak. */
export type CallerProtocol = Exclude<UpstreamProtocol, "conversestyle">;

export const isCaller = (name: UpstreamProtocol): name is CallerProtocol => wires[name].ask !== undefined;

/** The protocols that providers speak and that have a surface as well. */
export const callers = upstreams.filter(isCaller);

/** The path and a small request of a protocol. One without a surface is reached by translation, from the chat wire. */
export const askOf = (name: Protocol, model: string, stream: boolean): [path: string, body: JsonObject] =>
  (wires[name].ask ?? chatstyle.ask)(model, stream);
