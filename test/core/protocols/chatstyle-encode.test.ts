import { describe, expect, it } from "vitest";
import { DONE } from "../../../packages/core/src/codec/codec-base.ts";
import { run } from "../../../packages/core/src/codec/machine.ts";
import { type Event, type Reply, unfold } from "../../../packages/core/src/ir/index.ts";
import { collectLosses } from "../../../packages/core/src/ir/loss.ts";
import type { Json, JsonObject } from "../../../packages/core/src/json/json.ts";
import { readUsage } from "../../../packages/core/src/protocols/chatstyle/decode-usage.ts";
import { writeUsage } from "../../../packages/core/src/protocols/chatstyle/encode-usage.ts";
import { chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { decode, head, reply, write } from "./chatstyle-kit.ts";

describe("chatstyle replies to clients", () => {
  const answer = (...list: Reply["choices"][number]["parts"]): Reply => ({
    choices: [{ parts: list, finish: { reason: "stop" } }],
  });

  it.each<[string, Reply]>([
    [
      "foreign seals on reasoning",
      answer(
        { type: "reasoning", text: "hm", seal: { protocol: "msgstyle", value: "Sig==" } },
        { type: "reasoning", text: "", redacted: true, seal: { protocol: "msgstyle", value: "Data" } },
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc" } },
        { type: "text", text: "a" },
      ),
    ],
    [
      "thoughts behind sealed ones",
      answer(
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc" } },
        { type: "reasoning", text: "one" },
        { type: "reasoning", text: "two" },
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc2" } },
      ),
    ],
    [
      "foreign seals on calls",
      answer({
        type: "call",
        id: "c",
        name: "f",
        arguments: "{}",
        seal: { protocol: "genstyle", value: "Sig==" },
      }),
    ],
    [
      "thinking between text and calls",
      answer(
        { type: "reasoning", text: "one" },
        { type: "text", text: "a" },
        { type: "reasoning", text: "two", seal: { protocol: "msgstyle", value: "S2" } },
        { type: "call", id: "c", name: "f", arguments: '{"x":1}' },
        { type: "text", text: "b" },
      ),
    ],
  ])("a reply brings %s back", (_, sent) => {
    const back = reply(JSON.parse(JSON.stringify(write(unfold(sent)))) as Json[]);
    expect(back.choices[0]?.parts).toEqual(sent.choices[0]?.parts);
    const body = chatstyle.reply.gather(write(unfold(sent))) as unknown as Json;
    const sorted = (read: Reply) => read.choices[0]?.parts.filter((part) => part.type === "reasoning");
    expect(sorted(reply(chatstyle.reply.burst(body)))).toEqual(sorted(sent));
  });

  it("a reply carries every seal through a client that echoes the message", () => {
    const sealed = answer(
      { type: "reasoning", text: "hm", seal: { protocol: "msgstyle", value: "Sig==" } },
      { type: "call", id: "c", name: "f", arguments: "{}", seal: { protocol: "genstyle", value: "G" } },
    );
    const message = chatstyle.reply.gather(write(unfold(sealed))).choices[0]?.message as object;
    const id = (message as { tool_calls: { id: string }[] }).tool_calls[0]?.id;
    const { messages } = decode({
      model: "m",
      messages: [message, { role: "tool", tool_call_id: id, content: "1" }],
    });
    expect(messages[0]?.parts).toEqual(sealed.choices[0]?.parts);
    expect(messages[1]?.parts[0]).toMatchObject({ type: "result", id: "c" });
  });

  it("a reply has its end once, after everything, whichever of usage and finish comes first", () => {
    const events = unfold({
      choices: [{ parts: [{ type: "text", text: "a" }], finish: { reason: "length" } }],
      usage: { input: 1, output: 2 },
    });
    const swapped = [
      ...events.filter((event) => event.type === "usage"),
      ...events.filter((event) => event.type !== "usage"),
    ];
    const chunks = write(events);
    expect(write(swapped)).toEqual(chunks);
    expect(chunks.slice(-3)).toMatchObject([
      { choices: [{ delta: {}, finish_reason: "length" }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      DONE,
    ]);
  });

  it("the tokens of pictures are parts of prompt and completion", () => {
    const { losses, lose } = collectLosses();
    const usage = { input: 6, output: 1294, imageInput: 2, imageOutput: 1290 };
    const wire = writeUsage(usage, lose);
    expect(wire.completion_tokens_details).toEqual({ image_tokens: 1290 });
    expect([readUsage(wire as unknown as JsonObject), losses]).toEqual([{ usage }, []]);
  });

  it("a reply has nothing like an end after a failure", () => {
    const failure = { kind: "server", status: 500, message: "boom" } as const;
    const chunks = write([
      ...unfold(answer({ type: "text", text: "a" })),
      { type: "failure", failure },
      { type: "delta", index: 0, text: "b" },
    ]);
    expect(chunks.at(-1)).toMatchObject({ error: { message: "boom", code: 500 } });
    expect(JSON.stringify(chunks)).not.toMatch(/"finish_reason":"|DONE/);
  });

  it("a seal is reported that comes when the id of its call is already sent", () => {
    const { losses, lose } = collectLosses();
    const events: Event[] = [
      { type: "open", index: 0, part: { type: "call", id: "c", name: "f" } },
      { type: "close", index: 0, seal: { protocol: "genstyle", value: "S" } },
    ];
    run(chatstyle.reply.encode(head, lose), events);
    expect(losses.map((loss) => loss.path)).toEqual(["/choices/0/parts/0/seal"]);
  });

  it("a call without arguments has an empty object, and calls are numbered without gaps", () => {
    const chunks = write(
      unfold(
        answer(
          { type: "text", text: "a" },
          { type: "call", id: "c", name: "f", arguments: "" },
          { type: "call", id: "d", name: "g", arguments: " " },
        ),
      ),
    );
    const calls = chatstyle.reply.gather(chunks).choices[0]?.message.tool_calls;
    expect(calls?.map((one) => one.type === "function" && JSON.parse(one.function.arguments))).toEqual([
      {},
      {},
    ]);
    const indexes = chunks.flatMap((chunk) =>
      chunk === DONE || "error" in chunk
        ? []
        : (chunk.choices[0]?.delta.tool_calls ?? []).map((one) => one.index),
    );
    expect([...new Set(indexes)]).toEqual([0, 1]);
  });

  it("the role is written once for each choice, also where the choice is empty", () => {
    const chunks = write([
      { type: "start" },
      { type: "open", index: 0, choice: 1, part: { type: "text" } },
      { type: "delta", index: 0, text: "b" },
      { type: "close", index: 0 },
      { type: "finish", choice: 0, reason: "content_filter" },
      { type: "finish", choice: 1, reason: "stop" },
    ]);
    const { choices } = chatstyle.reply.gather(chunks);
    expect(
      choices.map(({ message, finish_reason }) => [message.role, message.content, finish_reason]),
    ).toEqual([
      ["assistant", "", "content_filter"],
      ["assistant", "b", "stop"],
    ]);
    expect(JSON.stringify(chunks).match(/"role"/g)).toHaveLength(2);
  });

  it("citations are counted from the start of the content", () => {
    const sent = answer(
      { type: "text", text: "One. " },
      {
        type: "text",
        text: "Two.",
        citations: [
          { url: "https://e.x", quote: "two" },
          { url: "https://e.y", start: 0, end: 3 },
          { quote: "no address" },
        ],
      },
    );
    const { losses, lose } = collectLosses();
    const body = chatstyle.reply.gather(run(chatstyle.reply.encode(head, lose), unfold(sent)));
    expect(
      body.choices[0]?.message.annotations?.map(({ url_citation: c }) => [c.url, c.start_index, c.end_index]),
    ).toEqual([
      ["https://e.x", 5, 9],
      ["https://e.y", 5, 8],
    ]);
    expect(losses).toEqual([{ path: "/choices/0/parts/1/citations/2", why: "unsupported" }]);
  });
});
