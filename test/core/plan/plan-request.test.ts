import {
  type AnyCodec,
  chatstyle,
  codecs,
  genstyle,
  msgstyle,
  native,
  responses,
  translateRequest,
} from "@manifold-gateway/core";
import type { Capabilities } from "@manifold-gateway/core/capability";
import { textCheck } from "@manifold-gateway/core/check";
import { type JsonObject, run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import {
  CallerRequest,
  type PlanOptions,
  planRequest,
  Rejection,
  type RequestBody,
  type RequestPlan,
  type RequestTarget,
  readBody,
} from "@manifold-gateway/core/plan";
import { describe, expect, it } from "vitest";
import { provider as converse } from "../../../packages/core/src/protocols/conversestyle/provider.ts";

const bodyOf = (value: object | string): RequestBody => {
  const body = readBody(typeof value === "string" ? value : JSON.stringify(value));
  if (body instanceof Rejection) throw body;
  return body;
};

const callerOf = (codec: AnyCodec, value: object | string, reserved: string[] = []): CallerRequest =>
  new CallerRequest({ codec, body: bodyOf(value), model: "mine" }, reserved);

function planned(request: CallerRequest, target: RequestTarget, options?: PlanOptions): RequestPlan {
  const plan = planRequest(request, target, { capabilityCheck: textCheck, ...options });
  if (plan instanceof Rejection) throw plan;
  return plan;
}

function rejected(request: CallerRequest, target: RequestTarget, options?: PlanOptions): Rejection {
  const plan = planRequest(request, target, { capabilityCheck: textCheck, ...options });
  expect(plan).toBeInstanceOf(Rejection);
  return plan as Rejection;
}

const messages = [{ role: "user", content: "Hello" }];
const chat = { model: "mine", messages };
const toMessages = { codec: msgstyle, model: "theirs", traits: { maxOutput: 9 } };
const toChat = { codec: chatstyle, model: "theirs" };
/** A conversation of which the model's turn begins with a block. */
const historyOf = (block: object) => [
  ...messages,
  { role: "assistant", content: [block, { type: "text", text: "Hello." }] },
  ...messages,
];

describe("members of the messages wire that a server refuses", () => {
  const traits = { requestWithout: ["cacheScope", "eagerInput", "requestCache"] } as const;
  const mark = { type: "ephemeral", ttl: "1h" };
  const marked = (more: object) => ({ type: "text", text: "a", cache_control: { ...mark, ...more } });
  const bodyWith = (more: object, eager: object) => ({
    model: "mine",
    max_tokens: 9,
    system: [marked(more)],
    messages: [
      ...messages,
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { scope: "a" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [marked(more)] }] },
    ],
    tools: [{ name: "f", input_schema: { type: "object" }, ...eager, cache_control: { ...mark, ...more } }],
  });
  const whole = { ...bodyWith({ scope: "global" }, { eager_input_streaming: true }), cache_control: mark };
  const left = bodyWith({}, {});

  it.each([whole, left])(
    "are left out of a request that is forwarded, and its first ones reported",
    (body) => {
      const { body: sent, losses } = planned(callerOf(msgstyle, body), {
        codec: msgstyle,
        model: "mine",
        traits,
      });
      expect(JSON.parse(sent)).toEqual(left);
      expect(losses.map(({ path }) => path)).toEqual(
        body === left
          ? []
          : ["/cache_control", "/system/0/cache_control/scope", "/tools/0/eager_input_streaming"],
      );
    },
  );

  it("are left out of one that is written anew", () => {
    const { wire } = translateRequest(whole, { from: msgstyle, to: msgstyle, traits });
    expect(wire).toMatchObject(left);
    expect(wire).not.toHaveProperty("cache_control");
    expect(JSON.stringify(wire)).not.toContain("eager_input_streaming");
    expect(JSON.stringify(wire)).not.toContain('"global"');
  });

  it("of a mark alone are lost where another wire has marks", () => {
    const { wire, losses } = translateRequest(bodyWith({ scope: "global" }, {}), {
      from: msgstyle,
      to: converse as never,
      traits: { cacheMarks: true },
    });
    expect(wire.system).toEqual([{ text: "a" }, { cachePoint: { type: "default", ttl: "1h" } }]);
    expect(losses.map(({ path }) => path)).toContain("/system/0/cache_control/scope");
    const back = translateRequest(bodyWith({ scope: "global" }, {}), { from: msgstyle, to: msgstyle });
    expect(back.wire).toMatchObject(bodyWith({ scope: "global" }, {}));
  });

  it("reach a server that takes them, to the byte", () => {
    const text = JSON.stringify(whole);
    const { body: sent } = planned(callerOf(msgstyle, text), { codec: msgstyle, model: "mine", traits: {} });
    expect(sent).toBe(text);
  });
});

describe("thoughts that a model of the chat wire wants back", () => {
  const call = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: {} }],
  };
  const result = { role: "tool", tool_call_id: "c", content: "done" };
  const said = { role: "assistant", content: "Done." };
  const thought = { reasoning_content: "hm" };
  const empty = { reasoning_content: "" };
  const turns = [said, call, result];

  it.each<[reasoningBack: "calls" | "always", given: object[], sent: object[]]>([
    ["calls", turns, [said, { ...call, ...empty }, result]],
    ["always", turns, [{ ...said, ...empty }, { ...call, ...empty }, result]],
    ["always", [said], [said]],
    ["calls", [{ ...call, reasoning: "hm" }], [{ ...call, reasoning: "hm", ...thought }]],
  ])(
    "are in a request that is forwarded, empty where its client left them out: %s, %j",
    (back, given, sent) => {
      const { body, losses, translated } = planned(callerOf(chatstyle, { model: "mine", messages: given }), {
        ...toChat,
        traits: { reasoningBack: back },
      });
      expect(JSON.parse(body)).toEqual({ model: "theirs", messages: sent });
      expect({ losses, translated }).toEqual({ losses: [], translated: false });
    },
  );

  it.each([
    [{ reasoningBack: "calls" }, [{ ...call, ...thought }, result]],
    [{ reasoningBack: true }, turns],
    [{ reasoningBack: "calls" }, [null, said]],
  ] as const)("leave the messages as they are where none is missing: %j, %j", (traits, given) => {
    const text = JSON.stringify({ model: "mine", messages: given });
    const { body } = planned(callerOf(chatstyle, text), { ...toChat, traits });
    expect(body).toBe(text.replace("mine", "theirs"));
  });

  it("come without the signature of another vendor, which such a model does not know", () => {
    const parts = [{ functionCall: { name: "f", args: {} }, thoughtSignature: "c2ln" }];
    const { wire, losses } = translateRequest(
      { contents: [{ role: "model", parts }] },
      { from: genstyle, to: chatstyle, traits: { reasoningBack: "calls" } },
    );
    expect(JSON.stringify(wire)).not.toContain("extra_content");
    expect(losses.map(({ path }) => path)).toContain("/contents/0/parts/0/thoughtSignature");
  });
});

describe("a switch for thinking in the target's protocol", () => {
  const [type, server] = [{ thinkingBy: "type", efforts: [] }, { thinkingBy: "switch" }] as const;
  const template = { ...server, switchBy: "template" } as const;
  const effort = { ...server, switchBy: "effort" } as const;
  const off = { enable_thinking: false };
  const disabled = { thinking: { type: "disabled" } };
  const inTemplate = { chat_template_kwargs: { enable_thinking: false, thinking: false } };

  it.each<[traits: RequestTarget["traits"], asked: object, sent: object]>([
    [type, off, disabled],
    [type, { enable_thinking: true }, { thinking: { type: "enabled" } }],
    [
      type,
      { chat_template_kwargs: { thinking: false, lang: "en" } },
      { chat_template_kwargs: { lang: "en" }, ...disabled },
    ],
    [server, disabled, off],
    [server, { thinking: { type: "enabled" } }, { enable_thinking: true }],
    [server, inTemplate, off],
    [template, off, inTemplate],
    [
      template,
      { ...off, chat_template_kwargs: { lang: "en" } },
      { chat_template_kwargs: { lang: "en", ...inTemplate.chat_template_kwargs } },
    ],
    [effort, off, { reasoning_effort: "none" }],
    [effort, disabled, { reasoning_effort: "none" }],
  ])("is spelled as the server of a model does: %j, %j", (traits, asked, sent) => {
    const { body, losses, translated } = planned(callerOf(chatstyle, { ...chat, ...asked }), {
      ...toChat,
      traits,
    });
    expect(JSON.parse(body)).toEqual({ ...chat, model: "theirs", ...sent });
    expect({ losses, translated }).toEqual({ losses: [], translated: false });
  });

  it.each<[traits: RequestTarget["traits"], asked: object]>([
    [{}, off],
    [{ efforts: ["low", "high"] }, off],
    [type, disabled],
    // A client that writes for several servers.
    [type, { ...off, ...disabled }],
    [type, { ...off, reasoning_effort: "low" }],
    [template, { ...off, ...inTemplate }],
    [server, { thinking_budget: 9 }],
    [server, { thinking: { type: "novel" } }],
    [type, { chat_template_kwargs: { enable_thinking: false, thinking: true } }],
    [effort, { thinking: { type: "enabled", budget_tokens: 2000 } }],
  ])("stays as it is where it is the server's own, or says nothing certain: %j, %j", (traits, asked) => {
    const { body } = planned(callerOf(chatstyle, { ...chat, ...asked }), { ...toChat, traits });
    expect(JSON.parse(body)).toEqual({ ...chat, model: "theirs", ...asked });
  });

  it("is a loss as far as the server cannot say it", () => {
    const asked = { enable_thinking: true, thinking_budget: 2000 };
    const { losses } = planned(callerOf(chatstyle, { ...chat, ...asked }), { ...toChat, traits: type });
    expect(losses).toEqual([
      {
        path: "/enable_thinking",
        why: "approximated",
        detail: "thinking is switched on, and the amount left to the model",
      },
    ]);
    const always = { ...type, thinking: ["adaptive"] } as const;
    const kept = planned(callerOf(chatstyle, { ...chat, ...off }), { ...toChat, traits: always });
    expect(kept.losses).toEqual([expect.objectContaining({ path: "/enable_thinking", why: "approximated" })]);
    expect(JSON.parse(kept.body)).not.toHaveProperty("enable_thinking");
  });
});

describe("a request in the target's protocol", () => {
  it("a body is forwarded byte for byte, with the target's name of the model", () => {
    const text = '{ "model" : "mine", "messages":[{"content":"Hello","role":"user"}],\n "n": 1.0e0}';
    const { body, translated, losses, wire } = planned(callerOf(chatstyle, text), toChat);
    expect(body).toBe(text.replace("mine", "theirs"));
    expect({ translated, losses, wire }).toEqual({ translated: false, losses: [], wire: undefined });
  });

  it("a body that does not fit the schema is left to the provider", () => {
    const text = JSON.stringify({ model: "mine", messages: "Hello" });
    const capabilities: Capabilities = { params: { temperature: { type: "range", min: 0, max: 1 } } };
    expect(planned(callerOf(chatstyle, text), { ...toChat, capabilities }).body).toBe(
      text.replace("mine", "theirs"),
    );
  });

  it("members that a model does not take are removed from the text, as losses", () => {
    const capabilities: Capabilities = { text: { unsupported: { seed: "drop" } } };
    const { body, losses } = planned(callerOf(chatstyle, { ...chat, seed: 7 }), { ...toChat, capabilities });
    expect(JSON.parse(body)).toEqual({ model: "theirs", messages });
    expect(losses).toEqual([{ path: "/seed", why: "unsupported", detail: "the model does not support it" }]);
  });

  it("a value that asks for nothing is removed without a loss", () => {
    const capabilities: Capabilities = { text: { supportedParameters: ["temperature"] } };
    const text = { ...chat, n: 1, temperature: 0.5, presence_penalty: 0, tool_choice: "auto" };
    const { body, losses } = planned(callerOf(chatstyle, text), { ...toChat, capabilities });
    expect(JSON.parse(body)).toEqual({ model: "theirs", messages, temperature: 0.5, tool_choice: "auto" });
    expect(losses).toEqual([]);
  });

  it("options of pictures reach a model that lists what it supports of text", () => {
    const capabilities: Capabilities = { strictParams: true, text: { supportedParameters: ["temperature"] } };
    const image_config = { aspect_ratio: "16:9", image_size: "2K" };
    const { body } = planned(callerOf(chatstyle, { ...chat, image_config }), { ...toChat, capabilities });
    expect(JSON.parse(body)).toMatchObject({ image_config });
  });

  it.each<Capabilities>([
    { text: { unsupported: { candidates: "refuse" } } },
    { strictParams: true, text: { supportedParameters: ["temperature"] } },
  ])(
    "a value that asks for nothing is refused where the capabilities refuse its parameter: %j",
    (capabilities) => {
      const { errors } = rejected(callerOf(chatstyle, { ...chat, n: 1 }), { ...toChat, capabilities });
      expect(errors).toEqual([expect.stringContaining("n: the parameter is not supported")]);
    },
  );

  it("features that the server ignores are losses", () => {
    const asked = { messages: [{ role: "user", content: "Answer in JSON." }], model: "mine" };
    const request = callerOf(chatstyle, { ...asked, response_format: { type: "json_object" } });
    const { losses } = planned(request, { ...toChat, traits: { ignores: ["responseFormat"] } });
    expect(losses).toEqual([
      { path: "/response_format", canonical: "/format", why: "unsupported", detail: "the server ignores it" },
    ]);
  });

  describe("thoughts without a signature", () => {
    const said = (signature: string) => ({ type: "thinking", thinking: "Well.", signature });
    const ofOthers = { model: "mine", max_tokens: 9, messages: historyOf(said("")) };
    const toSigned = { ...toMessages, traits: { thoughtSignatures: true } };

    it("are left out for a model that demands one, as losses", () => {
      const { body, losses, translated } = planned(callerOf(msgstyle, ofOthers), toSigned);
      expect(JSON.parse(body).messages[1]).toEqual({ role: "assistant", content: "Hello." });
      expect(losses.map(({ path }) => path)).toEqual(["/messages/1/content/0"]);
      expect(translated).toBe(false);
    });

    it("are forwarded on a wire that has no signatures", () => {
      const turn = { role: "assistant", content: "Hello.", reasoning_content: "Well." };
      const text = JSON.stringify({ model: "mine", messages: [...messages, turn, ...messages] }, null, 1);
      const toSignedChat = { ...toChat, traits: { thoughtSignatures: true } };
      expect(planned(callerOf(chatstyle, text), toSignedChat).body).toBe(text.replace("mine", "theirs"));
    });

    it("are forwarded to any other model", () => {
      const { body } = planned(callerOf(msgstyle, ofOthers), toMessages);
      expect(JSON.parse(body)).toEqual({ ...ofOthers, model: "theirs" });
    });

    it("keep no body of signed ones from being forwarded byte for byte", () => {
      const text = JSON.stringify({ ...ofOthers, messages: historyOf(said("c2lnbmVk")) }, null, 1);
      expect(planned(callerOf(msgstyle, text), toSigned).body).toBe(text.replace("mine", "theirs"));
    });
  });

  describe("ids of calls that another model gave", () => {
    const id = "functions.f:0";
    const asBlocks = (name: string) => ({
      model: "mine",
      max_tokens: 9,
      messages: [
        ...messages,
        { role: "assistant", content: [{ type: "tool_use", id: name, name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: name, content: "1" }] },
      ],
    });
    const asCalls = (name: string) => ({
      model: "mine",
      messages: [
        ...messages,
        {
          role: "assistant",
          tool_calls: [{ id: name, type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: name, content: "1" },
      ],
    });
    const asItems = (name: string) => ({
      model: "mine",
      input: [
        { role: "user", content: "Hello" },
        { type: "function_call", call_id: name, name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: name, output: "1" },
      ],
    });
    const asUses = (name: string) => ({
      messages: [
        { role: "user", content: [{ text: "Hello" }] },
        { role: "assistant", content: [{ toolUse: { toolUseId: name, name: "f", input: {} } }] },
        { role: "user", content: [{ toolResult: { toolUseId: name, content: [{ text: "1" }] } }] },
      ],
    });
    const strict = { foreignCallIds: false };
    const toExact = { ...toChat, traits: { callIdLength: 9 } };
    const toStrictChat = { ...toChat, traits: strict };
    const toStrictMessages = { ...toMessages, traits: { maxOutput: 9, ...strict } };
    const toResponses = { codec: responses, model: "theirs" };
    const toStrictResponses = { ...toResponses, traits: strict };
    const toConverse = { codec: codecs.conversestyle, model: "theirs" };
    /** The values of a member, wherever it stands. */
    const valuesOf = (body: string, member: string): string[] =>
      [...body.matchAll(new RegExp(`"${member}":"([^"]*)"`, "g"))].map(([, value]) => value as string);

    it.each([
      [msgstyle, asBlocks(id), toStrictMessages, "id", "tool_use_id", /^[a-zA-Z0-9_-]+$/],
      [chatstyle, asCalls(id), toExact, "id", "tool_call_id", /^[a-zA-Z0-9]{9}$/],
      [chatstyle, asCalls("x".repeat(41)), toStrictChat, "id", "tool_call_id", /^.{1,40}$/],
      [responses, asItems("x".repeat(65)), toStrictResponses, "call_id", "call_id", /^.{1,64}$/],
      [codecs.conversestyle, asUses(id), toConverse, "toolUseId", "toolUseId", /^[a-zA-Z0-9_-]{1,64}$/],
    ] as const)(
      "are spelled as the server takes them, in pairs: %#",
      (codec, wire, target, call, result, taken) => {
        const { body } = planned(callerOf(codec as AnyCodec, wire), target as unknown as RequestTarget);
        const spelled = new Set([...valuesOf(body, call), ...valuesOf(body, result)]);
        expect([...spelled]).toEqual([expect.stringMatching(taken)]);
      },
    );

    it("are found where a body has objects in place of long strings", () => {
      const body = bodyOf(asCalls("x".repeat(5000)));
      const lazy = JSON.parse(JSON.stringify(body.value), (_, value) =>
        typeof value === "string" && value.length > 1000 ? {} : value,
      );
      const request = new CallerRequest({ codec: chatstyle, body: { ...body, lazy }, model: "mine" });
      const [, , told] = JSON.parse(planned(request, toStrictChat).body).messages;
      expect(told.tool_call_id.length).toBeLessThanOrEqual(40);
    });

    it.each([
      [msgstyle, asBlocks(id), toMessages],
      [msgstyle, asBlocks("toolu_1"), toStrictMessages],
      [chatstyle, asCalls(id), toChat],
      [chatstyle, asCalls("x".repeat(41)), toChat],
      [chatstyle, asCalls("x".repeat(40)), toStrictChat],
      [chatstyle, asCalls("a1B2c3D4e"), toExact],
      [responses, asItems("x".repeat(65)), toResponses],
      [responses, asItems("x".repeat(64)), toStrictResponses],
    ] as const)("are forwarded where they are taken: %#", (codec, wire, target) => {
      const { body } = planned(callerOf(codec as AnyCodec, wire), target as RequestTarget);
      expect(JSON.parse(body)).toEqual({ ...wire, model: "theirs" });
    });
  });

  it("reserved members reach only a target that takes them", () => {
    const request = callerOf(chatstyle, { ...chat, provider: { only: ["a"] } }, ["provider"]);
    expect(JSON.parse(planned(request, toChat).body)).toEqual({ model: "theirs", messages });
    const taken = planned(request, { ...toChat, reserved: { provider: { only: ["b"] } } });
    expect(JSON.parse(taken.body)).toEqual({ model: "theirs", messages, provider: { only: ["b"] } });
  });
});

describe("a request in another protocol", () => {
  it("a plan has the body of the other protocol, and losses with pointers into the caller's body", () => {
    const { body, wire, losses, translated, upstream } = planned(
      callerOf(chatstyle, { ...chat, seed: 7 }),
      toMessages,
    );
    expect(JSON.parse(body)).toEqual(wire);
    expect(wire).toMatchObject({ model: "theirs", max_tokens: 9 });
    expect({ translated, upstream }).toEqual({ translated: true, upstream: msgstyle });
    expect(losses.map(({ path }) => path)).toContain("/seed");
  });

  it("each call of `restore` returns a machine of its own", () => {
    const tools = [{ type: "function", function: { name: "a.b", parameters: { type: "object" } } }];
    const { restore } = planned(callerOf(chatstyle, { ...chat, tools }), toMessages);
    const name = (
      planned(callerOf(chatstyle, { ...chat, tools }), toMessages).wire!.tools as JsonObject[]
    )[0]!.name as string;
    const open: Event = { type: "open", index: 0, part: { type: "call", id: "1", name } };
    const opened = { ...open, part: { type: "call", id: "1", name: "a.b" } };
    expect([run(restore!(), [open]), run(restore!(), [open])]).toEqual([[opened], [opened]]);
  });

  it("members to drop are losses", () => {
    const body = bodyOf({ model: "mine", input: "Hello", store: true });
    const request = new CallerRequest({ codec: responses, body, model: "mine", drop: ["store"] });
    expect(planned(request, toChat).losses).toContainEqual({ path: "/store", why: "unsupported" });
  });

  it("members to drop that ask for nothing are none", () => {
    const drop = ["store", "include", "previous_response_id", "reasoning"];
    const empty = { store: false, include: [], previous_response_id: null, reasoning: { effort: null } };
    const lossesOf = (more: JsonObject): unknown => {
      const body = bodyOf({ model: "mine", input: "Hello", ...empty, ...more });
      return planned(new CallerRequest({ codec: responses, body, model: "mine", drop }), toChat).losses;
    };
    expect(lossesOf({})).toEqual([]);
    const path = "/include";
    expect(lossesOf({ include: ["message.output_text.logprobs"] })).toEqual([{ path, why: "unsupported" }]);
  });

  it("the default output limit is that of the capabilities", () => {
    const target = { codec: msgstyle, model: "theirs", capabilities: { text: { maxOutputTokens: 123 } } };
    expect(planned(callerOf(chatstyle, chat), target).wire).toMatchObject({ max_tokens: 123 });
  });
});

describe("a rejection", () => {
  it.each(["{", "[]", '"text"', ""])("%j is not a body", (text) => {
    expect(readBody(text)).toMatchObject({ code: "invalid_request", param: "body" });
  });

  it.each<[AnyCodec, JsonObject, string]>([
    [chatstyle, { messages: 7 }, "messages"],
    [chatstyle, { messages, temperature: "hot" }, "temperature"],
    [responses, { input: 7 }, "input"],
    [msgstyle, { messages: [], max_tokens: "many" }, "max_tokens"],
    [genstyle, { contents: 7 }, "contents"],
    [genstyle, { contents: [{ parts: 7 }] }, "contents"],
    [native, { messages, temperature: "hot" }, "temperature"],
  ])("of a body of %# names the field of its surface", (codec, wrong, param) => {
    const { errors, ...refused } = rejected(callerOf(codec, { model: "mine", ...wrong }), {
      ...(codec === msgstyle ? toChat : toMessages),
    });
    expect(refused.param).toBe(param);
    expect(errors[0]).toMatch(new RegExp(`^${param}[.:]`));
  });

  it("a body that does not fit the schema names the field and the model", () => {
    const { code, errors } = rejected(callerOf(chatstyle, { model: "mine", messages: 7 }), toMessages);
    expect(code).toBe("invalid_request");
    expect(errors).toEqual([expect.stringMatching(/^messages: .*\(model 'mine'\)$/)]);
  });

  it("content without which the answer would be to another request is never a mere loss", () => {
    const asked = { model: "mine", input: "And then?", previous_response_id: "resp_1" };
    expect(rejected(callerOf(responses, asked), toMessages)).toMatchObject({
      code: "unsupported_content",
      param: "previous_response_id",
      errors: ["previous_response_id: the model 'mine' does not accept this field."],
    });
    expect(() => translateRequest(asked, { from: responses, to: msgstyle })).toThrow(Rejection);
  });

  it("an item that demands a compacted conversation is never answered by a mere reply", () => {
    const compacting = {
      model: "mine",
      input: [{ role: "user", content: "A long story." }, { type: "compaction_trigger" }],
    };
    for (const target of [toChat, toMessages])
      expect(rejected(callerOf(responses, compacting), target)).toMatchObject({
        code: "unsupported_content",
        errors: ["input.1: the model 'mine' does not accept items of the type compaction_trigger."],
      });
  });

  it("items that only their vendor can read are refused, unless a conversation can do without them", () => {
    const withItem = (item: object) =>
      callerOf(responses, { model: "mine", input: [{ role: "user", content: "Hello." }, item] });
    const reference = "references to stored calls; send the calls themselves";
    for (const [item, noun] of [
      [{ type: "item_reference", id: "ctc_1" }, reference],
      [{ id: "fc_1" }, reference],
      [{ id: "fc_1", type: null }, reference],
      [{ type: "compaction", id: "cmp_1", encrypted_content: "sealed" }, "items of the type compaction"],
    ] as const)
      for (const target of [toChat, toMessages])
        expect(rejected(withItem(item), target)).toMatchObject({
          code: "unsupported_content",
          param: "input.1",
          errors: [`input.1: the model 'mine' does not accept ${noun}.`],
        });
    for (const id of ["msg_1", "rs_1", "ws_1"])
      expect(planned(withItem({ type: "item_reference", id }), toChat).losses).toContainEqual(
        expect.objectContaining({ path: "/input/1", why: "unsupported" }),
      );
  });

  it("a request of a stored prompt is refused where the prompt cannot be read", () => {
    const asked = callerOf(responses, { model: "mine", input: "And then?", prompt: { id: "pmpt_1" } });
    expect(rejected(asked, toMessages)).toMatchObject({ code: "unsupported_content", param: "prompt" });
  });

  it("a malformed media type is refused before it is put into a message", () => {
    const source = { type: "base64", media_type: "image/\npng", data: "AAAA" };
    const asked = {
      model: "mine",
      max_tokens: 9,
      messages: [{ role: "user", content: [{ type: "image", source }] }],
    };
    expect(rejected(callerOf(msgstyle, asked), toChat)).toMatchObject({ code: "invalid_request" });
    expect(() => translateRequest(asked, { from: msgstyle, to: chatstyle })).toThrow(Rejection);
  });

  it("a value that the model does not take names a model that takes it", () => {
    const range = (max: number): Capabilities => ({
      text: { params: { temperature: { type: "range", min: 0, max } } },
    });
    const options = { others: () => [{ id: "warm", capabilities: range(2) }] };
    const request = callerOf(chatstyle, { ...chat, temperature: 2 });
    for (const target of [toChat, toMessages])
      expect(rejected(request, { ...target, capabilities: range(1) }, options)).toMatchObject({
        code: "value_not_allowed",
        param: "temperature",
        errors: [expect.stringContaining("The model 'warm' accepts it.")],
      });
  });

  it("each rule of a caller about losses is named in its words", () => {
    const request = callerOf(chatstyle, { ...chat, seed: 7 });
    const all = rejected(request, toMessages, { rules: { all: "losses are off" } });
    expect(all).toMatchObject({ code: "losses", rule: "all" });
    expect(all.errors.join()).toContain("seed: would be lost with the model 'mine', and losses are off.");
    const settings = rejected(request, toMessages, { rules: { settings: "settings count" } });
    expect(settings).toMatchObject({ code: "unsupported_parameter", rule: "settings", param: "seed" });
  });

  it("a model with `strictParams` refuses a parameter that the wire lacks", () => {
    const capabilities: Capabilities = { strictParams: true };
    const refused = rejected(callerOf(chatstyle, { ...chat, seed: 7 }), { ...toMessages, capabilities });
    expect(refused).toMatchObject({ code: "unsupported_parameter", rule: undefined, param: "seed" });
  });

  it("a target with capabilities is an error of the program where the check is missing", () => {
    const unchecked = { capabilityCheck: undefined };
    const request = callerOf(chatstyle, chat);
    for (const to of [toMessages, toChat])
      expect(() => planned(request, { ...to, capabilities: {} }, unchecked)).toThrow("capabilityCheck");
    expect(planned(request, toChat, unchecked).translated).toBe(false);
  });

  it.each([
    ["by the check", { capabilityCheck: textCheck }],
    ["by encoding where there is none", { capabilityCheck: undefined }],
  ])("reasoning is left out for a model that does none, %s", (_, options) => {
    const target = { ...toChat, traits: { thinking: [] } };
    const asking = planned(callerOf(chatstyle, { ...chat, reasoning_effort: "high" }), target, options);
    expect(JSON.parse(asking.body)).toEqual({ ...chat, model: "theirs" });
    expect(asking.losses.map(({ path }) => path)).toEqual(["/reasoning_effort"]);
    const text = JSON.stringify({ ...chat, unknown: 1.0 });
    expect(planned(callerOf(chatstyle, text), target, options).body).toBe(text.replace("mine", "theirs"));
  });

  it("a further check refuses what is to be translated, and nothing that is forwarded", () => {
    const options = { check: () => new Rejection("body_too_complex", ["Too much."]) };
    const request = callerOf(chatstyle, chat);
    expect(rejected(request, toMessages, options).code).toBe("body_too_complex");
    expect(planned(request, toChat, options).translated).toBe(false);
  });
});

it("a picture by its address, which a target cannot load, is refused by its place and what it takes", () => {
  const content = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
  const request = callerOf(chatstyle, { ...chat, messages: [{ role: "user", content }] });
  const { code, param, errors } = rejected(request, { codec: converse, model: "theirs" });
  expect([code, param]).toEqual(["unsupported_content", "messages.0.content.0"]);
  expect(errors[0]).toContain("bytes, and no addresses: send it in base64");
});
