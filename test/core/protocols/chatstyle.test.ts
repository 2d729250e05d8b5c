import type OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { describe, expect, it } from "vitest";
import { DONE } from "../../../packages/core/src/codec/codec-base.ts";
import { unfold } from "../../../packages/core/src/ir/index.ts";
import type { Json } from "../../../packages/core/src/json/json.ts";
import {
  type ChatBody,
  type ChatChunk,
  type ChatWire,
  chatstyle,
} from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { chunksOf, decode, encode, lenient, names, reply, text, write } from "./chatstyle-kit.ts";

describe("chatstyle fixtures", () => {
  const foreign = new Set(["sealed-loop.json", "sealed-call.json"]);
  it.each(names("requests").filter((name) => !foreign.has(name)))(
    "%s survives its own wire whole",
    (name) => {
      const request = decode(JSON.parse(text("requests", name)));
      const { wire, losses } = encode(request, lenient);
      expect(decode(JSON.parse(JSON.stringify(wire)))).toEqual(request);
      expect(losses).toEqual([]);
    },
  );

  it.each(names("streams"))("%s is the same reply after a second pass", (name) => {
    const first = reply(chunksOf(name));
    const again = reply(JSON.parse(JSON.stringify(write(unfold(first)))) as Json[]);
    expect(again.choices).toEqual(first.choices);
    expect(again.usage).toEqual(first.usage);
    expect(again.failure?.message).toEqual(first.failure?.message);
  });

  it.each(names("bodies"))("%s comes back from its own chunks, and from those that we write", (name) => {
    const body = JSON.parse(text("bodies", name)) as Json;
    expect(chatstyle.reply.gather(chatstyle.reply.burst(body) as ChatChunk[])).toEqual(body);
    const first = reply(chatstyle.reply.burst(body));
    const written = chatstyle.reply.gather(write(unfold(first)));
    expect(reply(chatstyle.reply.burst(written as unknown as Json)).choices).toEqual(first.choices);
  });
});

describe("the official client", () => {
  const whole = names("streams").filter((name) => !reply(chunksOf(name)).failure);
  it.each(whole)("the official client accumulates our stream of %s to our body", async (name) => {
    const chunks = write(unfold(reply(chunksOf(name))));
    const lines = chunks.filter((chunk) => chunk !== DONE).map((chunk) => `${JSON.stringify(chunk)}\n`);
    const stream = ChatCompletionStream.fromReadableStream(
      new ReadableStream({
        start(controller) {
          for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
          controller.close();
        },
      }),
    );
    const completion = await stream.finalChatCompletion();
    const body = chatstyle.reply.gather(chunks);
    expect(completion.choices.map((choice) => choice.finish_reason)).toEqual(
      body.choices.map((c) => c.finish_reason),
    );
    body.choices.forEach(({ message, logprobs }, i) => {
      const theirs = completion.choices[i];
      expect(theirs?.message.content).toEqual(message.content);
      expect(theirs?.message.tool_calls).toEqual(message.tool_calls);
      expect(theirs?.message.refusal ?? null).toEqual(message.refusal);
      expect(theirs?.logprobs ?? null).toEqual(logprobs);
    });
    expect(completion.usage).toEqual(body.usage);
  });

  it("the official client has types that our chunks and bodies fit", () => {
    // The vendor writes `null` for a fingerprint that it does not give, whatever its types say.
    type Plain<T> = Omit<T, "system_fingerprint">;
    const chunk = (
      written: Exclude<ChatChunk, string | { error: unknown }>,
    ): Plain<OpenAI.Chat.ChatCompletionChunk> => written;
    const body = (written: ChatBody): Plain<OpenAI.Chat.ChatCompletion> => written;
    const chunks = write(
      unfold({ choices: [{ parts: [{ type: "text", text: "a" }], finish: { reason: "stop" } }] }),
    );
    expect(chunk(chunks[0] as never).object).toBe("chat.completion.chunk");
    expect(body(chatstyle.reply.gather(chunks)).choices[0]?.message.content).toBe("a");
  });
});

describe("the marks of a relayed stream", () => {
  it.each(names("streams"))("every chunk of %s with usage, an end or an error is marked", (name) => {
    for (const chunk of chunksOf(name)) {
      if (chunk === DONE) continue;
      const tells = chatstyle.reply
        .decode()
        .step(chunk)
        .some((event) => event.type === "usage" || event.type === "finish" || event.type === "failure");
      for (const written of [JSON.stringify(chunk), JSON.stringify(chunk).replaceAll(":", ": ")])
        if (tells) expect(chatstyle.reply.marks.some((mark) => written.includes(mark))).toBe(true);
    }
  });

  it("a relayed stream ends at the closing line and at errors, not before", () => {
    expect(chunksOf("plain.jsonl").map((chunk) => chatstyle.frame.last(chunk))).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(chatstyle.frame.last({ error: "x" })).toBe(true);
  });
});

describe("chatstyle failures", () => {
  it.each<[number, Json | undefined, object]>([
    [
      404,
      {
        error: {
          message: "no model",
          type: "invalid_request_error",
          code: "model_not_found",
          param: "model",
        },
      },
      { kind: "not_found", message: "no model", code: "model_not_found", param: "model" },
    ],
    [429, { error: { message: "later", code: 429 } }, { kind: "rate_limit", code: "429" }],
    [400, { message: "bad" }, { kind: "invalid", message: "bad" }],
    [
      422,
      { detail: [{ loc: ["body"], msg: "field required" }] },
      { kind: "invalid", message: "field required" },
    ],
    [403, { errors: ["no credit"] }, { kind: "permission", message: "no credit" }],
    [502, "<html>Bad gateway</html>", { kind: "unavailable", message: "<html>Bad gateway</html>" }],
    [503, undefined, { kind: "unavailable", status: 503 }],
  ])("a failure of %i with %o is read", (status, body, failure) => {
    expect(chatstyle.failure.decode(status, body)).toMatchObject(failure);
  });

  it("failures are written as they came on this wire, and others in its shape", () => {
    const own = { error: { message: "m", type: "t", code: null, vendor: 1 } };
    expect(chatstyle.failure.encode(chatstyle.failure.decode(400, own))).toEqual({ status: 400, body: own });
    expect(chatstyle.failure.encode({ kind: "overloaded", status: 529, message: "busy" })).toEqual({
      status: 529,
      body: { error: { message: "busy", type: "server_error", param: null, code: null } },
    });
  });
});

it("a request is accepted that the official client's types allow", () => {
  const request: OpenAI.Chat.ChatCompletionCreateParams = {
    model: "m",
    messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    tools: [{ type: "function", function: { name: "f" } }],
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
    },
  };
  const wire: ChatWire = chatstyle.request.schema.parse(request);
  expect(chatstyle.request.decode(wire).toolChoice).toEqual({ mode: "required", names: ["f"] });
});
