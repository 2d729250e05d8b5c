import { chatstyle, collectLosses, msgstyle, responses, translateRequest } from "@manifold-gateway/core";
import { describe, expect, it } from "vitest";

const chat = {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  user: "u-1",
  safety_identifier: "s-1",
};
const ids = { user: "u-1", safety_identifier: "s-1" };

describe("the two ids of a user", () => {
  it("the two ids of a user arrive unchanged on either wire of the family", () => {
    for (const from of [chatstyle, responses])
      for (const to of [chatstyle, responses]) {
        const asked = from === chatstyle ? chat : { model: "m", input: "Hi", ...ids };
        const { wire, losses } = translateRequest(asked, { from, to });
        expect(wire).toMatchObject(ids);
        expect(losses).toEqual([]);
      }
  });

  it("the two ids of a user become one elsewhere, and the other is reported", () => {
    const { wire, losses } = translateRequest(chat, {
      from: chatstyle,
      to: msgstyle,
      traits: { maxOutput: 9 },
    });
    expect(wire).toMatchObject({ metadata: { user_id: "u-1" } });
    expect(losses).toContainEqual({
      path: "/safety_identifier",
      canonical: "/params/safetyId",
      why: "unsupported",
    });
  });
});

describe("a tool without a type", () => {
  it("a tool without a type is a function on the wires of the family", () => {
    const parameters = { type: "object", properties: {} };
    const asked = [
      [
        chatstyle,
        {
          ...chat,
          tools: [{ function: { name: "now", parameters } }],
          tool_choice: { function: { name: "now" } },
        },
      ],
      [responses, { model: "m", input: "Hi", tools: [{ name: "now", parameters }] }],
    ] as const;
    for (const [codec, wire] of asked) {
      expect(codec.request.schema.safeParse(wire).success).toBe(true);
      const request = codec.request.decode(wire as never);
      expect(request.tools).toEqual([{ type: "function", name: "now", schema: parameters }]);
      const { lose, losses } = collectLosses();
      expect(msgstyle.request.encode(request, lose, { maxOutput: 9 })).toMatchObject({
        tools: [{ name: "now" }],
      });
      expect(losses.filter(({ path }) => path.startsWith("/tool"))).toEqual([]);
    }
  });
});
