import { codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { describe, expect, test } from "vitest";
import { readRequest } from "../../laws/fixtures.ts";

type Said = "input" | "answer" | "call" | "result" | "silent" | { effort: string; content?: string };

const wireOf = (said: Said): object => {
  if (typeof said === "object")
    return { role: "system", content: said.content ?? [], output_config: { effort: said.effort } };
  switch (said) {
    case "input":
      return { role: "user", content: "go" };
    case "answer":
      return { role: "assistant", content: "yes" };
    case "call":
      return { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "run", input: {} }] };
    case "result":
      return { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] };
    case "silent":
      return { role: "system", content: "" };
  }
};

const requestOf = (said: Said[], more: object = {}): TextRequest =>
  readRequest(codecs.msgstyle, {
    model: "m",
    max_tokens: 100,
    output_config: { effort: "medium" },
    messages: said.map(wireOf),
    ...more,
  });

const low: Said = { effort: "low" };
const high: Said = { effort: "high" };

describe("an effort that a system message sets", () => {
  test.each<[string, Said[], string]>([
    ["behind an input, for its answer", ["input", low], "low"],
    ["behind an answer, from the next input on", ["input", "answer", low, "input"], "low"],
    ["behind an answer, and not yet for a result", ["input", "call", low, "result"], "medium"],
    ["behind a result, and not yet for it", ["input", "call", "result", low], "medium"],
    ["the last one counts", ["input", low, "answer", high, "input"], "high"],
    ["it stays", ["input", low, "answer", "input", "call", "result"], "low"],
    ["before all", [low, "input"], "low"],
  ])("is that of a request on wires with one for all: %s", (_, said, effort) => {
    const request = requestOf(said);
    for (const to of [codecs.responses, codecs.chatstyle]) {
      const { wire, losses } = encodeRequest(request, to, {});
      expect(wire).toMatchObject(
        to === codecs.responses ? { reasoning: { effort } } : { reasoning_effort: effort },
      );
      expect(JSON.stringify(wire)).not.toContain('"system"');
      expect(losses).toEqual([]);
    }
  });

  test("stands in its place on its own wire, also beside text", () => {
    const request = requestOf(["input", low, "answer", { effort: "max", content: "Be brief." }, "input"]);
    expect(encodeRequest(request, codecs.msgstyle, { midSystem: true })).toMatchObject({
      wire: {
        output_config: { effort: "medium" },
        messages: [
          {},
          { role: "system", content: [], output_config: { effort: "low" } },
          {},
          { role: "system", content: "Be brief.", output_config: { effort: "max" } },
          {},
        ],
      },
      losses: [],
    });
  });

  test("leaves thinking that is off, and its text in place", () => {
    const request = requestOf(["input", { effort: "low", content: "Be brief." }], {
      thinking: { type: "disabled" },
    });
    expect(encodeRequest(request, codecs.responses, {}).wire).toMatchObject({
      input: [{ role: "user" }, { role: "system", content: "Be brief." }],
    });
    expect(request.reasoning?.mode).toBe("off");
  });
});

test.each([codecs.chatstyle, codecs.responses, codecs.genstyle, codecs.conversestyle])(
  "a system message that says nothing is left out: $protocol",
  (to) => {
    const { wire, losses } = encodeRequest(requestOf(["input", "silent"]), to, {});
    expect(JSON.stringify(wire)).not.toContain('"text":""');
    expect(JSON.stringify(wire)).not.toContain('"system"');
    expect(losses.filter(({ path }) => path.startsWith("/messages"))).toEqual([]);
  },
);
