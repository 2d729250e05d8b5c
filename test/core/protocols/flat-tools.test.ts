import { type AnyCodec, chatstyle, codecs, genstyle, msgstyle, responses } from "@manifold-gateway/core";
import { CallerRequest, planRequest, Rejection, readBody } from "@manifold-gateway/core/plan";
import { describe, expect, it } from "vitest";

const schema = { type: "object", properties: { path: { type: "string" } } };
const definition = { name: "read", description: "Reads a file", parameters: schema, strict: false };
const grammar = { syntax: "lark", definition: "start: /.+/" };
const patch = { name: "patch", description: "Patches" };

const nestedTools = [
  { type: "function", function: definition },
  { type: "custom", custom: { ...patch, format: { type: "grammar", grammar } } },
];
const flatTools = [
  { type: "function", ...definition },
  { type: "custom", ...patch, format: { type: "grammar", ...grammar } },
];
const asked = {
  chatstyle: { messages: [{ role: "user", content: "Hello" }] },
  responses: { input: [{ type: "message", role: "user", content: "Hello" }] },
};

function sent(caller: "chatstyle" | "responses", to: string, more: object): Record<string, unknown> {
  const body = readBody(JSON.stringify({ model: "m", ...asked[caller], ...more }));
  if (body instanceof Rejection) throw body;
  const request = new CallerRequest({ codec: codecs[caller] as AnyCodec, body, model: "m" });
  const traits = { maxOutput: 9, freeform: true };
  const plan = planRequest(request, { codec: codecs[to as "chatstyle"] as AnyCodec, model: "m", traits });
  if (plan instanceof Rejection) throw plan;
  return JSON.parse(plan.body);
}

describe.each([chatstyle, responses, msgstyle, genstyle].map(({ protocol }) => protocol))("to %s", (to) => {
  it("flat tools of a chat are those that the wire nests", () => {
    const tool_choice = { type: "function", name: "read" };
    const nested = { type: "function", function: { name: "read" } };
    expect(sent("chatstyle", to, { tools: flatTools, tool_choice })).toEqual(
      sent("chatstyle", to, { tools: nestedTools, tool_choice: nested }),
    );
  });

  it("nested functions of a responses request are those that the wire has flat", () => {
    const tool_choice = { type: "function", name: "read" };
    const nested = { type: "function", function: { name: "read" } };
    const tools = [nestedTools[0], flatTools[1]];
    expect(sent("responses", to, { tools, tool_choice: nested })).toEqual(
      sent("responses", to, { tools: flatTools, tool_choice }),
    );
  });
});

it.each([
  ["chatstyle", [{ type: "function" }], "function"],
  ["chatstyle", [{ type: "function", name: "" }], "name"],
  ["responses", [{ type: "function", function: {} }], "name"],
  ["responses", [{ type: "function" }], "name"],
] as const)("a tool without a name is refused on %s: %j", (caller, tools, member) => {
  expect(() => sent(caller, "msgstyle", { tools })).toThrow(new RegExp(`tools.*${member}`));
});
