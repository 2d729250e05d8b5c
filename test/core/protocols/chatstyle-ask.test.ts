import { describe, expect, it } from "vitest";
import type { Traits } from "../../../packages/core/src/codec/traits.ts";
import type { Message } from "../../../packages/core/src/ir/index.ts";
import type { JsonObject } from "../../../packages/core/src/json/json.ts";
import { chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { responses } from "../../../packages/core/src/protocols/responses/index.ts";
import { encodeRequest } from "../../../packages/core/src/translate/translate.ts";
import { decode, encode, messagesOf, text } from "./chatstyle-kit.ts";

describe("chatstyle requests to upstreams", () => {
  const user: Message = { role: "user", parts: [{ type: "text", text: "x" }] };
  const call = { type: "call", id: "c1", name: "f", arguments: "" } as const;

  it("usage is requested whenever a request streams, and never otherwise", () => {
    expect(encode({ stream: true }).wire).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(encode({ stream: false }).wire).not.toHaveProperty("stream_options");
  });

  it.each<[Traits, string]>([
    [{}, "max_completion_tokens"],
    [{ maxTokensField: "max_tokens" }, "max_tokens"],
  ])("the output limit is spelled as %o says", (traits, field) => {
    const { wire } = encode({ params: { maxTokens: 5 } }, traits);
    expect(Object.keys(wire).filter((key) => key.startsWith("max_"))).toEqual([field]);
    expect(wire[field]).toBe(5);
  });

  it("media are moved behind the last answer, which keeps the answers together", () => {
    const image = {
      type: "media",
      kind: "image",
      source: { type: "url", url: "https://e.x/i.png" },
    } as const;
    const { wire, losses } = messagesOf([
      { role: "assistant", parts: [call, { ...call, id: "c2" }] },
      {
        role: "user",
        parts: [
          { type: "result", id: "c1", parts: [image] },
          { type: "result", id: "c2", parts: [{ type: "text", text: "two" }] },
          { type: "text", text: "look" },
        ],
      },
    ]);
    const written = wire.messages as JsonObject[];
    expect(written.map((message) => message.role)).toEqual(["assistant", "tool", "tool", "user"]);
    expect(written[1]?.content).not.toBe("");
    expect(written[3]?.content).toEqual([
      { type: "image_url", image_url: { url: "https://e.x/i.png" } },
      { type: "text", text: "look" },
    ]);
    expect(losses.map((loss) => loss.path)).toEqual(["/messages/1/parts/0/parts/0"]);
  });

  it("a call without parameters and one without a result's text are answered", () => {
    const { wire } = messagesOf([
      { role: "assistant", parts: [call] },
      { role: "user", parts: [{ type: "result", id: "c1", parts: [] }] },
    ]);
    expect(wire.messages).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "" },
    ]);
  });

  it("a failed result is marked in its text", () => {
    const { wire, losses } = messagesOf([
      {
        role: "user",
        parts: [{ type: "result", id: "c1", failed: true, parts: [{ type: "text", text: "boom" }] }],
      },
    ]);
    expect((wire.messages as JsonObject[])[0]?.content).toBe("Error: boom");
    expect(losses).toMatchObject([{ path: "/messages/0/parts/0", why: "approximated" }]);
  });

  it("a foreign seal is never sent, and reasoning only where it is wanted", () => {
    const seal = { protocol: "msgstyle", value: "SECRET" } as const;
    const messages: Message[] = [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "hm", seal },
          { type: "reasoning", text: "", redacted: true, seal },
          { type: "text", text: "a" },
          { ...call, seal: { protocol: "genstyle", value: "SECRET" } },
        ],
      },
    ];
    const strict = messagesOf(messages);
    expect(JSON.stringify(strict.wire)).not.toMatch(/SECRET|hm|mfseal/);
    expect(strict.losses.map((loss) => loss.path)).toEqual([
      "/messages/0/parts/0",
      "/messages/0/parts/1",
      "/messages/0/parts/3/seal",
    ]);
    const back = messagesOf(messages, { reasoningBack: true });
    const [message] = back.wire.messages as JsonObject[];
    expect(message).toMatchObject({ content: "a", reasoning_content: "hm" });
    expect(message).not.toHaveProperty("reasoning_details");
  });

  it("a seal of the same protocol is returned with everything that its issuer sent", () => {
    const details = [
      { type: "reasoning.text", text: "hm", signature: "S", format: "f-v1", id: "r1", index: 0 },
    ];
    const request = decode({
      model: "m",
      messages: [{ role: "assistant", content: "a", reasoning_details: details }],
    });
    const [message] = encode(request, { reasoningBack: true }).wire.messages as JsonObject[];
    expect(message?.reasoning_details).toEqual(details);
  });

  it("what the standard does not know is not written, and is reported", () => {
    const mark = { cache: {} };
    const { wire, losses } = encode({
      messages: [{ role: "user", parts: [{ type: "text", text: "x", ...mark }] }],
      tools: [
        { type: "function", name: "f", ...mark },
        { type: "opaque", protocol: "msgstyle", value: { type: "bash_20250124" } },
      ],
      params: { topK: 4, minP: 0.1, serviceTier: "standard_only" },
      reasoning: { mode: "on", budget: 5000, show: "auto" },
      extra: { protocol: "msgstyle", fields: { container: "c" } },
    });
    expect(wire).toEqual({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      tools: [{ type: "function", function: { name: "f" } }],
      reasoning_effort: "medium",
      service_tier: "default",
    });
    expect(losses.map((loss) => loss.path).sort()).toEqual([
      "/extra/container",
      "/messages/0/parts/0/cache",
      "/params/minP",
      "/params/topK",
      "/reasoning",
      "/reasoning/show",
      "/tools/0/cache",
      "/tools/1",
    ]);
  });

  it("choices are left out where there are no tools, and so are messages that became empty", () => {
    const { wire, losses } = encode({
      messages: [user, { role: "assistant", parts: [{ type: "reasoning", text: "hm" }] }],
      tools: [],
      toolChoice: { mode: "auto", parallel: false },
    });
    expect(Object.keys(wire).sort()).toEqual(["messages", "model"]);
    expect(wire.messages).toHaveLength(1);
    expect(losses.map((loss) => loss.path)).toEqual(["/messages/1/parts/0", "/messages/1", "/toolChoice"]);
  });

  it("a user message that became empty is left out, and one that was empty stays", () => {
    const { wire, losses } = messagesOf([
      { role: "user", parts: [{ type: "opaque", protocol: "responses", value: { type: "item_reference" } }] },
      { role: "user", parts: [] },
      user,
    ]);
    expect(wire.messages).toEqual([
      { role: "user", content: "" },
      { role: "user", content: "x" },
    ]);
    expect(losses.map((loss) => loss.path)).toEqual(["/messages/0/parts/0", "/messages/0"]);
  });

  it.each([{}, { logprobs: false }])("likely tokens are not requested beside %o", (params) => {
    const { wire, losses } = encode({ params: { ...params, topLogprobs: 3 } });
    expect(wire).not.toHaveProperty("top_logprobs");
    expect(losses.map((loss) => loss.path)).toEqual(["/params/topLogprobs"]);
  });

  it("parameters are bounded as on the wire", () => {
    const stop = ["a", "b", "c", "d", "e"];
    const { wire, losses } = encode({
      params: { temperature: 3, stop, user: "u".repeat(70), logprobs: true, topLogprobs: 30 },
    });
    expect(wire).toMatchObject({
      temperature: 2,
      stop: ["a", "b", "c", "d"],
      top_logprobs: 20,
      user: "u".repeat(64),
    });
    expect(losses).toHaveLength(4);
  });

  it("a grammar holds that is nested deeper than the other wire of the family allows", () => {
    const grammar = { syntax: "lark", definition: "start: /a/" };
    const deep = { type: "custom", custom: { name: "f", format: { type: "grammar", grammar } } };
    const flat = { type: "custom", name: "f", format: { type: "grammar", ...grammar } };
    const messages = [{ role: "user", content: "x" }];
    const there = encodeRequest(decode({ model: "m", messages, tools: [deep] }), responses).wire;
    expect(there.tools).toEqual([flat]);
    const request = responses.request.decode({ model: "m", input: "x", tools: [flat] });
    expect(encodeRequest(request, chatstyle, { freeform: true }).wire.tools).toEqual([deep]);
  });

  it("free-text tools become functions where the model has none", () => {
    const request = decode(JSON.parse(text("requests", "freeform.json")));
    const { wire } = encodeRequest(request, chatstyle);
    expect(JSON.stringify(wire)).not.toContain('"custom"');
    const newer = encodeRequest(request, chatstyle, { freeform: true });
    expect(newer.wire.tools).toMatchObject([{ type: "custom" }]);
  });
});
