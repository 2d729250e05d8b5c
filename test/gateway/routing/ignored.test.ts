import { defineProvider, type ProtocolTraits } from "@manifold/providers";
import { describe, expect, it } from "vitest";
import { CHAT } from "../../support/text.ts";
import { say, startDesk } from "./desk.ts";

const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
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

describe("what a server would ignore", () => {
  it("goes by the protocol on which it is taken", async () => {
    const { protocol, response } = await ask(
      shaped,
      { chatstyle: { ignores: ["responseFormat"] } },
      { speaks: ["chatstyle", "msgstyle"] },
    );
    expect([response.status, protocol]).toEqual([200, "msgstyle"]);
  });

  it("is told where there is no other, and sent all the same", async () => {
    const { response, sent } = await ask(shaped, { chatstyle: { ignores: ["responseFormat"] } });
    expect(response.headers.get("x-losses")).toBe("/response_format;unsupported");
    expect(sent).toMatchObject(shaped);
  });

  it("is refused where nothing may be lost", async () => {
    const { response } = await ask(
      shaped,
      { chatstyle: { ignores: ["responseFormat"] } },
      { policy: "strict" },
    );
    expect(response.status).toBe(400);
  });

  it("leaves alone what does not ask for it", async () => {
    const ignores = ["responseFormat", "toolChoice", "toolNames", "parallelToolCalls"] as const;
    const usual = { response_format: { type: "text" }, parallel_tool_calls: true, extra_member: 1 };
    const { response, sent } = await ask(usual, { chatstyle: { ignores } });
    expect(response.headers.get("x-losses")).toBeNull();
    expect(sent).toMatchObject(usual);
  });
});
