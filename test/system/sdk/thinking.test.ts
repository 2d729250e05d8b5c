import type Anthropic from "@anthropic-ai/sdk";
import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { model } from "../../support/text.ts";
import { WEATHER } from "./shared.ts";
import { stage } from "./stage.ts";

const BUDGET = ["gemini-2.5-flash", "gemini-2.5-pro"];
const GEMINI = [...BUDGET, "gemini-3-flash-preview", "gemini-of-tomorrow"];
/** Models that do not think, on servers that refuse to be asked, by the protocol they are asked in. */
const PLAIN = { chatstyle: "gpt-4o-old", responses: "gpt-4.1-old", msgstyle: "claude-3-5-haiku-old" };

const maxTokensField = "max_tokens" as const;
const set = stage({
  models: [
    ...GEMINI.map((id) => model(id, "genstyle")),
    ...Object.entries(PLAIN).map(([provider, id]) => {
      const { entries, ...plain } = model(id, provider);
      return { ...plain, entries: entries.map((entry) => ({ ...entry, traits: { maxTokensField } })) };
    }),
  ],
});

const tools = [
  { name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.parameters },
] as Anthropic.Tool[];
const CALL = `Weather please [[call:get_weather {"city":"Paris"}]] [[reason]]`;

/** What a coding agent says of thinking, in the forms that its versions have. */
const asks: [string, JsonObject][] = [
  ["enabled", { thinking: { type: "enabled", budget_tokens: 4_000 } }],
  ["adaptive", { thinking: { type: "adaptive" } }],
  ["effort", { thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "medium" } }],
  ["most effort", { thinking: { type: "adaptive" }, output_config: { effort: "max" } }],
  ["disabled", { thinking: { type: "disabled" } }],
];

const thinkingConfig = (): JsonObject => {
  const sent = set.h.simulator.ledger.last()?.request as { generationConfig?: JsonObject } | undefined;
  const config = sent?.generationConfig?.thinkingConfig;
  return isObject(config) ? config : {};
};

describe.each(GEMINI)("a coding agent on %s", (id) => {
  it.each(asks)("a coding agent goes through a loop of tools with thinking: %s", async (_, ask) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: CALL }];
    const turn = (): Promise<Anthropic.Message> =>
      set.msgstyle.messages
        .stream({ model: id, max_tokens: 16_000, tools, messages, ...ask } as Anthropic.MessageStreamParams)
        .finalMessage();
    const first = await turn();
    expect(first.stop_reason).toBe("tool_use");
    const call = first.content.find((block) => block.type === "tool_use");
    messages.push(
      { role: "assistant", content: first.content as Anthropic.ContentBlockParam[] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: "sunny" }] },
    );
    const second = await turn();
    expect(JSON.stringify(second.content)).toContain("sunny");
    const config = thinkingConfig();
    expect(Object.hasOwn(config, "thinkingLevel") && Object.hasOwn(config, "thinkingBudget")).toBe(false);
  });
});

it.each([
  ["gemini-2.5-flash", { thinkingBudget: 24_576 }],
  ["gemini-2.5-pro", { thinkingBudget: 24_576 }],
  ["gemini-3-flash-preview", { thinkingLevel: "HIGH" }],
  ["gemini-of-tomorrow", { thinkingLevel: "HIGH" }],
])("an effort reaches %s as it takes it, and x-explain says the same", async (id, expected) => {
  const body = {
    model: id,
    messages: [{ role: "user" as const, content: "Hi" }],
    reasoning_effort: "high" as const,
  };
  const headers = { "x-explain": "true" };
  const told = (await (await set.h.call("/api/chatstyle/v1/chat/completions", body, { headers })).json()) as {
    upstream: { body: { generationConfig: JsonObject } };
  };
  await set.chatstyle.chat.completions.create(body);
  expect(thinkingConfig()).toEqual(expected);
  expect(told.upstream.body.generationConfig.thinkingConfig).toEqual(expected);
});

describe.each(Object.entries(PLAIN))("a model that does not think, on %s", (_, id) => {
  const reasoned = (): boolean =>
    /reasoning|thinking|effort/.test(JSON.stringify(set.h.simulator.ledger.last()?.request));
  it.each([
    ["/api/chatstyle/v1/chat/completions", "/reasoning_effort", { reasoning_effort: "low" }],
    [
      "/api/msgstyle/v1/messages",
      "/output_config/effort",
      { output_config: { effort: "low" }, max_tokens: 99 },
    ],
    ["/api/msgstyle/v1/messages", "/thinking", { thinking: { type: "adaptive" }, max_tokens: 99 }],
  ])(
    "a model without thinking is not sent at %s what %s says, and the caller hears of it",
    async (path, lost, more) => {
      const body = { model: id, messages: [{ role: "user", content: "Hi" }], ...more };
      const answer = await set.h.call(path, body);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-losses")).toContain(`${lost};unsupported`);
      expect(reasoned()).toBe(false);
    },
  );
});

describe("thoughts in answers", () => {
  const foreign = ["gemini-2.5-flash", "gemini-3-flash-preview", "sim-responses"];
  const ask = "Think. [[reason]]";
  it.each(foreign)("a messages client that does not mention thoughts is shown them, by %s", async (id) => {
    const { content } = await set.msgstyle.messages
      .stream({
        model: id,
        max_tokens: 8_000,
        thinking: { type: "enabled", budget_tokens: 2_000 },
        messages: [{ role: "user", content: ask }],
      })
      .finalMessage();
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect((content[0] as Anthropic.ThinkingBlock).thinking).not.toBe("");
  });
  it.each(foreign)("a messages client that wants thoughts omitted is not shown them, by %s", async (id) => {
    const { content } = await set.msgstyle.messages.create({
      model: id,
      max_tokens: 8_000,
      thinking: { type: "adaptive", display: "omitted" },
      messages: [{ role: "user", content: ask }],
    });
    expect(content.map((block) => (block.type === "thinking" ? block.thinking : ""))).not.toContainEqual(
      expect.stringMatching(/./),
    );
  });
  const said: [string, JsonObject][] = [
    ["reasoning", { reasoning: { effort: "high" } }],
    ["a budget of reasoning", { reasoning: { max_tokens: 2_000 } }],
    ["include_reasoning", { reasoning_effort: "high", include_reasoning: true }],
    ["thinking", { thinking: { type: "enabled", budget_tokens: 2_000 } }],
  ];
  describe.each(said)("thoughts for a chat client by %s", (_, more) => {
    it.each([...foreign, "sim-msgstyle"])("a chat client is shown the thoughts of %s", async (model) => {
      const messages = [{ role: "user" as const, content: ask }];
      const { choices } = await set.chatstyle.chat.completions.create({
        model,
        messages,
        max_completion_tokens: 8_000,
        ...more,
      });
      expect(choices[0]?.message).toMatchObject({ reasoning_content: expect.stringMatching(/./) });
    });
  });
  it.each([
    ["reasoning", { reasoning: { enabled: false } }],
    ["thinking", { thinking: { type: "disabled" } }],
    ["reasoning_effort", { reasoning_effort: "none" as const }],
  ])("a chat client switches thoughts off with %s", async (_, more) => {
    const messages = [{ role: "user" as const, content: "Hi" }];
    await set.chatstyle.chat.completions.create({ model: "gemini-2.5-flash", messages, ...more });
    expect(thinkingConfig()).toEqual({ thinkingBudget: 0 });
  });
});

it("JSON output is requested from a messages model in words, and reported as such", async () => {
  const { data, response } = await set.chatstyle.chat.completions
    .create({
      model: "sim-msgstyle",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Who? [[system]]" },
      ],
      response_format: { type: "json_object" },
    })
    .withResponse();
  expect(data.choices[0]?.message.content).toMatch(/Be brief\..*valid JSON object/s);
  expect(response.headers.get("x-losses")).toContain("/response_format;approximated");
});
