import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

const apiKey = "unused";
const messages = [{ role: "user" as const, content: "Hi" }];

describe.each(drivers)("$name", (driver) => {
  it.each(PROTOCOLS)(
    "sends neither its key nor its name nor cookies to a provider of %s",
    async (protocol) => {
      const { send, options, simulator } = world();
      await driver.open({ send, options, model: `${protocol}/sim-text`, stream: false }).say("Hi");
      const [entry] = simulator.ledger.entries;
      const headers = entry?.headers ?? {};
      expect(JSON.stringify([headers, entry?.path])).toContain("provider-key");
      expect(JSON.stringify([headers, entry?.path])).not.toContain("unused");
      for (const name of Object.keys(headers))
        expect(name).not.toMatch(/^(cookie|x-stainless.*|http-referer)$/);
      expect(headers["user-agent"] ?? "").not.toMatch(
        /openai|anthropic|genai|langchain|ai-sdk|mistral|speakeasy/i,
      );
    },
  );
});

describe("requests and retries", () => {
  it("openai and Anthropic name the request by the id of the answer", async () => {
    const { send } = world();
    const openai = new OpenAI({ fetch: send, apiKey });
    const anthropic = new Anthropic({ fetch: send, apiKey });
    const chat = await openai.chat.completions.create({ model: "msgstyle/sim-text", messages });
    const message = await anthropic.messages.create({ model: "chatstyle/a", max_tokens: 99, messages });
    expect(chat._request_id).toEqual(expect.any(String));
    expect(message._request_id).toEqual(expect.any(String));
    const failure = await failureOf(openai.chat.completions.create({ model: "nowhere/a", messages }));
    expect(failure).toMatchObject({ requestID: expect.any(String) });
  });

  it("openai and Anthropic do not try again what the client has tried with every target", async () => {
    const best = ["msgstyle/sim-text", "chatstyle/sim-text"] as const;
    const { send, simulator } = world({ models: { best } });
    const failing = [{ role: "user" as const, content: "[[fault:status=503]]" }];
    const calls = [
      () => new OpenAI({ fetch: send, apiKey }).chat.completions.create({ model: "best", messages: failing }),
      () =>
        new Anthropic({ fetch: send, apiKey }).messages.create({
          ...{ model: "best", max_tokens: 99, messages: failing },
        }),
    ];
    for (const call of calls) {
      simulator.reset();
      expect(await failureOf(Promise.resolve(call()))).toMatchObject({ status: expect.any(Number) });
      expect(simulator.ledger.entries.map(({ protocol }) => protocol)).toEqual(["msgstyle", "chatstyle"]);
    }
  });

  it("Anthropic's version is the caller's on its own wire, and ours from other wires", async () => {
    const { send, simulator } = world();
    const model = "msgstyle/sim-text";
    const versions: unknown[] = [];
    const spy = (input: string | URL | Request, init?: RequestInit) => {
      versions.push(new Headers(init?.headers).get("anthropic-version"));
      return send(input, init);
    };
    await new Anthropic({ fetch: spy, apiKey }).messages.create({ model, max_tokens: 99, messages });
    await new OpenAI({ fetch: send, apiKey }).chat.completions.create({ model, messages });
    expect(simulator.ledger.entries.map(({ headers }) => headers["anthropic-version"])).toEqual([
      versions[0],
      "2023-06-01",
    ]);
  });
});
