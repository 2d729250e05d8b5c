import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf } from "../../support/text.ts";

const many = (count: number): string => `{"b":[${"{},".repeat(count - 1)}{}]}`;
const wide = `{${Array.from({ length: 10_001 }, (_, i) => `"n${i}":0`).join()}}`;
const deep = `{"a":${"[".repeat(250)}${"]".repeat(250)}}`;

type Request = (json: string) => [path: string, body: object, field: string];
const chatted =
  (target: "genstyle" | "msgstyle"): Request =>
  (json) => [
    "/api/chatstyle/v1/chat/completions",
    {
      model: modelOf(target),
      messages: [
        { role: "user", content: "Go on." },
        {
          role: "assistant",
          tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: json } }],
        },
        { role: "tool", tool_call_id: "c1", content: "Done." },
      ],
    },
    "messages.1.tool_calls.0",
  ];

/** Requests that bring JSON in a string, each for a model whose provider speaks another protocol. */
const requests: Record<string, Request> = {
  "arguments of chat completions for a generate-content provider": chatted("genstyle"),
  "arguments of chat completions for a messages provider": chatted("msgstyle"),
  "arguments of responses": (json) => [
    "/api/chatstyle/v1/responses",
    {
      model: modelOf("genstyle"),
      input: [
        { role: "user", content: "Go on." },
        { type: "function_call", call_id: "c1", name: "find", arguments: json },
        { type: "function_call_output", call_id: "c1", output: "Done." },
      ],
    },
    "input.1",
  ],
  "a result of chat completions": (json) => [
    "/api/chatstyle/v1/chat/completions",
    {
      model: modelOf("genstyle"),
      messages: [
        { role: "user", content: "Go on." },
        {
          role: "assistant",
          tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c1", content: json },
      ],
    },
    "messages.2",
  ],
  "a result of messages": (json) => [
    "/api/msgstyle/v1/messages",
    {
      model: modelOf("genstyle"),
      max_tokens: 9,
      messages: [
        { role: "user", content: "Go on." },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "find", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: json }] },
      ],
    },
    "messages.2.content.0",
  ],
};

describe("JSON in the strings of a request", () => {
  let stage: Stage;
  let poor: Stage;
  beforeAll(async () => {
    stage = await startStage({ listens: false });
    poor = await startStage({ listens: false, credit: 0 });
  });
  afterAll(async () => {
    await stage.close();
    await poor.close();
  });

  for (const [name, request] of Object.entries(requests))
    it(`${name} may hold as many values, members and levels as a body, and is refused with its field beyond`, async () => {
      for (const [json, reason] of [
        [many(1_250_000), "has more than 100000 members and array items"],
        [wide, "has an object of more than 10000 members"],
        [deep, "is nested deeper than 200 levels"],
      ] as const) {
        const [path, body, field] = request(json);
        const { code, errors } = await stage.json(path, body, 400);
        expect({ code, errors }).toEqual({
          code: "body_too_complex",
          errors: [expect.stringMatching(`^${field.replaceAll(".", "\\.")}.*: The request body ${reason}`)],
        });
      }
      const [path, body] = request(many(50_000));
      await stage.json(path, body);
    });

  it("the values of several strings count together", async () => {
    const call = (id: string) => ({
      id,
      type: "function",
      function: { name: "find", arguments: many(60_000) },
    });
    const { errors } = await stage.json(
      "/api/chatstyle/v1/chat/completions",
      {
        model: modelOf("genstyle"),
        messages: [
          { role: "user", content: "Go on." },
          { role: "assistant", tool_calls: [call("c1"), call("c2")] },
        ],
      },
      400,
    );
    expect(errors[0]).toMatch(/^messages\.1\.tool_calls\.1: /);
  });

  it("a text that is no call and no result may be any JSON", async () => {
    const content = many(200_000);
    const messages = [{ role: "user", content }];
    await stage.json("/api/chatstyle/v1/chat/completions", { model: modelOf("genstyle"), messages });
  });

  it("a large request of an account without credit is refused for that before it is translated", async () => {
    for (const request of Object.values(requests)) {
      const [path, body] = request(many(1_250_000));
      const { code } = await poor.json(path, body, 403);
      expect(code).toBe("insufficient_balance");
      const explained = await poor.json(path, body, 200, { headers: { "x-explain": "true" } });
      expect(explained).toMatchObject({ verdict: "refused", code: "insufficient_balance" });
    }
  });
});
