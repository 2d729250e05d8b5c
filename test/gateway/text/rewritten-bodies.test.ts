import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const entry = { provider: "chatstyle", name: "sim-chatstyle", priority: 1, isActive: true, price };
let h: Stage;
beforeAll(async () => {
  h = await startStage({
    models: [
      model("no-freeform", "chatstyle", { entries: [{ ...entry, traits: { freeform: false } }] }),
      model("no-format", "chatstyle", { entries: [{ ...entry, traits: { format: false } }] }),
    ],
  });
});
afterAll(() => h.close());

/** A call of an earlier turn that another protocol's model made: its id carries the seal. */
const id = `call_1-mfseal1gb${btoa("signature")}`;
const history = [
  { role: "user", content: "hi" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: id, content: "seen" },
];

const ask = (body: object) => h.call("/api/chatstyle/v1/chat/completions", { messages: history, ...body });

/** The chunks of a stream. */
const chunks = async (response: Response) =>
  (await response.text())
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice(6)));

describe("the reply to a body that was rewritten for its own protocol", () => {
  const custom = {
    model: "no-freeform",
    tools: [{ type: "custom", custom: { name: "shell" } }],
    tool_choice: "required",
  };

  it("a free-text tool is called as one in the reply to a rewritten body", async () => {
    const response = await ask(custom);
    const [call] = (await response.json()).choices[0].message.tool_calls;
    expect(call).toMatchObject({ type: "custom", custom: { name: "shell", input: expect.any(String) } });
    expect(response.headers.get("x-translation")).toBe("translated");
  });

  it("a free-text tool is called as one in a stream too", async () => {
    const deltas = (await chunks(await ask({ ...custom, stream: true }))).flatMap(
      ({ choices }) => choices[0]?.delta.tool_calls ?? [],
    );
    expect(deltas[0]).toMatchObject({ type: "custom", custom: { name: "shell" } });
    expect(deltas.some((delta) => "function" in delta)).toBe(false);
  });

  it("the reply is the text whose schema became a tool", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const response = await ask({
      model: "no-format",
      response_format: { type: "json_schema", json_schema: { name: "count", schema, strict: true } },
    });
    const [choice] = (await response.json()).choices;
    expect(choice.finish_reason).toBe("stop");
    expect(choice.message.tool_calls).toBeUndefined();
    expect(JSON.parse(choice.message.content)).toEqual({ n: expect.any(Number) });
  });

  it("the reply is handed on as it came where nothing was rewritten", async () => {
    const response = await ask({ model: "no-freeform" });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-translation")).toBe("passthrough");
  });
});
