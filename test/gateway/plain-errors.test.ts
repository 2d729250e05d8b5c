import type { Transport } from "@manifold/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, modelOf, PROTOCOLS, startHarness } from "./harness.ts";

let reply = { status: 500, text: "" };
const transport: Transport = {
  async send() {
    const body = { next: async () => undefined, bytes: async () => Buffer.from(reply.text), cancel() {} };
    return { status: reply.status, headers: { "retry-after": "7" }, body: body as never };
  },
  close: async () => {},
};

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ transport });
});
afterAll(() => h.close());

const ask = (protocol: (typeof PROTOCOLS)[number], stream: boolean): Promise<Response> =>
  h.call("/api/chatstyle/v1/chat/completions", {
    model: modelOf(protocol),
    stream,
    messages: [{ role: "user", content: "Hello" }],
  });

describe.each(PROTOCOLS)("an error of %s that is no JSON", (protocol) => {
  it.each([429, 503])("keeps its status and its plain words: %s", async (status) => {
    reply = { status, text: " Too many\n requests, slow down. " };
    for (const stream of [false, true]) {
      const response = await ask(protocol, stream);
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe("7");
      expect((await response.json()).error.message).toBe("Too many requests, slow down.");
    }
  });

  it.each(["", "\n", "<html><body>Sign in</body></html>", "\u0000\u0001", "\ufffd\ufffd"])(
    "is a 502 in the envelope where it says nothing: %j",
    async (text) => {
      reply = { status: 429, text };
      const response = await ask(protocol, false);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ success: false });
    },
  );
});
