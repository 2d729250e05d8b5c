import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const content = "How many tokens may this be, by an estimate of four bytes for each?";
const messages = [{ role: "user", content }];
const foreign = (own: string) => PROTOCOLS.filter((protocol) => protocol !== own);

describe("what clients of the messages wire expect", () => {
  it.each(foreign("msgstyle"))(
    "a stream from %s begins with an estimate of the input tokens",
    async (protocol) => {
      const response = await h.call("/api/msgstyle/v1/messages", {
        model: modelOf(protocol),
        max_tokens: 64,
        stream: true,
        messages,
      });
      const events = (await response.text())
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => JSON.parse(line.slice(5)));
      expect(events[0].message.usage.input_tokens).toBe(Math.ceil(content.length / 4));
      // What was true is said at the end.
      expect(events.find(({ type }) => type === "message_delta").usage.input_tokens).toBeGreaterThan(0);
    },
  );

  it.each(["/v1/messages", "/v1/models", "/v1/nowhere"])(
    "an answer of %s has its request id in both headers",
    async (path) => {
      const headers = { "x-request-id": "mine-1" };
      const response = await h.call(`/api/msgstyle${path}`, path === "/v1/models" ? undefined : {}, {
        headers,
      });
      expect(response.headers.get("request-id")).toBe("mine-1");
      expect(response.headers.get("x-request-id")).toBe("mine-1");
      const elsewhere = await h.call("/api/chatstyle/v1/models");
      expect(elsewhere.headers.get("request-id")).toBeNull();
    },
  );
});

describe("what clients of the chat wire expect", () => {
  it.each(foreign("chatstyle"))(
    "an answer from %s has a fingerprint that is null, and a chunk has none",
    async (protocol) => {
      const ask = (stream: boolean) =>
        h.call("/api/chatstyle/v1/chat/completions", { model: modelOf(protocol), stream, messages });
      expect(await (await ask(false)).json()).toHaveProperty("system_fingerprint", null);
      const [first] = (await (await ask(true)).text()).split("\n");
      // The SDK of one router refuses a chunk in which it is null.
      expect(JSON.parse((first as string).slice(5))).not.toHaveProperty("system_fingerprint");
    },
  );
});
