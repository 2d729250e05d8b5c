import { chatstyle, codecs, encodeRequest, msgstyle, type TextRequest } from "@manifold-gateway/core";
import type { ToolChoice } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

const tools: TextRequest["tools"] = ["weather", "clock", "search"].map((name) => ({
  type: "function",
  name,
}));
const choosing = (toolChoice: ToolChoice, more: Partial<TextRequest> = {}): TextRequest =>
  asked([{ role: "user", parts: [{ type: "text", text: "hi" }] }], {
    params: { maxTokens: 9000 },
    tools,
    toolChoice,
    ...more,
  });

const required: ToolChoice = { mode: "required" };
const weather: ToolChoice = { mode: "required", names: ["weather"] };
const off: Partial<TextRequest> = { reasoning: { mode: "off" } };

test.each<[model: string, request: TextRequest, choice: unknown]>([
  ["deepseek-v4-pro", choosing(required), "auto"],
  ["deepseek-v4-pro", choosing(required, off), "required"],
  ["deepseek-v4-pro", choosing({ mode: "none" }), "none"],
  ["kimi-k2.6", choosing(required), "auto"],
  ["kimi-k2.7", choosing(required, off), "auto"],
  ["kimi-k3", choosing(required), "required"],
  ["qwen3.8-max", choosing(required), "auto"],
  ["qwen3-coder-plus", choosing(required), "required"],
  ["glm-5.3", choosing(required), "auto"],
  ["glm-5.3", choosing({ mode: "none" }), undefined],
  ["command-a-03-2025", choosing(weather), "auto"],
  ["muse-spark-1.3", choosing(required), "auto"],
  ["muse-spark-1.3", choosing({ mode: "none" }), undefined],
  ["mistral-large-latest", choosing(weather), { type: "function", function: { name: "weather" } }],
])("%s gets a choice of tools that it takes: %o", (model, request, choice) => {
  const { wire, losses } = encodeRequest(request, chatstyle, knownTraits(model));
  expect(wire.tool_choice).toEqual(choice);
  const asks = request.toolChoice?.mode;
  expect(losses.some(({ path }) => path === "/toolChoice/mode")).toBe(
    choice === undefined || (choice === "auto" && asks !== "auto"),
  );
});

test.each([
  ["claude-fable-5-1", "auto"],
  ["claude-opus-5-5", "auto"],
  ["claude-opus-5", "any"],
  ["claude-sonnet-4-5", "any"],
])("%s on the messages wire is made to call a tool only if it can be", (model, type) => {
  const { wire } = encodeRequest(choosing(required), msgstyle, knownTraits(model));
  expect(wire.tool_choice).toMatchObject({ type });
});

test("thinking by an effort stays beside a forced choice, and thinking by a budget does not", () => {
  const request = choosing(required, { reasoning: { effort: "high" } });
  const written = (model: string) => encodeRequest(request, msgstyle, knownTraits(model)).wire;
  expect(written("claude-opus-5")).toMatchObject({
    thinking: { type: "adaptive" },
    tool_choice: { type: "any" },
  });
  expect(written("claude-sonnet-4-5").thinking).toBeUndefined();
});

test("a server that takes no sets of tools gets only the tools of the set", () => {
  const request = choosing({ mode: "auto", names: ["weather", "clock"] });
  const { wire, losses } = encodeRequest(request, chatstyle, knownTraits("grok-4.5"));
  expect(wire.tools).toHaveLength(2);
  expect(wire.tool_choice).toBe("auto");
  expect(losses).toEqual([
    { path: "/toolChoice/names", why: "approximated", detail: "only these tools are sent" },
  ]);
  const newer = encodeRequest(request, chatstyle, knownTraits("gpt-5.6")).wire;
  expect(newer.tool_choice).toMatchObject({ type: "allowed_tools" });
});

test("a model that refuses the setting for several calls does not get it", () => {
  const request = choosing({ mode: "auto", parallel: false });
  expect(encodeRequest(request, chatstyle, knownTraits("o4-mini")).wire).not.toHaveProperty(
    "parallel_tool_calls",
  );
  expect(encodeRequest(request, chatstyle, knownTraits("gpt-5.6")).wire).toHaveProperty(
    "parallel_tool_calls",
  );
});

test("a model that insists on a schema of every function gets one", () => {
  const { wire } = encodeRequest(choosing({ mode: "auto" }), chatstyle, knownTraits("MiniMax-M2"));
  const empty = { type: "object", properties: {} };
  for (const tool of wire.tools as { function: object }[])
    expect(tool.function).toMatchObject({ parameters: empty });
});

test.each(["kimi-k2.6", "claude-3-7-sonnet"])("%s gets no word on strictness, which it refuses", (model) => {
  for (const strict of [true, false]) {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const request = choosing({ mode: "auto" }, { tools: [{ type: "function", name: "f", strict, schema }] });
    for (const to of [chatstyle, msgstyle]) {
      const { wire, losses } = encodeRequest(request, to, knownTraits(model));
      expect(JSON.stringify(wire)).not.toContain("strict");
      expect(losses.some(({ path }) => path === "/tools/0/strict")).toBe(strict);
    }
  }
});

const wires = [codecs.chatstyle, codecs.responses, codecs.msgstyle, codecs.genstyle, codecs.conversestyle];
const server = (protocol: "msgstyle" | "genstyle") =>
  ({ type: "opaque", protocol, value: { type: "web_search_20250305", name: "web_search" } }) as const;
const choiceIn = (wire: object): string =>
  JSON.stringify({ ...wire, messages: undefined, contents: undefined, input: undefined });

test.each(wires)("a choice of a tool that is not sent is left out and told: $protocol", (to) => {
  const foreign = server(to.protocol === "msgstyle" ? "genstyle" : "msgstyle");
  for (const list of [[foreign], [foreign, ...tools]]) {
    const chosen = choosing({ mode: "required", names: ["web_search"] }, { tools: list });
    const { wire, losses } = encodeRequest(chosen, to, {});
    expect(choiceIn(wire)).not.toContain("web_search");
    expect(choiceIn(wire)).not.toContain("required");
    expect(losses.some(({ path }) => path.startsWith("/toolChoice"))).toBe(true);
  }
  const any = encodeRequest(choosing(required, { tools: [foreign] }), to, {});
  expect(choiceIn(any.wire)).not.toMatch(/[cC]hoice|callingConfig/);
  expect(any.losses.some(({ path }) => path.startsWith("/toolChoice"))).toBe(true);
});

test("a choice of the target's own server tool stays", () => {
  const chosen = choosing({ mode: "required", names: ["web_search"] }, { tools: [server("msgstyle")] });
  expect(encodeRequest(chosen, msgstyle, {}).wire.tool_choice).toEqual({ type: "tool", name: "web_search" });
});
