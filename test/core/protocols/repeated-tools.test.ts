import { codecs, encodeRequest } from "@manifold-gateway/core";
import { expect, test } from "vitest";

const tool = (name: string, description: string) => ({ type: "function" as const, name, description });
const request = {
  model: "m",
  stream: false,
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "go" }] }],
  tools: [tool("f", "first"), tool("g", "other"), tool("f", "second"), tool("f", "first")],
  params: { maxTokens: 99 },
};

test.each([codecs.msgstyle, codecs.genstyle].map((codec) => [codec.protocol, codec] as const))(
  "of tools with one name the first is sent, and the others are losses, where the wire %s takes one only",
  (_, codec) => {
    const { wire, losses } = encodeRequest(request, codec);
    const sent = JSON.stringify(wire.tools);
    expect([...sent.matchAll(/"name":"(\w)"/g)].map(([, name]) => name)).toEqual(["f", "g"]);
    expect(sent).toContain("first");
    expect(losses.map(({ path }) => path)).toEqual(["/tools/2", "/tools/3"]);
  },
);

test.each([codecs.chatstyle, codecs.responses].map((codec) => [codec.protocol, codec] as const))(
  "tools with one name are sent to the wire %s, which takes them",
  (_, codec) => {
    const { wire, losses } = encodeRequest(request, codec);
    expect(wire.tools).toHaveLength(4);
    expect(losses).toEqual([]);
  },
);
