import { defineProvider, type ProtocolTraits } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { CHAT } from "../../support/text.ts";
import { say, startDesk } from "./desk.ts";

const schema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const shaped = {
  response_format: { type: "json_schema", json_schema: { name: "a", schema, strict: true } },
};

/** A model on one provider with these traits, which speaks chat, and messages where it is said. */
async function ask(
  more: object,
  protocolTraits: ProtocolTraits,
  {
    speaks = ["chatstyle"],
    policy = "warn",
  }: { speaks?: ("chatstyle" | "msgstyle")[]; policy?: string } = {},
) {
  const own = defineProvider("one", { origin: "http://one.test", speaks, protocolTraits });
  const d = await startDesk({ one: { more: { speaks: own.speaks } } });
  try {
    const response = await d.call(CHAT, say("hello", more), { headers: { "x-loss-policy": policy } });
    const sent = d.parties.one?.ledger.last();
    return { response, sent: sent?.request as Record<string, unknown>, protocol: sent?.protocol };
  } finally {
    await d.close();
  }
}

describe("parameters that a server would ignore", () => {
  it("a request goes by the protocol on which its parameter is taken", async () => {
    const { protocol, response } = await ask(
      shaped,
      { chatstyle: { ignores: ["responseFormat"] } },
      { speaks: ["chatstyle", "msgstyle"] },
    );
    expect([response.status, protocol]).toEqual([200, "msgstyle"]);
  });

  it("an ignored parameter is reported where no other protocol takes it, and still sent", async () => {
    const { response, sent } = await ask(shaped, { chatstyle: { ignores: ["responseFormat"] } });
    expect(response.headers.get("x-losses")).toBe("/response_format;unsupported");
    expect(sent).toMatchObject(shaped);
  });

  it("an ignored parameter is refused where nothing may be lost", async () => {
    const { response } = await ask(
      shaped,
      { chatstyle: { ignores: ["responseFormat"] } },
      { policy: "strict" },
    );
    expect(response.status).toBe(400);
  });

  it("a request without an ignored parameter is left alone", async () => {
    const ignores = ["responseFormat", "toolChoice", "toolNames", "parallelToolCalls"] as const;
    const usual = { response_format: { type: "text" }, parallel_tool_calls: true, extra_member: 1 };
    const { response, sent } = await ask(usual, { chatstyle: { ignores } });
    expect(response.headers.get("x-losses")).toBeNull();
    expect(sent).toMatchObject(usual);
  });
});
