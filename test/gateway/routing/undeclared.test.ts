import { defineProvider } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { startDesk } from "./desk.ts";

const hello = { role: "user", content: "hello" };
const MESSAGES = "/api/msgstyle/v1/messages";
const CONTENT = "/api/genstyle/v1beta/models/m:generateContent";
const contents = [{ role: "user", parts: [{ text: "hello" }] }];

/** What a provider is asked by whose first protocol is responses. */
async function ask(path: string, body: object, headers: Record<string, string> = {}) {
  const own = defineProvider("one", { origin: "http://one.test", speaks: ["responses", "chatstyle"] });
  const d = await startDesk({ one: { more: { speaks: own.speaks } } });
  try {
    const response = await d.call(path, body, { headers });
    const told = (await response.json()) as { route?: { candidates: { protocol: string }[] } };
    return { response, told, protocol: d.parties.one?.ledger.last()?.protocol };
  } finally {
    await d.close();
  }
}

describe("the choice of an entry's protocol by losses", () => {
  it.each<[string, string, object]>([
    ["a stop sequence", MESSAGES, { model: "m", max_tokens: 99, messages: [hello], stop_sequences: ["END"] }],
    ["a seed", CONTENT, { contents, generationConfig: { seed: 7 } }],
    ["a penalty", CONTENT, { contents, generationConfig: { presencePenalty: 1 } }],
  ])("%s goes by the protocol that can express it", async (_, path, body) => {
    const { response, protocol } = await ask(path, body);
    expect([response.status, protocol]).toEqual([200, "chatstyle"]);
    expect(response.headers.get("x-losses")).toBeNull();
    const { told } = await ask(path, body, { "x-explain": "true" });
    expect(told.route?.candidates).toMatchObject([{ protocol: "chatstyle" }]);
  });

  it.each<[string, string, object]>([
    ["nothing that it cannot say", MESSAGES, { model: "m", max_tokens: 99, messages: [hello] }],
    ["what no other can say", CONTENT, { contents, generationConfig: { topK: 5 } }],
  ])("%s goes by the first protocol", async (_, path, body) => {
    expect((await ask(path, body)).protocol).toBe("responses");
  });
});
