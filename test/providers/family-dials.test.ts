import { type AnyCodec, codecs } from "@manifold-gateway/core";
import { type JsonObject, SEAL_MARK } from "@manifold-gateway/core/codec";
import { knownTraits, presets } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeRequest } from "../../packages/core/src/translate/translate.ts";
import { alternatives } from "../../packages/providers/src/catalog/text/family.ts";
import { families } from "../../packages/providers/src/catalog/text/index.ts";

type Wire = "chatstyle" | "responses" | "msgstyle" | "genstyle";

/** A request of each wire that says no more than one word. */
const asked: Record<Wire, JsonObject> = {
  chatstyle: { model: "m", messages: [{ role: "user", content: "hi" }] },
  responses: { model: "m", input: "hi" },
  msgstyle: { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }] },
  genstyle: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
};

const translated = (from: Wire, to: Wire, model: string, request: JsonObject) => {
  const { decode } = (codecs[from] as AnyCodec).request;
  const { wire, losses } = encodeRequest(
    decode({ ...asked[from], ...request }),
    codecs[to] as AnyCodec,
    knownTraits(model),
  );
  return { wire, losses: losses.map(({ path }) => path) };
};

const tools = [{ name: "run", description: "d", input_schema: { type: "object", properties: {} } }];
const config = (members: JsonObject): JsonObject => ({ generationConfig: members });
const thinking = (members: JsonObject): JsonObject => config({ thinkingConfig: members });
const effort = (word: string): JsonObject => ({ output_config: { effort: word } });
const off: JsonObject = { type: "disabled" };
const template = (on: boolean): JsonObject => ({
  chat_template_kwargs: { enable_thinking: on, thinking: on },
});
/** What stands for thinking that is off at a model which always thinks. */
const least: JsonObject = { thinking: { type: "adaptive" }, ...effort("low") };

/** The members of a wire that are not settings of how the model answers. */
const others = new Set(["model", "messages", "input", "contents", "tools", "include", "system"]);
const limits = new Set(["max_tokens", "max_completion_tokens", "max_output_tokens"]);

const chat = "chatstyle";
const resp = "responses";
const msgs = "msgstyle";
const gen = "genstyle";

/** A request, the settings that are made of it, and its losses. */
const rows: [from: Wire, to: Wire, model: string, asked: JsonObject, sent: JsonObject, losses: string[]][] = [
  // One of two sampling parameters.
  [chat, msgs, "claude-sonnet-4-5", { temperature: 0.3, top_p: 0.9 }, { temperature: 0.3 }, ["/params/topP"]],
  [resp, msgs, "claude-opus-4-1", { temperature: 0.3, top_p: 1 }, { temperature: 0.3 }, []],
  [chat, msgs, "claude-haiku-4-5", { top_p: 0.9 }, { top_p: 0.9 }, []],
  [chat, msgs, "claude-sonnet-4", { temperature: 0.3, top_p: 0.9 }, { temperature: 0.3, top_p: 0.9 }, []],
  [gen, chat, "mistral-large", config({ temperature: 0, topP: 0.9 }), { temperature: 0 }, ["/params/topP"]],
  [gen, chat, "mistral-large", config({ temperature: 0, topP: 1 }), { temperature: 0 }, []],
  [
    gen,
    chat,
    "mistral-large-2411",
    config({ temperature: 0.5, seed: 7 }),
    { temperature: 0.5, random_seed: 7 },
    [],
  ],
  [gen, chat, "mistral-small-24b-instruct", config({ seed: 7 }), { seed: 7 }, []],
  // Sampling of which only usual values are taken, and other parameters that are refused.
  [msgs, chat, "gpt-5-mini", { temperature: 0.2, top_p: 1 }, {}, ["/params/temperature"]],
  [msgs, chat, "gpt-5-mini", { stop_sequences: ["END"] }, {}, ["/params/stop"]],
  [gen, resp, "openai/gpt-5.6-luna", config({ temperature: 1, topP: 0.95 }), {}, ["/params/topP"]],
  [
    gen,
    resp,
    "gpt-5.6",
    config({ temperature: 0.2, thinkingConfig: { thinkingBudget: 0 } }),
    { temperature: 0.2, reasoning: { effort: "none" } },
    [],
  ],
  [msgs, chat, "gpt-5.1", { temperature: 0.2 }, { temperature: 0.2 }, []],
  [
    msgs,
    chat,
    "gpt-5.1",
    { temperature: 0.2, output_config: { effort: "low" } },
    { reasoning_effort: "low" },
    ["/params/temperature"],
  ],
  [msgs, chat, "gpt-5.6", { stop_sequences: ["END"] }, { stop: ["END"] }, []],
  [chat, msgs, "claude-fable-5-1", { temperature: 0.2 }, {}, ["/params/temperature"]],
  [gen, msgs, "claude-fable-5-1", config({ topK: 20 }), {}, ["/params/topK"]],
  [msgs, chat, "kimi-k2.6", { temperature: 0.2 }, {}, ["/params/temperature"]],
  [msgs, chat, "grok-4.20-0309-reasoning", { stop_sequences: ["END"] }, {}, ["/params/stop"]],
  [chat, gen, "gemini-3-flash-preview", { presence_penalty: 0.5 }, {}, ["/params/presencePenalty"]],
  [gen, chat, "command-a-03-2025", config({ temperature: 1.5 }), { temperature: 1 }, ["/params/temperature"]],
  [msgs, chat, "glm-5.3", { stop_sequences: ["a", "b"] }, { stop: ["a"] }, ["/params/stop"]],
  // The nearest effort, or none.
  [
    gen,
    resp,
    "gpt-5.6-luna",
    thinking({ thinkingBudget: 256 }),
    { reasoning: { effort: "low" } },
    ["/reasoning"],
  ],
  [msgs, resp, "gpt-5.1", effort("max"), { reasoning: { effort: "high" } }, ["/reasoning/effort"]],
  [msgs, chat, "gpt-5.2", effort("max"), { reasoning_effort: "xhigh" }, ["/reasoning/effort"]],
  [chat, resp, "gpt-5", { reasoning_effort: "minimal" }, { reasoning: { effort: "minimal" } }, []],
  [msgs, chat, "o4-mini", { thinking: { type: "disabled" } }, { reasoning_effort: "low" }, ["/reasoning"]],
  [gen, chat, "gpt-5-mini", thinking({ thinkingBudget: 0 }), { reasoning_effort: "minimal" }, ["/reasoning"]],
  [gen, chat, "grok-4.20-0309-reasoning", thinking({ thinkingBudget: 2000 }), {}, ["/reasoning"]],
  [gen, chat, "xai/grok-4.6", thinking({ thinkingBudget: 0 }), { reasoning_effort: "low" }, ["/reasoning"]],
  [msgs, chat, "muse-spark-1.3", effort("max"), { reasoning_effort: "max" }, []],
  [
    msgs,
    chat,
    "meta/muse-spark-1.3-contributor",
    effort("max"),
    { reasoning_effort: "xhigh" },
    ["/reasoning/effort"],
  ],
  [msgs, chat, "muse-spark-1.1", { thinking: off }, { reasoning_effort: "minimal" }, ["/reasoning"]],
  [msgs, chat, "muse-ember-1.0", { stop_sequences: ["END"] }, {}, ["/params/stop"]],
  [chat, msgs, "claude-sonnet-4-5", { reasoning_effort: "none" }, { thinking: { type: "disabled" } }, []],
  // Thinking that is off, or cannot be.
  [
    chat,
    msgs,
    "claude-fable-5-1",
    { reasoning_effort: "none" },
    least,
    ["/reasoning/effort", "/reasoning/mode"],
  ],
  [
    chat,
    msgs,
    "claude-opus-9",
    { reasoning_effort: "none" },
    least,
    ["/reasoning/effort", "/reasoning/mode"],
  ],
  [
    chat,
    msgs,
    "claude-sonnet-5-5",
    { reasoning_effort: "none" },
    { thinking: { type: "between_tools" } },
    [],
  ],
  [
    chat,
    gen,
    "gemini-3.1-pro-preview",
    { reasoning_effort: "none" },
    thinking({ thinkingLevel: "LOW" }),
    ["/reasoning"],
  ],
  [
    msgs,
    gen,
    "gemini-3-flash-preview",
    { thinking: { type: "disabled" } },
    config({ maxOutputTokens: 4000, thinkingConfig: { thinkingLevel: "MINIMAL" } }),
    ["/reasoning"],
  ],
  [
    chat,
    gen,
    "gemini-3-pro-preview",
    { reasoning_effort: "medium" },
    thinking({ thinkingLevel: "HIGH" }),
    ["/reasoning/effort"],
  ],
  [chat, gen, "gemini-2.5-flash-lite", { reasoning_effort: "none" }, thinking({ thinkingBudget: 0 }), []],
  [
    msgs,
    gen,
    "gemini-2.5-flash",
    { thinking: { type: "enabled", budget_tokens: 32_000 } },
    config({
      maxOutputTokens: 4000,
      thinkingConfig: { thinkingBudget: 24_576, includeThoughts: true },
    }),
    ["/reasoning/budget"],
  ],
  [msgs, chat, "deepseek-v4-pro", { thinking: { type: "disabled" } }, { thinking: { type: "disabled" } }, []],
  [
    gen,
    chat,
    "kimi-k2.6",
    thinking({ thinkingBudget: 9 }),
    { thinking: { type: "enabled" } },
    ["/reasoning"],
  ],
  [
    gen,
    chat,
    "qwen3.5-plus",
    thinking({ thinkingBudget: 2000 }),
    { enable_thinking: true, thinking_budget: 2000 },
    [],
  ],
  [msgs, chat, "qwen3-32b", { thinking: { type: "disabled" } }, { enable_thinking: false }, []],
  // A switch of other servers of the chat wire, and of templates.
  [chat, msgs, "claude-opus-4-6", { enable_thinking: false }, { thinking: off }, []],
  [chat, msgs, "claude-opus-4-6", template(false), { thinking: off }, []],
  [chat, gen, "gemini-2.5-flash", { enable_thinking: false }, thinking({ thinkingBudget: 0 }), []],
  [chat, resp, "gpt-5.6", { enable_thinking: false }, { reasoning: { effort: "none" } }, []],
  [
    chat,
    gen,
    "gemini-2.5-flash",
    { enable_thinking: true, thinking_budget: 2000 },
    thinking({ thinkingBudget: 2000 }),
    [],
  ],
  [chat, msgs, "claude-opus-4-6", { thinking_budget: 2000 }, {}, ["/extra/thinking_budget"]],
  [
    ...([chat, msgs, "claude-opus-4-6"] as const),
    ...([{ chat_template_kwargs: { thinking: false, lang: "en" } }, { thinking: off }] as const),
    ["/extra/chat_template_kwargs/lang"],
  ],
  [chat, chat, "my-model", template(false), template(false), []],
  // Functions, which some models take on the chat wire only while they do not think.
  [msgs, chat, "gpt-5.6", { tools }, { reasoning_effort: "none" }, ["/reasoning"]],
  [msgs, chat, "gpt-5.4", { tools }, {}, []],
  [msgs, chat, "gpt-5.4", { tools, ...effort("high") }, { reasoning_effort: "none" }, ["/reasoning"]],
  [msgs, resp, "gpt-5.6", { tools }, {}, []],
];

function settingsOf(wire: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !others.has(name) && !limits.has(name)));
}

describe("a request to a known model", () => {
  it.each(rows)("is adapted to it: %s to %s, %s, %j", (from, to, model, request, sent, losses) => {
    const { wire, losses: paths } = translated(from, to, model, request);
    expect(settingsOf(wire)).toEqual(sent);
    expect(paths.filter((path) => path !== "/params/maxTokens")).toEqual(losses);
  });

  it.each([
    ["MiniMax-M2.5", { name: "now", parameters: { type: "object", properties: {} } }],
    ["my-model", { name: "now" }],
  ])("has a schema for functions without parameters where the model wants one: %s", (model, sent) => {
    const tools = [{ type: "function", name: "now" }];
    expect(translated(resp, chat, model, { tools }).wire.tools).toEqual([
      { type: "function", function: sent },
    ]);
  });

  it.each<[string, string, JsonObject, JsonObject]>([
    ["openrouter", "moonshotai/kimi-k2.6", { thinking: off }, { reasoning_effort: "none" }],
    ["openrouter", "moonshotai/kimi-k2.6", effort("high"), { reasoning_effort: "high" }],
    ["ollama", "qwen3:8b", { thinking: off }, { reasoning_effort: "none" }],
    ["vllm", "Qwen/Qwen3-8B", { thinking: off }, template(false)],
    ["vllm", "deepseek-ai/DeepSeek-V4", { thinking: off }, template(false)],
    ["vllm", "Qwen/Qwen3-8B", effort("high"), template(true)],
    ["vllm", "openai/gpt-oss-20b", effort("high"), { reasoning_effort: "high" }],
    ["siliconflow", "deepseek-ai/DeepSeek-V4", { thinking: off }, { enable_thinking: false }],
  ])("is switched as its server does it: %s, %s, %j", (preset, model, request, sent) => {
    const traits = { ...knownTraits(model), ...presets[preset]?.traits };
    const { decode } = codecs.msgstyle.request;
    const { wire } = encodeRequest(
      decode({ ...asked.msgstyle, ...request } as never),
      codecs.chatstyle,
      traits,
    );
    expect(settingsOf(wire)).toEqual(sent);
  });

  it.each<[Wire, string, JsonObject, number]>([
    [chat, "claude-opus-4-8", {}, 128_000],
    [chat, "claude-3-5-sonnet-latest", {}, 8192],
    [resp, "claude-sonnet-4-5", { max_output_tokens: 100_000 }, 64_000],
    [resp, "claude-sonnet-4-5", { max_output_tokens: 1000 }, 1000],
    [chat, "my-model", {}, 4096],
  ])("has an output limit that the model takes: %s to msgstyle, %s, %j", (from, model, request, limit) => {
    expect(translated(from, "msgstyle", model, request).wire.max_tokens).toBe(limit);
  });

  it("keeps no member of sampling, effort or stop that a model of the table refuses, whatever is asked", () => {
    const ask = fc.record(
      {
        mode: fc.constantFrom("off" as const, "auto" as const, "on" as const),
        effort: fc.constantFrom("minimal", "low", "medium", "high", "xhigh", "max" as const),
        budget: fc.integer({ min: 0, max: 100_000 }),
        show: fc.constantFrom("none" as const, "auto" as const),
      },
      { requiredKeys: [] },
    );
    const params = fc.record(
      {
        temperature: fc.constantFrom(0, 0.2, 1),
        topP: fc.constantFrom(0.5, 1),
        stop: fc.constant(["a", "b", "c", "d", "e", "f"]),
        presencePenalty: fc.constantFrom(0, 0.5),
        maxTokens: fc.integer({ min: 1, max: 2_000_000 }),
      },
      { requiredKeys: [] },
    );
    const family = fc.constantFrom(...families);
    const wires: Wire[] = ["chatstyle", "responses", "msgstyle", "genstyle"];
    fc.assert(
      fc.property(family, fc.constantFrom(...wires), ask, params, ({ traits }, to, reasoning, asks) => {
        const request = {
          model: "m",
          stream: false,
          messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "hi" }] }],
          params: asks as never,
          reasoning: reasoning as never,
        };
        const { wire } = encodeRequest(request, codecs[to] as AnyCodec, traits);
        const text = JSON.stringify(wire);
        const words = [
          wire.reasoning_effort,
          (wire.reasoning as JsonObject | undefined)?.effort,
          (wire.output_config as JsonObject | undefined)?.effort,
        ].filter((word) => word !== undefined);
        const taken: string[] = [
          ...(traits.efforts ?? words),
          ...(traits.thinking?.includes("off") === false ? [] : ["none"]),
        ] as string[];
        for (const word of words) expect(taken).toContain(word);
        if (traits.sampling === false || traits.sampling === "usual")
          expect(text).not.toMatch(/temperature|top_p|topP/);
        if (traits.sampling === "one") expect(text).not.toMatch(/temperature.*top_p|top_p.*temperature/);
        if (traits.refuses?.includes("stop")) expect(text).not.toMatch(/"stop/);
        if (traits.refuses?.includes("presencePenalty")) expect(text).not.toMatch(/presence/);
        const limit = (wire.max_tokens ??
          wire.max_completion_tokens ??
          wire.max_output_tokens ??
          0) as number;
        expect(limit).toBeLessThanOrEqual(traits.maxOutput ?? Number.POSITIVE_INFINITY);
        expect(text).not.toContain(SEAL_MARK);
      }),
      { numRuns: 2000 },
    );
    expect(families.flatMap(({ names }) => names.flatMap(alternatives)).length).toBeGreaterThan(150);
  });
});

/** On the converse wire: a model, what is asked of it, its own members, and the parameters that are left. */
it.each([
  ["openai.gpt-oss-120b-1:0", { reasoning_effort: "high" }, { reasoning_effort: "high" }, {}],
  [
    "us.anthropic.claude-opus-4-8",
    { reasoning_effort: "xhigh", temperature: 0.2 },
    { thinking: { type: "adaptive" }, output_config: { effort: "xhigh" } },
    {},
  ],
  [
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    { reasoning_effort: "high", temperature: 0.2, max_tokens: 3000 },
    { thinking: { type: "enabled", budget_tokens: 1500 } },
    { maxTokens: 3000 },
  ],
  ["us.anthropic.claude-opus-4-8", { reasoning_effort: "none" }, { thinking: { type: "disabled" } }, {}],
  [
    "us.amazon.nova-2-lite-v1:0",
    { reasoning_effort: "high", temperature: 0.2, top_p: 0.9 },
    { reasoningConfig: { type: "enabled", maxReasoningEffort: "high" } },
    {},
  ],
  [
    "us.amazon.nova-2-lite-v1:0",
    { reasoning_effort: "high", temperature: 0.2, max_tokens: 50 },
    { reasoningConfig: { type: "enabled", maxReasoningEffort: "medium" } },
    { maxTokens: 50, temperature: 0.2 },
  ],
])("%s is asked by its own members on the converse wire: %j", (model, ask, members, left) => {
  const { conversestyle, chatstyle } = codecs;
  const { wire } = encodeRequest(
    (chatstyle as AnyCodec).request.decode({ ...asked.chatstyle, ...ask }),
    conversestyle as AnyCodec,
    knownTraits(model),
  );
  expect(wire.additionalModelRequestFields).toEqual(members);
  expect(wire.inferenceConfig ?? {}).toEqual(left);
});

it("settings of the messages wire are read from the converse wire", () => {
  const members = { thinking: { type: "adaptive" }, output_config: { effort: "low" } };
  const read = (more: object) =>
    (codecs.conversestyle as AnyCodec).request.decode({
      modelId: "m",
      messages: [{ role: "user", content: [{ text: "Hi" }] }],
      additionalModelRequestFields: { ...members, ...more },
    } as never);
  expect(read({}).reasoning).toEqual({ effort: "low", show: "auto" });
  expect(read({}).extra).toBeUndefined();
  expect(read({ thinking: { type: "later" } }).reasoning).toBeUndefined();
});
