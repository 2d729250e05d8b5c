import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { callers } from "../../support/wires/index.ts";
import { send as call } from "../stage.ts";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

const apiKey = "unused";
const pairs = callers.flatMap((caller) => PROTOCOLS.map((protocol) => [caller, protocol] as const));

describe("answers that are none", () => {
  const faults = [
    ["malformed", 502],
    ["empty", 502],
    ["cut=20", 502],
    ["html,status=429", 429],
    ["html,status=500", 500],
  ] as const;
  it.each(drivers)("$name throws an error and gets no reply for an answer that is broken", async (driver) => {
    const { send, options } = world();
    for (const protocol of PROTOCOLS)
      for (const [fault, expected] of faults) {
        const model = `${protocol}/sim-text`;
        const failure = await failureOf(
          driver.open({ send, options, model, stream: false }).say(`Hi [[fault:${fault}]]`),
        );
        const { kind, status, message } = driver.thrown(failure);
        expect({ protocol, fault, kind, status }).toEqual({
          ...{ protocol, fault },
          ...{ kind: expect.any(String), status: expected },
        });
        expect(message).not.toMatch(/[<>]/);
      }
  });
});

describe("streams that end early", () => {
  it.each(pairs)(
    "a stream of %s that %s cuts ends with an error event, and its body is read to the end",
    async (caller, protocol) => {
      const { send } = world();
      for (const cut of [4_000, 4_001, 4_500, 5_321]) {
        const words = `${"long ".repeat(400)}[[fault:cut=${cut}]]`;
        const answer = await call(send, caller, `${protocol}/sim-text`, words, true);
        const text = await answer.text();
        const events = text.split("\n\n").filter((event) => event !== "" && !event.endsWith("data: [DONE]"));
        const chunks = events.map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)));
        expect(JSON.stringify(chunks.at(-1))).toMatch(/"(error|response\.failed)"/);
        expect(JSON.stringify(chunks.slice(0, -1))).not.toMatch(/"error":[^n]/);
      }
    },
  );

  it.each(PROTOCOLS)("an error in a chat stream of %s has its message in the AI SDK", async (protocol) => {
    const { send } = world();
    const compatible = createOpenAICompatible({ name: "m", baseURL: "http://m.test/v1", fetch: send });
    for (const provider of [createOpenAI({ fetch: send, apiKey }).chat, compatible]) {
      const errors: unknown[] = [];
      const { stream } = streamText({
        model: provider(`${protocol}/sim-text`),
        prompt: `${"long ".repeat(400)}[[fault:cut=5000]]`,
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      });
      for await (const _ of stream);
      expect(errors).toHaveLength(1);
      expect(String(errors[0])).toContain("closed the connection");
      expect(String(errors[0])).not.toContain("validation");
    }
  });

  it.each(pairs)(
    "an error before any content of a stream of %s from %s is an answer with its status",
    async (caller, protocol) => {
      const { send } = world();
      const words = "[[fault:error-after=0,status=429]]";
      const answer = await call(send, caller, `${protocol}/sim-text`, words, true);
      expect(answer.status).toBe(429);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    },
  );
});

describe("chunks that a strict SDK takes", () => {
  const foreign = PROTOCOLS.filter((protocol) => protocol !== "chatstyle");
  it.each(foreign)("no chunk of a stream from %s has a fingerprint that is null", async (protocol) => {
    const { send } = world();
    const answer = await call(send, "chatstyle", `${protocol}/sim-text`, "Hi", true);
    expect(await answer.text()).not.toContain('"system_fingerprint":null');
  });
});
