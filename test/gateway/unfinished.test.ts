import type { Json } from "@manifold/core";
import type { UpstreamProtocol } from "@manifold/providers";
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "./harness.ts";
import { cellsOf, scripted } from "./scripted.ts";

const upstream = scripted();

const usageOf = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const call = { name: "look", arguments: "{}" };

/** An answer of each wire that says of its end what it is told, or nothing. */
const bodies: Record<UpstreamProtocol, (end: Json | undefined, calls: boolean) => object> = {
  chatstyle: (end, calls) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: calls
          ? { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: call }] }
          : { role: "assistant", content: "Said." },
        ...(end !== undefined && { finish_reason: end }),
      },
    ],
    usage: usageOf,
  }),
  responses: (end, calls) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    ...(end !== undefined && { status: end }),
    output: [
      calls
        ? { type: "function_call", id: "fc_1", call_id: "c1", ...call }
        : { type: "message", role: "assistant", content: [{ type: "output_text", text: "Said." }] },
    ],
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  }),
  msgstyle: (end, calls) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      calls ? { type: "tool_use", id: "c1", name: "look", input: {} } : { type: "text", text: "Said." },
    ],
    ...(end !== undefined && { stop_reason: end }),
    usage: { input_tokens: 3, output_tokens: 4 },
  }),
  genstyle: (end, calls) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [calls ? { functionCall: { name: "look", args: {} } } : { text: "Said." }],
        },
        ...(end !== undefined && { finishReason: end }),
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
  }),
};

const ends = [undefined, null, "", 1, 99];

interface Chat {
  choices: { finish_reason: string }[];
}
const finishesIn = async (response: Response): Promise<string[]> =>
  ((await response.json()) as Chat).choices.map(({ finish_reason }) => finish_reason);

describe.each(PROTOCOLS)("an answer of %s that does not say how it ended", (protocol) => {
  it.each(ends)("is an answer to other clients where its end is %j", async (end) => {
    for (const calls of [false, true]) {
      upstream.tell({ text: JSON.stringify(bodies[protocol](end, calls)) });
      const response = await upstream.ask("responses", protocol, false);
      const { status, output } = (await response.json()) as { status: Json; output: { type: string }[] };
      if (protocol !== "responses") expect(status).toBe("completed");
      expect(output.map(({ type }) => type)).toEqual([calls ? "function_call" : "message"]);
      if (protocol === "chatstyle") continue;
      const chat = await upstream.ask("chatstyle", protocol, false);
      expect(await finishesIn(chat)).toEqual([calls ? "tool_calls" : "stop"]);
    }
  });

  it.each(ends)("goes on as it came to clients of its own protocol: %j", async (end) => {
    const text = JSON.stringify(bodies[protocol](end, false), null, 1);
    upstream.tell({ text });
    const before = (await upstream.h.balance()).balance;
    const response = await upstream.ask(protocol, protocol, false);
    expect([response.status, await response.text()]).toEqual([200, text]);
    await upstream.h.settled();
    expect(before - (await upstream.h.balance()).balance).toBe(3 + 2 * 4);
  });

  it("is an answer too where a stream was asked for", async () => {
    upstream.tell({ text: JSON.stringify(bodies[protocol](null, false)) });
    for (const surface of ["chatstyle", "msgstyle"] as const) {
      const text = await (await upstream.ask(surface, protocol, true)).text();
      expect(text).toContain("Said.");
      expect(text).not.toContain("error");
    }
  });
});

it("of several alternatives each ends as it says, or has stopped", async () => {
  const alternatives = [{ finishReason: 2 }, {}].map((end, index) => ({
    index,
    content: { role: "model", parts: [{ text: "Said." }] },
    ...end,
  }));
  upstream.tell({ text: JSON.stringify({ candidates: alternatives }) });
  const response = await upstream.ask("chatstyle", "genstyle", false);
  expect(await finishesIn(response)).toEqual(["length", "stop"]);
});

describe.each(cellsOf(["chatstyle", "responses", "msgstyle", "genstyle"]))(
  "$name on $protocol",
  ({ name, protocol }) => {
    const empty: Record<UpstreamProtocol, object> = {
      chatstyle: { choices: [{ index: 0, message: { role: "assistant", content: null } }], usage: usageOf },
      responses: {
        object: "response",
        status: "in_progress",
        output: [],
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      msgstyle: { usage: { input_tokens: 3, output_tokens: 4 } },
      genstyle: {
        candidates: [{ content: { parts: [] } }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
      },
    };
    it("an answer that cannot be read is not charged, whatever it counts", async () => {
      const before = await upstream.h.balance();
      upstream.tell({ text: JSON.stringify(empty[protocol]) });
      for (const stream of [false, true]) {
        const response = await upstream.ask(name, protocol, stream);
        expect([response.status, await response.text()]).toEqual([502, expect.any(String)]);
      }
      await upstream.h.settled();
      expect(await upstream.h.balance()).toEqual(before);
    });
  },
);
