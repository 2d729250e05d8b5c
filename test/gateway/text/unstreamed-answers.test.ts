import { type Transport, UpstreamBody } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADA } from "../../support/holder.ts";
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

it("a whole body in answer to a stream request is limited as any other", async () => {
  const harness = await startStage({
    transport: answering(() => `${" ".repeat(2_000)}${JSON.stringify(unary.chatstyle)}`),
    limits: { answer: 1_000 },
  });
  const response = await harness.call("/api/chatstyle/v1/chat/completions", {
    model: modelOf("chatstyle"),
    stream: true,
    messages: [{ role: "user", content: "Hello" }],
  });
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining("the limit")]);
  await harness.close();
});

const page = "<html>\n\n<head><title>Sign in</title></head>\n\n</html>";
describe.each([
  ["a page", "text/html", page, /web page in place of a reply: Sign in$/, page],
  [
    "a text",
    "text/plain",
    "upstream  overloaded,\ntry later",
    /: upstream overloaded, try later$/,
    "try later",
  ],
  [
    "a text as an event",
    "text/event-stream",
    "data: upstream overloaded\n\n",
    /: upstream overloaded$/,
    "overloaded",
  ],
  ["nothing", "text/event-stream", "", /./, undefined],
])("%s in answer to a stream request", (_, type, text, words, said) => {
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
        const { success, errors } = await response.json();
        expect([response.status, success]).toEqual([502, false]);
        expect(errors).toEqual([expect.stringMatching(words)]);
      }
      await harness.settled();
      expect(await harness.balance()).toEqual(before);
      const { results } = await harness.store.generations.list(
        { accountId: ADA.id },
        { offset: 0, limit: 1 },
      );
      const record = await harness.store.generations.get({ accountId: ADA.id, id: results[0]!.id });
      const noted = (record?.errors ?? []).map(({ body }) => body);
      expect(noted).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
    },
  );
});
