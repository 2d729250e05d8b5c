import { encodeRequest } from "@manifold-gateway/core";
import { type JsonObject, snake } from "@manifold-gateway/core/codec";
import type { Message, Part } from "@manifold-gateway/core/ir";
import type { NodeValidator } from "@manifold-gateway/core/schema";
import { describe, expect, test } from "vitest";
import { recase } from "../../../packages/core/src/protocols/genstyle/casing.ts";
import { genstyle } from "../../../packages/core/src/protocols/genstyle/index.ts";
import {
  asked,
  call,
  decode,
  encode,
  hello,
  messagesOf,
  model,
  partsOf,
  request,
  result,
  user,
} from "./genstyle-kit.ts";

const text = (said: string): Part => ({ type: "text", text: said });
const answer = (id: string, ...parts: Part[]): Message => ({
  role: "user",
  parts: [{ type: "result", id, parts: parts as never }],
});
const calling = (id: string, more: JsonObject = {}): Part =>
  ({ type: "call", id, name: "f", arguments: "{}", ...more }) as Part;
const idsIn = (parts: object[]): string[] =>
  parts.flatMap((part) => ("id" in part ? [part.id as string] : []));

describe("genstyle requests in both casings", () => {
  test("both casings are read at every depth, and the user's own names stay as they are", () => {
    const args = { file_uri: "a", inline_data: { mime_type: "b" } };
    const wire = decode({
      system_instruction: { parts: { text: "Be brief." } },
      contents: [user({ text: "Hi." }), { role: "model", parts: [{ function_call: { name: "f", args } }] }],
      tools: [
        {
          function_declarations: [
            { name: "f", parameters: { properties: { top_k: { any_of: [{ type: "STRING" }] } } } },
          ],
        },
      ],
      generation_config: { top_k: 4, thinking_config: { include_thoughts: true } },
      labels: { top_k: "mine" },
    });
    expect(wire.messages[0]).toEqual({ role: "system", parts: [text("Be brief.")] });
    expect(wire.messages[2]?.parts[0]).toMatchObject({ arguments: JSON.stringify(args) });
    expect(wire.tools?.[0]).toMatchObject({
      schema: { properties: { top_k: { anyOf: [{ type: "string" }] } } },
    });
    expect(wire.params).toEqual({ topK: 4, labels: { top_k: "mine" } });
    expect(wire.reasoning).toEqual({ show: "auto" });
  });
  test("every member that the schema, the facts or the parameters name is read in snake case", () => {
    const named: string[] = [];
    const visit = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      for (const [key, inner] of Object.entries(schema)) {
        if (key === "members") named.push(...Object.keys(inner as object));
        visit(inner);
      }
    };
    visit((request.schema as NodeValidator<unknown>).node);
    const { spellings, system, bound, mediaTypes } = genstyle.facts;
    for (const path of Object.values(spellings).flat()) named.push(...path.split("."));
    named.push(...system, ...bound, ...mediaTypes, ...genstyle.params.flatMap(({ wire }) => wire.split(".")));
    const camel = [...new Set(named)].filter((name) => /[A-Z]/.test(name));
    expect(camel.length).toBeGreaterThan(25);
    expect(camel.filter((name) => !(name in recase({ [snake(name)]: 1 })))).toEqual([]);
  });
  test.each([
    ["a string", "Hi."],
    ["one content", { parts: [{ text: "Hi." }] }],
    ["one part", { role: "user", parts: { text: "Hi." } }],
    ["a list of strings", ["Hi."]],
  ])("contents may be %s", (_, contents) => {
    expect(decode({ contents }).messages).toEqual([{ role: "user", parts: [text("Hi.")] }]);
  });
  test.each([
    [{ contents: [] }, ["contents"]],
    [{}, ["contents"]],
    [{ contents: [{ parts: [{ text: 1 }] }] }, ["contents", 0, "parts", 0, "text"]],
    [
      { contents: "x", generation_config: { max_output_tokens: "1" } },
      ["generationConfig", "maxOutputTokens"],
    ],
    [
      { contents: [user({ function_response: { name: "f", response: "text" } })] },
      ["contents", 0, "parts", 0, "functionResponse", "response"],
    ],
  ])("a request with %j is refused by its place", (wire, path) => {
    expect(request.schema.safeParse(wire).error?.issues[0]?.path).toEqual(path);
  });
  test("the model and the stream are the host's, whatever the body says", () => {
    const wire = decode({ contents: "x", model: "other", stream: true });
    expect(wire).toMatchObject({ model: "", stream: false });
    expect(wire.extra).toBeUndefined();
    expect(genstyle.endpoint("a/b", true)).toBe("/models/a/b:streamGenerateContent?alt=sse");
  });
});

describe("calls and results of a step", () => {
  test.each<[string, JsonObject[], string[]]>([
    [
      "by order of one name",
      [model(call("f"), call("f")), user(result("f", {}), result("f", {}))],
      ["call_0", "call_1", "call_0", "call_1"],
    ],
    [
      "by name",
      [model(call("f"), call("g")), user(result("g", {}), result("f", {}))],
      ["call_0", "call_1", "call_1", "call_0"],
    ],
    [
      "by id before name",
      [model(call("f", {}, "a"), call("f", {}, "b")), user(result("f", {}, "b"), result("f", {}, "a"))],
      ["a", "b", "b", "a"],
    ],
    [
      "by position where the name is wrong",
      [model(call("f"), call("g")), user(result("x", {}), result("g", {}))],
      ["call_0", "call_1", "call_0", "call_1"],
    ],
    [
      "by the id that only the result has",
      [model(call("f")), user(result("f", {}, "mine"))],
      ["mine", "mine"],
    ],
    [
      "over several contents",
      [model(call("f"), call("g")), user(result("f", {})), user(result("g", {}))],
      ["call_0", "call_1", "call_0", "call_1"],
    ],
    [
      "step by step",
      [
        model(call("f")),
        { role: "function", parts: [result("f", {})] },
        model(call("f")),
        { role: "tool", parts: [result("f", {})] },
      ],
      ["call_0", "call_0", "call_1", "call_1"],
    ],
    ["past ids that are taken", [model(call("f", {}, "call_0"), call("f"))], ["call_0", "call_1"]],
    ["not at all where there is no call", [user(result("f", {}))], ["call_0"]],
  ])("calls and results are paired within their step: %s", (_, contents, ids) => {
    expect(idsIn(partsOf(user({ text: "Go." }), ...contents))).toEqual(ids);
  });
  test("a content without a role is the model's where it calls, and is split where both speak", () => {
    expect(
      messagesOf({ parts: [{ text: "I call." }, call("f")] }, user(result("f", {}), { text: "Go on." })),
    ).toMatchObject([
      { role: "assistant", parts: [{ type: "text" }, { type: "call" }] },
      { role: "user", parts: [{ type: "result" }, { type: "text" }] },
    ]);
    expect(messagesOf(model(call("f"), result("f", {}), { text: "Done." })).map(({ role }) => role)).toEqual([
      "assistant",
      "user",
      "assistant",
    ]);
  });
  test("names come from the call, ids stay away where they are refused", () => {
    const messages: Message[] = [
      hello,
      { role: "assistant", parts: [calling("x1")] as never },
      answer("x1", text("ok")),
    ];
    expect(encode(asked(messages)).wire.contents[2]?.parts).toEqual([result("f", { output: "ok" }, "x1")]);
    expect(JSON.stringify(encode(asked(messages), { callIds: false }).wire)).not.toContain("x1");
  });
});

describe("the results of tools", () => {
  test.each<[string, boolean, JsonObject, JsonObject]>([
    ["18 degrees", false, { output: "18 degrees" }, {}],
    ["", false, { output: "" }, {}],
    ['{"a":1}', false, { a: 1 }, {}],
    ["[1]", false, { output: "[1]" }, {}],
    ["5", false, { output: "5" }, {}],
    ["no such file", true, { error: "no such file" }, { failed: true }],
    ['{"code":7}', true, { error: { code: 7 } }, { failed: true }],
    ['{"error":"x","code":7}', true, { error: "x", code: 7 }, { failed: true }],
  ])(
    "a result is an object on the wire and text in the IR: %j, failed: %s",
    (said, failed, response, back) => {
      const part = {
        ...answer("a", ...(said === "" ? [] : [text(said)])).parts[0],
        ...(failed && { failed: true }),
      };
      const messages = [
        hello,
        { role: "assistant", parts: [calling("a")] },
        { role: "user", parts: [part] },
      ] as Message[];
      const { wire, losses } = encode(asked(messages));
      expect(wire.contents[2]?.parts[0]).toEqual(result("f", response, "a"));
      expect(losses).toEqual([]);
      expect(decode(wire).messages[2]?.parts[0]).toEqual({ ...part, name: "f", ...back });
    },
  );
  test.each<[JsonObject, string, boolean]>([
    [{ result: "bare" }, "bare", false],
    [{ output: 5 }, '{"output":5}', false],
    [{ output: "x", error: null }, '{"output":"x","error":null}', false],
    [{ stdout: "", error: "boom" }, '{"stdout":"","error":"boom"}', true],
  ])("a result of %j is read as text", (response, said, failed) => {
    expect(partsOf(model(call("f")), user(result("f", response)))[1]).toMatchObject({
      parts: [text(said)],
      ...(failed ? { failed: true } : {}),
    });
  });
  test("a result that reads back differently is named", () => {
    const { losses } = encode(
      asked([
        hello,
        { role: "assistant", parts: [calling("a")] as never },
        answer("a", text('{ "error": "x" }')),
      ]),
    );
    expect(losses.map(({ path }) => path)).toEqual([
      "/messages/2/parts/0/parts",
      "/messages/2/parts/0/failed",
    ]);
  });
  test("media stand in the result, or behind all results where they cannot", () => {
    const image: Part = {
      type: "media",
      kind: "image",
      source: { type: "base64", mediaType: "image/png", data: "AAAA" },
    };
    const blob = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const messages = [
      hello,
      { role: "assistant", parts: [calling("a"), calling("b")] },
      { role: "user", parts: [...answer("a", text("see"), image).parts, ...answer("b", text("ok")).parts] },
    ] as Message[];
    const inside = encode(asked(messages)).wire.contents[2]?.parts;
    expect(inside?.[0]).toMatchObject({ functionResponse: { response: { output: "see" }, parts: [blob] } });
    const { wire, losses } = encode(asked(messages), { resultMedia: false });
    expect(wire.contents[2]?.parts.map((part) => Object.keys(part)[0])).toEqual([
      "functionResponse",
      "functionResponse",
      "inlineData",
    ]);
    expect(losses).toEqual([
      expect.objectContaining({ path: "/messages/2/parts/0/parts", why: "approximated" }),
    ]);
  });
});

describe("the arguments of calls", () => {
  test.each([
    ["", {}, "{}"],
    [" ", {}, "{}"],
    ['{"a":1}', { a: 1 }, '{"a":1}'],
    ['{"a":', { $manifold_raw: '{"a":' }, '{"a":'],
    ["[1]", { $manifold_value: [1] }, "[1]"],
    ["null", {}, "{}"],
  ])("arguments are an object on the wire and text in the IR: %j", (written, args, back) => {
    const { wire } = encode(
      asked([hello, { role: "assistant", parts: [calling("a", { arguments: written })] as never }]),
    );
    expect(wire.contents[1]?.parts[0]).toMatchObject({ functionCall: { args } });
    expect(decode(wire).messages[1]?.parts[0]).toMatchObject({ arguments: back });
  });
  test("arguments may be absent", () => {
    expect(partsOf(model({ functionCall: { name: "f" } }))[0]).toMatchObject({ arguments: "{}" });
  });
  test("digits that an object cannot keep are named", () => {
    const parts = [calling("a", { arguments: '{"n":0.12345678901234567890}' })] as never;
    expect(encode(asked([hello, { role: "assistant", parts }])).losses).toEqual([
      expect.objectContaining({ path: "/messages/1/parts/0/arguments", why: "approximated" }),
    ]);
  });
});

test("nodes are traced to where they stood", () => {
  const places = new Map<object, string>();
  const wire = request.schema.parse({
    systemInstruction: "S",
    contents: [user({ text: "a" }), model(call("f")), user(result("f", {}))],
    tools: [{ functionDeclarations: [{ name: "f" }] }, { googleSearch: {} }],
  });
  const { messages, tools = [] } = request.decode(wire, (node, pointer) => void places.set(node, pointer));
  expect(messages.map((message) => places.get(message))).toEqual([
    "/systemInstruction",
    "/contents/0",
    "/contents/1",
    "/contents/2",
  ]);
  expect(messages.map(({ parts }) => places.get(parts[0] as object))).toEqual([
    "/systemInstruction/parts/0",
    "/contents/0/parts/0",
    "/contents/1/parts/0",
    "/contents/2/parts/0",
  ]);
  expect(tools.map((tool) => places.get(tool))).toEqual([
    "/tools/0/functionDeclarations/0",
    "/tools/1/googleSearch",
  ]);
});

test("the requests of an agent's command line are read, and go on to every protocol", async () => {
  const { codecs } = await import("@manifold-gateway/core");
  const wire = (
    await import("../../../packages/testing/fixtures/genstyle/requests/cli.json", { with: { type: "json" } })
  ).default;
  const decoded = { ...decode(wire as JsonObject), model: "m" };
  expect(decoded.reasoning).toEqual({ mode: "on", budget: 8192, show: "auto" });
  expect(decoded.tools?.[0]).toMatchObject({
    schema: { $schema: expect.any(String), additionalProperties: false },
  });
  for (const to of Object.values(codecs))
    if (to.protocol !== "native")
      expect(JSON.stringify(encodeRequest(decoded, to).wire)).toContain("read_file");
});
