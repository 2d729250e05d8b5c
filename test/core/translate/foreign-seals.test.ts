import { type AnyCodec, codecs, encodeRequest, type Protocol } from "@manifold-gateway/core";
import type { Part } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

const wires = Object.entries(codecs) as [Protocol, AnyCodec][];
/** Of the seal, which the loss of the call names as well. */
const PATH = "/messages/1/parts/0/seal";
const pairs = wires.flatMap(([from]) =>
  wires.filter(([to]) => to !== from).map(([to, codec]) => [from, to, codec] as const),
);

test.each(pairs)("the seal of a call from %s arrives in %s, or a loss names it", (protocol, _, codec) => {
  const seal = { protocol, value: "c2VhbA" };
  const call = { type: "call", id: "c", name: "f", arguments: "{}", seal } as const;
  const { wire, losses } = encodeRequest(
    asked([
      { role: "user", parts: [{ type: "text", text: "a" }] },
      { role: "assistant", parts: [call] },
      { role: "user", parts: [{ type: "result", id: "c", name: "f", parts: [{ type: "text", text: "1" }] }] },
    ]),
    codec,
  );
  const arrived = codec.request.decode(wire).messages.flatMap((message): readonly Part[] => message.parts);
  const isThere = arrived.some((part) => "seal" in part && part.seal?.value === seal.value);
  const isNamed = losses.some(({ path }) => `${PATH}/`.startsWith(`${path}/`));
  expect({ isThere, isNamed }).toEqual({ isThere, isNamed: !isThere });
});
