import { fromPreset } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, startLocalServer } from "../../support/llamacpp.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let local: LocalServer;
let h: Stage;
beforeAll(async () => {
  local = await startLocalServer();
  const entry = { provider: "llamacpp", name: local.model, priority: 1, isActive: true, price: {} };
  h = await startStage({
    models: [model("m", "llamacpp", { entries: [entry] })],
    providers: new Map([["llamacpp", fromPreset("llamacpp", { origin: local.origin })]]),
  });
});
afterAll(async () => {
  await h.close();
  await local.close();
});

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const user = [{ role: "user", content: "Name a city." }];
const tool = { name: "look", description: "Looks.", input_schema: schema };
const record = async (response: Response) =>
  h.store.generations.get({ id: response.headers.get("x-generation-id") ?? "", accountId: "acc" });
const usedProtocol = async (response: Response) => (await record(response))?.route?.protocol;

const MESSAGES = "/api/msgstyle/v1/messages";
const ask = (more: object) => ({ model: "m", max_tokens: 200, messages: user, ...more });

describe("a llama.cpp server", () => {
  it("a schema is asked of a llama.cpp server by chat, whatever the caller speaks", async () => {
    const messages = await h.call(
      MESSAGES,
      ask({ output_config: { format: { type: "json_schema", schema } } }),
    );
    expect(await usedProtocol(messages)).toBe("chatstyle");
    expect(messages.headers.get("x-losses")).toBeNull();
    const { content } = await messages.json();
    expect(JSON.parse(content.at(-1).text)).toHaveProperty("city");

    const responses = await h.call("/api/chatstyle/v1/responses", {
      model: "m",
      input: "Name a city.",
      text: { format: { type: "json_schema", name: "city", schema } },
    });
    expect(await usedProtocol(responses)).toBe("chatstyle");
    const { output } = await responses.json();
    expect(JSON.parse(output.at(-1).content[0].text)).toHaveProperty("city");
  });

  it("a llama.cpp server is called in the caller's own protocol for what it does there", async () => {
    const plain = await h.call(MESSAGES, ask({}));
    expect(plain.headers.get("x-translation")).toBe("passthrough");
    const auto = await h.call(MESSAGES, ask({ tools: [tool], tool_choice: { type: "auto" } }));
    expect(await usedProtocol(auto)).toBe("msgstyle");
  });

  it("a llama.cpp server is sent only the tool that has to be called", async () => {
    const other = { ...tool, name: "other" };
    const tool_choice = { type: "tool", name: "look", disable_parallel_tool_use: true };
    const response = await h.call(MESSAGES, ask({ tools: [other, tool], tool_choice }));
    expect(await usedProtocol(response)).toBe("chatstyle");
    expect(response.headers.get("x-losses")).toBe("/tool_choice;approximated");
    const { content } = await response.json();
    const called = content.filter(({ type }: { type: string }) => type === "tool_use");
    expect(called.map(({ name }: { name: string }) => name)).toEqual(["look"]);
  });

  it("a llama.cpp server is free for the next request when a client leaves", async () => {
    const gone = new AbortController();
    const long = "Count to a thousand, all numbers in words. [[fault:slow=50]]".repeat(4);
    const response = await h.call(
      MESSAGES,
      { ...ask({ stream: true, max_tokens: 4_000 }), messages: [{ role: "user", content: long }] },
      { signal: gone.signal },
    );
    await response.body?.getReader().read();
    gone.abort();
    await local.idle();
    await h.settled();
    expect((await record(response))?.status).toBe("aborted");
  });
});
