import {
  chatstyle,
  encodeRequest,
  genstyle,
  msgstyle,
  responses,
  type TextRequest,
} from "@manifold-gateway/core";
import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import type { Message, Part } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asked } from "./text-request.ts";

const text = (words: string): Part => ({ type: "text", text: words });
const call = (id: string): Part => ({ type: "call", id, name: "weather", arguments: "{}" });
const result = (id: string): Part => ({ type: "result", id, parts: [{ type: "text", text: "sun" }] });
const say = (role: Message["role"], ...parts: Part[]) => ({ role, parts }) as Message;
const messagesIn = (wire: JsonObject) => wire.messages as (JsonObject & { role: string })[];
const chatFor = (messages: Message[], traits: Traits) => encodeRequest(asked(messages), chatstyle, traits);

const turn = fc.constantFrom<(i: number) => Message[]>(
  (i) => [say("user", text(`text ${i}`))],
  (i) => [say("assistant", text(`text ${i}`))],
  (i) => [say("system", text(`text ${i}`))],
  (i) => [say("assistant", call(`toolu_${i}`)), say("user", result(`toolu_${i}`), text(`text ${i}`))],
  (i) => [say("assistant", call("call_0")), say("user", result("call_0")), say("system", text(`text ${i}`))],
);
const conversation = fc
  .array(turn, { minLength: 1, maxLength: 7 })
  .map((turns) => turns.flatMap((make, i) => make(i)));

/** Who follows whom at servers with strict templates: nothing but the model follows a result. */
const follow: Record<string, string[]> = {
  system: ["system", "user"],
  user: ["assistant"],
  assistant: ["user", "tool"],
  tool: ["tool", "assistant"],
};

test("a strict server gets turns in the order that it insists on, the user's last, and every text", () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const { wire } = chatFor(messages, knownTraits("mistral-large-latest"));
      const roles = messagesIn(wire).map(({ role }) => role);
      for (const [i, role] of roles.slice(1).entries())
        expect(follow[roles[i] as string], roles.join()).toContain(role);
      if (roles.some((role) => role !== "system")) expect(["user", "tool"]).toContain(roles.at(-1));
      const texts = (value: unknown) => JSON.stringify(value).match(/text \d+/g) ?? [];
      expect(texts(wire.messages)).toEqual(texts(messages));
    }),
  );
});

test("ids of calls have the length that the model reads, alike at call and result, and each its own", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (ids) => {
      const messages = [
        say("user", text("hi")),
        say("assistant", ...ids.map(call)),
        say("user", ...ids.map(result)),
      ];
      for (const to of [chatstyle, msgstyle, responses]) {
        const { wire } = encodeRequest(asked(messages), to, { callIdLength: 9, maxOutput: 9 });
        const found =
          JSON.stringify(wire).match(/(?<="(?:id|tool_call_id|tool_use_id|call_id)":")[^"]*/g) ?? [];
        expect(found).toHaveLength(2 * ids.length);
        for (const id of found) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
        expect(new Set(found).size).toBe(ids.length);
      }
    }),
  );
});

test("an id that the model wrote itself stays as it is", () => {
  const { wire } = chatFor([say("assistant", call("Ab3dEf9hI")), say("user", result("Ab3dEf9hI"))], {
    callIdLength: 9,
  });
  expect(JSON.stringify(wire)).toContain('"tool_call_id":"Ab3dEf9hI"');
});

test.each([
  ["claude-opus-4-5", msgstyle, "assistant"],
  ["claude-opus-4-6", msgstyle, "user"],
  ["anthropic/claude-sonnet-5", chatstyle, "user"],
  ["gpt-5.6", chatstyle, "assistant"],
])("the beginning of an answer goes to %s only if it takes one", (model, to, last) => {
  const { wire, losses } = encodeRequest(
    asked([say("user", text("Count.")), say("assistant", text("One,"))], { params: { maxTokens: 9 } }),
    to,
    knownTraits(model),
  );
  expect(messagesIn(wire).at(-1)?.role).toBe(last);
  expect(losses.map(({ path }) => path)).toEqual(last === "user" ? ["/messages"] : []);
});

describe("thoughts of earlier turns", () => {
  const thought: Part = { type: "reasoning", text: "Hm." };
  const signed: Part = { type: "reasoning", text: "Ah.", seal: { protocol: "msgstyle", value: "s" } };
  const round = (...first: Part[]) => [
    say("user", text("hi")),
    say("assistant", ...first, call("c1")),
    say("user", result("c1")),
    say("assistant", text("It is sunny.")),
    say("user", text("thanks")),
  ];
  const thoughtsIn = (wire: JsonObject) =>
    messagesIn(wire).flatMap((message) => (message.role === "assistant" ? [message.reasoning_content] : []));

  test.each<[model: string, first: Part[], thoughts: unknown[]]>([
    ["deepseek-v4-pro", [thought], ["Hm.", ""]],
    ["deepseek/deepseek-v4-flash", [signed], ["Ah.", ""]],
    ["deepseek-v4-pro", [], ["", ""]],
    ["kimi-k2.6", [], ["", undefined]],
    ["moonshotai/kimi-k2-thinking", [thought], ["Hm.", undefined]],
    ["glm-5.3", [thought], ["Hm.", undefined]],
    ["mistral-large-latest", [thought], [undefined, undefined]],
    ["gpt-5.6", [thought], [undefined, undefined]],
  ])("%s gets the thoughts that it insists on", (model, first, thoughts) => {
    expect(thoughtsIn(chatFor(round(...first), knownTraits(model)).wire)).toEqual(thoughts);
  });

  test("a model that insists on thoughts gets none of a conversation without calls", () => {
    const messages = [say("user", text("a")), say("assistant", text("b")), say("user", text("c"))];
    expect(thoughtsIn(chatFor(messages, knownTraits("deepseek-v4-pro")).wire)).toEqual([undefined]);
  });

  test("the messages wire of such a model gets thoughts without a signature", () => {
    const request: TextRequest = asked(round(thought), { params: { maxTokens: 9 } });
    const { wire } = encodeRequest(request, msgstyle, knownTraits("deepseek-v4-pro"));
    const blocks = messagesIn(wire).flatMap(({ role, content }) =>
      role === "assistant" ? [(content as JsonObject[])[0]] : [],
    );
    expect(blocks).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "" },
      { type: "thinking", thinking: "", signature: "" },
    ]);
  });

  test("the chat wire of a model that insists on signatures of calls has each step's first", () => {
    const seal = { protocol: "genstyle", value: "c2ln" } as const;
    const messages = [
      say("user", text("hi")),
      say("assistant", { ...call("c1"), seal } as Part, call("c2")),
      say("user", result("c1"), result("c2")),
      say("assistant", call("c3")),
      say("user", result("c3")),
    ];
    const { wire } = chatFor(messages, knownTraits("google/gemini-3-pro-preview"));
    const signatures = messagesIn(wire).flatMap(({ tool_calls: calls }) =>
      ((calls ?? []) as JsonObject[]).map(({ extra_content: extra }) => JSON.stringify(extra)),
    );
    expect(signatures).toEqual([
      expect.stringContaining("c2ln"),
      undefined,
      expect.stringContaining("skip_thought_signature_validator"),
    ]);
  });

  test("a model that refuses signatures gets none", () => {
    const { wire } = encodeRequest(asked(round(thought)), genstyle, knownTraits("gemma-4-31b-it"));
    expect(JSON.stringify(wire)).not.toMatch(/thought/i);
  });
});

test.each([
  ["deepseek-v4-pro", "sun\nand wind"],
  ["my-model", "sun\nand wind"],
  ["gpt-5.6", [text("sun"), text("and wind")]],
])("several texts of a result are one for %s unless it takes them", (model, content) => {
  const parts = [text("sun"), text("and wind")] as Extract<Part, { type: "result" }>["parts"];
  const request = asked([
    say("user", text("hi")),
    say("assistant", call("c1")),
    say("user", { type: "result", id: "c1", parts }),
  ]);
  const { wire, losses } = encodeRequest(request, chatstyle, knownTraits(model));
  expect(messagesIn(wire).at(-1)).toEqual({ role: "tool", tool_call_id: "c1", content });
  expect(losses.map(({ path }) => path)).toEqual(
    typeof content === "string" ? ["/messages/2/parts/0/parts"] : [],
  );
});
