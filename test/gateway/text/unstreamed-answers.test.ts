import { type Transport, UpstreamBody } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf } from "../../support/text.ts";

const unary: Record<string, object> = {
  chatstyle: {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "All at once." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  },
  msgstyle: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "All at once." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 4 },
  },
};

/** A provider that answers every wish for a stream with one body. */
function answering(text: (path: string) => string, type = "application/json"): Transport {
  return {
    async send({ path }) {
      const body = new UpstreamBody();
      const bytes = Buffer.from(text(path));
      if (bytes.length > 0) body.push(bytes);
      body.finish();
      return { status: 200, headers: { "content-type": type }, body };
    },
    close: async () => {},
  };
}

describe("a whole body in answer to a stream request", () => {
  let harness: Stage;
  let broken = false;
  beforeAll(async () => {
    const transport = answering((path) =>
      broken ? '{"id":' : JSON.stringify(unary[path.includes("/messages") ? "msgstyle" : "chatstyle"]),
    );
    harness = await startStage({ transport });
  });
  afterAll(() => harness.close());
  const ask = (protocol: "chatstyle" | "msgstyle"): Promise<Response> =>
    harness.call("/api/chatstyle/v1/chat/completions", {
      model: modelOf(protocol),
      stream: true,
      messages: [{ role: "user", content: "Hello" }],
    });

  it.each(["chatstyle", "msgstyle"] as const)(
    "a whole body in answer to a stream request is sent as a stream, and charged by its usage: %s",
    async (protocol) => {
      const before = (await harness.balance()).balance;
      const response = await ask(protocol);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const events = (await response.text()).trim().split("\n\n");
      expect(events.at(-1)).toBe("data: [DONE]");
      const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace("data: ", "")));
      const said = chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? "").join("");
      expect(said).toBe("All at once.");
      expect(chunks.some((chunk) => chunk.usage?.total_tokens === 7)).toBe(true);
      await harness.settled();
      expect(before - (await harness.balance()).balance).toBe(3 + 2 * 4);
    },
  );

  it("a whole body that cannot be read is a 502 at no cost", async () => {
    broken = true;
    const before = await harness.balance();
    const response = await ask("chatstyle");
    expect(response.status).toBe(502);
    await harness.settled();
    expect(await harness.balance()).toEqual(before);
  });
});

describe.each([
  ["a page", "text/html", "<html>\n\n<body>Sign in</body>\n\n</html>"],
  ["nothing", "text/event-stream", ""],
])("%s in answer to a stream request", (_, type, text) => {
  let harness: Stage;
  beforeAll(async () => {
    harness = await startStage({ transport: answering(() => text, type) });
  });
  afterAll(() => harness.close());

  it.each(["chatstyle", "responses", "msgstyle", "genstyle"] as const)(
    "an answer that is no stream is a 502 in the envelope, at no cost: %s",
    async (protocol) => {
      const before = await harness.balance();
      const model = modelOf(protocol);
      for (const [path, body] of [
        ["chatstyle/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }] }],
        ["chatstyle/v1/responses", { input: "Hello" }],
      ] as const) {
        const response = await harness.call(`/api/${path}`, { model, stream: true, ...body });
        expect([response.status, (await response.json()).success]).toEqual([502, false]);
      }
      await harness.settled();
      expect(await harness.balance()).toEqual(before);
    },
  );
});
