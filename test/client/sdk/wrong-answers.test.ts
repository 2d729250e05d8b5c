import Anthropic from "@anthropic-ai/sdk";
import type { JsonObject } from "@manifold-gateway/core/codec";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { type CallerProtocol, callers } from "../../support/wires/index.ts";
import { send as call, requests } from "../stage.ts";
import { PNG } from "./driver.ts";
import { failureOf, world } from "./world.ts";

const apiKey = "unused";
const pairs = callers.flatMap((caller) => PROTOCOLS.map((protocol) => [caller, protocol] as const));

/** Members that each schema refuses; the name is of the member that the error has to point out. */
const refused: Record<CallerProtocol, [names: string, wrong: JsonObject][]> = {
  chatstyle: [
    ["messages", { messages: "Hi" }],
    ["messages", { messages: [{ content: "Hi" }] }],
    ["messages", { messages: [{ role: "user", content: [{ type: "text", text: 7 }] }] }],
    ["temperature", { temperature: "hot" }],
    ["max_tokens", { max_tokens: "many" }],
    ["stop", { stop: 7 }],
    ["tools", { tools: { name: "a" } }],
    ["response_format", { response_format: "json" }],
  ],
  responses: [
    ["input", { input: 7 }],
    ["input", { input: [{ role: "user", content: [{ type: "input_text", text: 7 }] }] }],
    ["instructions", { instructions: 7 }],
    ["temperature", { temperature: "hot" }],
    ["max_output_tokens", { max_output_tokens: "many" }],
    ["tools", { tools: { name: "a" } }],
    ["reasoning", { reasoning: "high" }],
    ["text", { text: "json" }],
  ],
  msgstyle: [
    ["messages", { messages: "Hi" }],
    ["messages", { messages: [{ content: "Hi" }] }],
    ["messages", { messages: [{ role: "user", content: [{ type: "text", text: 7 }] }] }],
    ["system", { system: 7 }],
    ["temperature", { temperature: "hot" }],
    ["max_tokens", { max_tokens: "many" }],
    ["tools", { tools: { name: "a" } }],
    ["stop_sequences", { stop_sequences: "x" }],
  ],
  genstyle: [
    ["contents", { contents: 7 }],
    ["role", { contents: [{ role: 7, parts: [{ text: "Hi" }] }] }],
    ["contents", { contents: [{ role: "user", parts: [{ text: 7 }] }] }],
    ["systemInstruction", { systemInstruction: 7 }],
    ["temperature", { generationConfig: { temperature: "hot" } }],
    ["maxOutputTokens", { generationConfig: { maxOutputTokens: "many" } }],
    ["stopSequences", { generationConfig: { stopSequences: 7 } }],
    ["tools", { tools: "all" }],
  ],
};

describe("bodies that a schema refuses", () => {
  it.each(pairs)(
    "a body of %s is refused and never sent to %s without its wrong member",
    async (caller, protocol) => {
      const { send, simulator } = world();
      for (const [names, wrong] of refused[caller]) {
        const [url, body] = requests[caller](`${protocol}/sim-text`, "Hi", false);
        const answer = await send(url, { method: "POST", body: JSON.stringify({ ...body, ...wrong }) });
        expect({ wrong, status: answer.status }).toEqual({ wrong, status: 400 });
        expect(await answer.text()).toContain(names);
        expect(simulator.ledger.entries).toEqual([]);
      }
    },
  );

  it.each(PROTOCOLS)("a generate-content body in snake case reaches %s whole", async (protocol) => {
    const { send, simulator } = world();
    const answer = await send(`https://h.test/v1beta/models/${protocol}/sim-text:generateContent`, {
      method: "POST",
      body: JSON.stringify({
        contents: [{ role: "user", parts: [{ text: "Hi [[system]]" }] }],
        system_instruction: { parts: [{ text: "Be brief." }] },
        generation_config: { max_output_tokens: 77 },
      }),
    });
    expect(await answer.text()).toContain("Be brief.");
    expect(JSON.stringify(simulator.ledger.last()?.request)).toContain("77");
  });
});

describe("state that only one vendor holds", () => {
  const foreign = (own: string) => PROTOCOLS.filter((protocol) => protocol !== own);
  const image = (source: object) => ({ role: "user", content: [{ type: "image", source }] });

  it.each(foreign("responses"))(
    "openai's previous_response_id is an error on %s, not a loss",
    async (protocol) => {
      const { send, simulator } = world();
      const openai = new OpenAI({ fetch: send, apiKey, maxRetries: 0 });
      const failure = await failureOf(
        openai.responses.create({ model: `${protocol}/a`, input: "And?", previous_response_id: "resp_1" }),
      );
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
      expect(String(failure)).toContain("previous_response_id");
      expect(simulator.ledger.entries).toEqual([]);
    },
  );

  it.each(foreign("responses"))(
    "openai's file_id in responses is an error on %s, not a loss",
    async (protocol) => {
      const { send, simulator } = world();
      const openai = new OpenAI({ fetch: send, apiKey, maxRetries: 0 });
      const input = [
        { role: "user" as const, content: [{ type: "input_file" as const, file_id: "file-1" }] },
      ];
      const failure = await failureOf(openai.responses.create({ model: `${protocol}/a`, input }));
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
      expect(String(failure)).toMatch(/file/);
      expect(simulator.ledger.entries).toEqual([]);
    },
  );

  it.each(foreign("msgstyle"))("Anthropic's file_id is an error on %s, not a loss", async (protocol) => {
    const { send, simulator } = world();
    const anthropic = new Anthropic({ fetch: send, apiKey, maxRetries: 0 });
    const messages = [image({ type: "file", file_id: "file_1" })] as Anthropic.MessageParam[];
    const failure = await failureOf(
      anthropic.messages.create({ model: `${protocol}/a`, max_tokens: 99, messages }) as Promise<unknown>,
    );
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError);
    expect(String(failure)).toMatch(/file/);
    expect(simulator.ledger.entries).toEqual([]);
  });

  it.each(foreign("chatstyle"))(
    "openai's file_id in chats is an error on %s, not a loss",
    async (protocol) => {
      const { send, simulator } = world();
      const openai = new OpenAI({ fetch: send, apiKey, maxRetries: 0 });
      const messages = [
        { role: "user" as const, content: [{ type: "file" as const, file: { file_id: "file-1" } }] },
      ];
      const failure = await failureOf(openai.chat.completions.create({ model: `${protocol}/a`, messages }));
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
      expect(String(failure)).toMatch(/file/);
      expect(simulator.ledger.entries).toEqual([]);
    },
  );
});

describe("what is lost", () => {
  it("a request without a limit for Anthropic's wire reports one kind of loss once", async () => {
    const losses: unknown[] = [];
    const { send } = world({ onLoss: (loss) => void losses.push(loss) });
    const openai = new OpenAI({ fetch: send, apiKey });
    for (const content of ["Hi", "And?", "So?"])
      await openai.chat.completions.create({
        model: "msgstyle/sim-text",
        messages: [{ role: "user", content }],
      });
    expect(losses.length).toBeLessThanOrEqual(1);
  });

  it("an image that a protocol takes is no loss", async () => {
    const losses: unknown[] = [];
    const { send } = world({ onLoss: (loss) => void losses.push(loss) });
    const anthropic = new Anthropic({ fetch: send, apiKey });
    const source = { type: "base64" as const, media_type: "image/png" as const, data: PNG };
    await anthropic.messages.create({
      ...{ model: "chatstyle/sim-text", max_tokens: 99 },
      messages: [{ role: "user", content: [{ type: "image", source }] }],
    });
    expect(losses).toEqual([]);
  });
});

describe("readers that leave", () => {
  it.each(pairs)("a reader of %s that breaks off takes the request to %s along", async (caller, protocol) => {
    const { send, hasLeft } = world();
    const answer = await call(send, caller, `${protocol}/sim-text`, "Hi [[fault:stall=600000]]", true);
    for await (const _ of answer.body ?? []) break;
    await expect.poll(hasLeft, { interval: 1 }).toBe(true);
  });
});
